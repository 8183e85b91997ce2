"""The table of tags and fields: complete, and the same for ever."""

from __future__ import annotations

from typing import get_args

import pytest

from turnstate.core.events import (
    AgentActed,
    ApprovalAnswered,
    ApprovalAsked,
    Asked,
    ConversationOpened,
    Count,
    Cut,
    Erased,
    Event,
    FactsLearned,
    GuardActed,
    HandedOff,
    Kept,
    ModelResponded,
    Question,
    Rated,
    Refused,
    RequestTrace,
    Resumed,
    Said,
    Span,
    StateChanged,
    SummaryWritten,
    ToolCalled,
    ToolReturned,
    Trace,
    TurnClosed,
    TurnFailed,
    TurnOpened,
    TurnPaused,
    TurnPinned,
)
from turnstate.core.facts import Fact, Source
from turnstate.core.messages import (
    ModelResponse,
    RequestUsage,
    TextPart,
    ToolCallPart,
    moment,
    tool_return,
    user_message,
)
from turnstate.stores.codec import decode
from turnstate.stores.shapes import EVENTS

AT = 1_767_225_600_000_000

WRITTEN: list[tuple[str, str, Event]] = [
    ("conversation-opened", "{}", ConversationOpened()),
    (
        "conversation-opened",
        '{"user":"ann","forked_from":"c1@3"}',
        ConversationOpened("ann", "c1@3"),
    ),
    (
        "turn-opened",
        (
            '{"key":"k1","digest":"d","message":{"parts":[{"content":"Hello",'
            '"timestamp":"2026-01-01T00:00:00Z","part_kind":"user-prompt"}]}}'
        ),
        TurnOpened("k1", "d", user_message("Hello", AT)),
    ),
    (
        "model-responded",
        (
            '{"model":"m","response":{"parts":[{"content":"Hi","part_kind":"text"},{"tool_name":"look","args":{"id":7},'
            '"tool_call_id":"t1","part_kind":"tool-call"}],"usage":{"input_tokens":5,"output_tokens":6},'
            '"timestamp":"2026-01-01T00:00:00Z"},"request":{"round":2,"count":{"estimate":1,"bound":2,"raw":3,'
            '"provider":4},"target":9,"cut":{"first":3,"since":2,"opening":false,"facts":"city: Oslo"},"managed":"cut",'
            '"dropped":[[1,2]],"summarised":[[3,4]],"retried":"too long","notes":["healed"]}}'
        ),
        ModelResponded(
            "m",
            ModelResponse(
                parts=[TextPart("Hi"), ToolCallPart("look", {"id": 7}, "t1")],
                usage=RequestUsage(input_tokens=5, output_tokens=6),
                timestamp=moment(AT),
            ),
            RequestTrace(
                2,
                Count(1, 2, 3, 4),
                9,
                Cut(3, 2, opening=False, facts="city: Oslo"),
                "cut",
                (Span(1, 2),),
                (Span(3, 4),),
                "too long",
                ("healed",),
            ),
        ),
    ),
    (
        "tool-called",
        '{"call_id":"a","tool_call_id":"t1","tool":"look","effect":"once"}',
        ToolCalled("a", "t1", "look", "once"),
    ),
    (
        "tool-returned",
        (
            '{"call_id":"a","result":{"tool_name":"look","content":{"found":null},"tool_call_id":"t1",'
            '"timestamp":"2026-01-01T00:00:00Z","part_kind":"tool-return"}}'
        ),
        ToolReturned("a", tool_return("look", {"found": None}, "t1", AT)),
    ),
    (
        "tool-returned",
        (
            '{"call_id":"a","result":{"tool_name":"look","tool_call_id":"t1",'
            '"timestamp":"2026-01-01T00:00:00Z","part_kind":"tool-return"}}'
        ),
        ToolReturned("a", tool_return("look", None, "t1", AT)),
    ),
    ("approval-asked", '{"call_id":"a","tool_call_id":"t1","tool":"pay"}', ApprovalAsked("a", "t1", "pay")),
    (
        "approval-answered",
        '{"call_id":"a","approved":false,"by":"ann","reason":"no"}',
        ApprovalAnswered("a", approved=False, by="ann", reason="no"),
    ),
    (
        "agent-acted",
        (
            '{"agent":"a","part":"thinker","stage":1,"by":"code","read":["R"],"wrote":["W"],"refused":'
            '[{"agent":"a","state":"S","field":"f","owner":"b","reason":"not yours"}],"notes":["slow"],"usage":[1,2]}'
        ),
        AgentActed(
            "a",
            "thinker",
            1,
            "code",
            ("R",),
            ("W",),
            (Refused("a", "S", "f", "b", "not yours"),),
            ("slow",),
            (1, 2),
        ),
    ),
    ("asked", '{"questions":[{"key":"k","text":"Why?","about":"x"}]}', Asked((Question("k", "Why?", "x"),))),
    (
        "guard-acted",
        '{"guard":"asked","mode":"block","action":"blocked","sentence":"Why?","written":"","reason":"asked before"}',
        GuardActed("asked", "block", "blocked", "Why?", "", "asked before"),
    ),
    ("said", '{"by":"person:anna","text":"Hi"}', Said("person:anna", "Hi")),
    (
        "state-changed",
        '{"state":"S","version":2,"owner":"rules","change":[1],"value":{"a":null}}',
        StateChanged("S", 2, "rules", [1], {"a": None}),
    ),
    ("turn-closed", '{"trace":{}}', TurnClosed(None, Trace())),
    (
        "turn-closed",
        '{"reply":"Hi","trace":{"rounds":1,"input_tokens":2,"output_tokens":3,"notes":["slow"]}}',
        TurnClosed("Hi", Trace(1, 2, 3, ("slow",))),
    ),
    (
        "turn-failed",
        '{"reason":"model","message":"down","retry":true,"released":"He"}',
        TurnFailed("model", "down", retry=True, released="He"),
    ),
    (
        "facts-learned",
        (
            '{"status":"learned","by":"rules","source":1,"facts":[{"key":"city","value":"Oslo","source":"user_quote",'
            '"quote":"Oslo","start":3,"end":7,"conversation":"c1","turn":1,"at":5,"expires_at":6,"question":"Where?",'
            '"retracted":true,"many":true}],"problems":["vague"],"usage":[8,9]}'
        ),
        FactsLearned(
            "learned",
            "rules",
            1,
            (
                Fact(
                    "city",
                    "Oslo",
                    Source.USER_QUOTE,
                    "Oslo",
                    3,
                    7,
                    "c1",
                    1,
                    5,
                    6,
                    "Where?",
                    retracted=True,
                    many=True,
                ),
            ),
            ("vague",),
            (8, 9),
        ),
    ),
    (
        "facts-learned",
        (
            '{"status":"learned","by":"app","source":0,"facts":[{"key":"vip","value":true,"source":"app",'
            '"conversation":"c1","at":5}]}'
        ),
        FactsLearned("learned", "app", 0, (Fact("vip", True, Source.APP, "", 0, 0, "c1", 0, 5, None),)),
    ),
    (
        "summary-written",
        '{"covers":[1,9],"text":"They spoke.","by":"extractive","tokens":4,"notes":["again"],"usage":[1,2]}',
        SummaryWritten(Span(1, 9), "They spoke.", "extractive", 4, ("again",), (1, 2)),
    ),
    (
        "summary-written",
        '{"covers":[1,9],"text":"They spoke.","by":"m","tokens":4,"kept":[[2,"user","id","A-17","A-17"]],"seen":40}',
        SummaryWritten(
            Span(1, 9), "They spoke.", "m", 4, kept=(Kept(2, "user", "id", "A-17", "A-17"),), seen=40
        ),
    ),
    ("turn-pinned", '{"text":"user: keep this"}', TurnPinned("user: keep this")),
    ("turn-paused", '{"text":"One moment."}', TurnPaused("One moment.")),
    ("rated", '{"score":0.5,"by":"ann","comment":"slow"}', Rated(0.5, "ann", "slow")),
    ("handed-off", '{"reason":"asked","note":"angry"}', HandedOff("asked", "angry")),
    ("resumed", '{"by":"ann"}', Resumed("ann")),
    (
        "erased",
        '{"scope":"retention","turns":[1,2],"receipt":"r1","unreachable":["backups"]}',
        Erased("retention", Span(1, 2), "r1", ("backups",)),
    ),
    ("erased", '{"scope":"user","receipt":"r1","turns":null}', Erased("user", None, "r1")),
]
"""Bodies of version 1 as they stand in logs, with what they mean. Lines are added, never changed."""


@pytest.mark.parametrize(("tag", "body", "event"), WRITTEN)
def test_what_was_ever_written_reads_for_ever(tag: str, body: str, event: Event) -> None:
    """Old logs do not change when the code does."""
    assert decode(tag, 1, body) == event


def test_every_event_has_a_tag_of_its_own() -> None:
    """And an example that keeps it from changing."""
    assert {shape.kind for shape in EVENTS} == set(get_args(Event))
    assert len({shape.tag for shape in EVENTS}) == len(EVENTS)
    assert {tag for tag, _, _ in WRITTEN} == {shape.tag for shape in EVENTS}


def test_fields_that_a_later_release_added_are_passed_over() -> None:
    """Two releases may share a log while one replaces the other."""
    assert decode("resumed", 1, '{"by":"ann","mood":"good"}') == Resumed("ann")
