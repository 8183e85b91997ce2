"""Every format tells the same story, and no damage to its files stops a reader or goes unsaid."""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnstate.core.context.validity import heal
from turnstate.core.history import Turn
from turnstate.core.messages import ToolCallPart, args_text, user_text
from turnstate.errors import TranscriptError
from turnstate.readers.recognise import read_transcripts
from turnstate.readers.transcript import Transcript

OPENING = "Two tickets from Seattle to New York on December 5th, please."
QUESTION = "I found HAT12 for $310 each. How many passengers will be travelling?"
ANSWER = "Two, as I said."
BOOKED = "Booking HAT12 for two passengers on December 6th."
FLIGHTS = '{"flights": [{"id": "HAT12", "price": 310}]}'
SEARCH = {"origin": "SEA", "destination": "JFK", "date": "2026-12-05", "passengers": 2}
BRIEF = "You are a booking agent."


class Format(NamedTuple):
    """A format, and what it can hold.

    Attributes:
        name: the sample's file, or what it is called where this test writes it.
        content: what this test writes, or "" for a shared sample.
        brief: whether it holds instructions.
        search: whether it holds the call and its result: a tracker has no arguments, a helpdesk and the sample of the
            ChatGPT export have no calls.
    """

    name: str
    content: str = ""
    brief: bool = True
    search: bool = True


def _lines(*records: object) -> str:
    return "".join(json.dumps(record) + "\n" for record in records)


def _event(seq: int, turn: int, tag: str, **body: Any) -> dict[str, Any]:
    around = {"conversation": "c1", "seq": seq, "turn": turn, "at": 1_790_000_000_000_000 + seq, "version": 1}
    return around | {"tag": tag, "body": json.dumps(body)}


def _asked(seq: int, turn: int, said: str) -> dict[str, Any]:
    message = {"parts": [{"content": said, "part_kind": "user-prompt"}]}
    return _event(seq, turn, "turn-opened", digest="d", message=message)


def _spoken(seq: int, turn: int, said: str) -> dict[str, Any]:
    response = {"parts": [{"content": said, "part_kind": "text"}]}
    return _event(seq, turn, "model-responded", model="m", response=response)


EXPORT = _lines(
    {"turnstate": "export", "version": 1},
    _event(1, 0, "conversation-opened"),
    _asked(2, 1, OPENING),
    _event(
        3,
        1,
        "model-responded",
        model="m",
        response={
            "parts": [
                {
                    "tool_name": "search_flights",
                    "args": SEARCH,
                    "tool_call_id": "call_1",
                    "part_kind": "tool-call",
                }
            ]
        },
    ),
    _event(4, 1, "tool-called", call_id="1.1.1"),
    _event(5, 1, "tool-returned", result={"tool_name": "x", "content": FLIGHTS, "tool_call_id": "call_1"}),
    _spoken(6, 1, QUESTION),
    _event(7, 1, "turn-closed", reply=QUESTION),
    _asked(8, 2, ANSWER),
    _spoken(9, 2, "Something that a guard put aside."),
    _event(10, 2, "turn-closed", reply=BOOKED),
)
TALK = f"Customer: {OPENING}\nAgent: {QUESTION}\nCustomer: {ANSWER}\nAgent: {BOOKED}\n"
TABLE = f'Conversation ID,Role,Message\nc1,user,"{OPENING}"\nc1,agent,{QUESTION}\nc1,user,"{ANSWER}"\nc1,agent,{BOOKED}\n'

FORMATS = (
    Format("openai/chat_completions.jsonl"),
    Format("openai/responses_items.json", brief=False),
    Format("anthropic/messages.json"),
    Format("langchain/messages_to_dict.json"),
    Format("langsmith/runs.jsonl"),
    Format("langfuse/session_traces.json"),
    Format("langfuse/observations_v2.json"),
    Format("sharegpt/sharegpt.json"),
    Format("claude_ai_export/conversations.json", brief=False),
    Format("chatgpt_export/conversations.json", search=False),
    Format("rasa/tracker.json", brief=False, search=False),
    Format("intercom/conversation.json", brief=False, search=False),
    Format("zendesk/ticket_comments.json", brief=False, search=False),
    Format("export.jsonl", EXPORT, brief=False),
    Format("talk.txt", TALK, brief=False, search=False),
    Format("table.csv", TABLE, brief=False, search=False),
)
every_format = pytest.mark.parametrize("form", FORMATS, ids=lambda form: form.name)


@pytest.fixture
def content(form: Format, request: pytest.FixtureRequest) -> bytes:
    """The sample of a format; what this file writes itself needs no shared data."""
    if form.content:
        return form.content.encode()
    shared: Path = request.getfixturevalue("shared_data")
    return (shared / "transcript_formats" / form.name).read_bytes()


def _written(folder: Path, content: bytes) -> Path:
    path = folder / "sample"
    path.write_bytes(content)
    return path


def _read(folder: Path, content: bytes) -> list[Transcript | TranscriptError]:
    """What a file with this content gives; a refusal of the whole file is a list of one error."""
    try:
        found: list[Transcript | TranscriptError] = list(read_transcripts(_written(folder, content)))
    except TranscriptError as error:
        found = [error]
    for item in found:
        if isinstance(item, TranscriptError):
            assert item.path == str(folder / "sample")
            assert item.reason
            assert item.reason in str(item)
        else:
            _check(item)
    return found


def _check(transcript: Transcript) -> None:
    """It is a conversation that can be audited, replayed and sent."""
    assert 1 <= len(transcript.id) <= 512
    transcript.id.encode()
    assert [turn.number for turn in transcript.turns] == list(range(1, len(transcript.turns) + 1))
    assert transcript.turns
    heal([message for turn in transcript.turns for message in turn.messages()])


def _calls(turn: Turn) -> Iterator[tuple[str, object, object]]:
    for step in turn.steps:
        made = {call.tool_call_id: call.result for call in step.calls}
        for part in step.response.parts:
            if isinstance(part, ToolCallPart):
                result = made[part.tool_call_id]
                yield part.tool_name, json.loads(args_text(part)), result and result.content


@every_format
def test_every_format_tells_the_same_story(form: Format, content: bytes, tmp_path: Path) -> None:
    """Two turns, and as much of the call and the instructions as the format can hold."""
    (found,) = _read(tmp_path, content)
    assert isinstance(found, Transcript)
    assert [(user_text(turn.user), turn.reply) for turn in found.turns] == [
        (OPENING, QUESTION),
        (ANSWER, BOOKED),
    ]
    assert found.instructions == (BRIEF if form.brief else "")
    searched = [("search_flights", SEARCH, FLIGHTS)] if form.search else []
    assert [list(_calls(turn)) for turn in found.turns] == [searched, []]
    assert (found.notes, found.record <= 3) == ((), True)


@every_format
def test_a_byte_order_mark_changes_nothing(form: Format, content: bytes, tmp_path: Path) -> None:
    """Editors on some systems put one before UTF-8."""
    assert _read(tmp_path, b"\xef\xbb\xbf" + content) == _read(tmp_path, content)


@every_format
def test_utf_16_is_refused_with_its_name_or_as_no_utf_8(form: Format, content: bytes, tmp_path: Path) -> None:
    """And with what to give instead."""
    (found,) = _read(tmp_path, content.decode().encode("utf-16"))
    assert isinstance(found, TranscriptError)
    assert "UTF-16" in found.reason


@pytest.mark.parametrize("content", [b"", b" \n\n", b"[]", b"{}", b"null", b"\0\0\0"])
def test_a_blank_file_is_refused(content: bytes, tmp_path: Path) -> None:
    """There is no conversation in it."""
    (found,) = _read(tmp_path, content)
    assert isinstance(found, TranscriptError)


@every_format
@given(data=st.data())
def test_a_file_that_was_cut_off_is_read_or_refused(
    form: Format, data: st.DataObject, tmp_path_factory: pytest.TempPathFactory, shared_data: Path
) -> None:
    """At any byte."""
    sample = form.content.encode() or (shared_data / "transcript_formats" / form.name).read_bytes()
    cut = data.draw(st.integers(0, len(sample)))
    assert _read(tmp_path_factory.mktemp("cut"), sample[:cut])


@every_format
@given(data=st.data())
def test_bytes_that_changed_are_read_or_refused(
    form: Format, data: st.DataObject, tmp_path_factory: pytest.TempPathFactory, shared_data: Path
) -> None:
    """Any bytes in any place."""
    sample = form.content.encode() or (shared_data / "transcript_formats" / form.name).read_bytes()
    place = data.draw(st.integers(0, len(sample)))
    put = data.draw(
        st.binary(max_size=4) | st.sampled_from([b"\0", b"\xff", b'"', b"[" * 2_000, b"1" * 5_000])
    )
    gone = data.draw(st.integers(0, 20))
    assert _read(tmp_path_factory.mktemp("bytes"), sample[:place] + put + sample[place + gone :])


def _nested(depth: int) -> object:
    data: object = {}
    for _ in range(depth):
        data = {"messages": [data]}
    return data


EMPTY: list[object] = [[], {}, [[]], [{}], {"": 0}, ["text"], [None], {"role": 3}, _nested(400)]
PLAIN: list[object] = [None, True, 0, -1, 10**30, 1e300, "", " ", "x", "\ud800", "\0", "all", "9" * 400]
TIMES: list[object] = ["2026-13-99T00:00:00Z", "0001-01-01T00:00:00+23:59"]
WRONG = st.sampled_from([*EMPTY, *PLAIN, *TIMES])
"""What stands where something else should."""


def _places(data: object, place: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield place
    if isinstance(data, dict):
        for key, value in data.items():  # pyright: ignore[reportUnknownVariableType] (any JSON)
            yield from _places(value, (*place, key))  # pyright: ignore[reportUnknownArgumentType] (any JSON)
    elif isinstance(data, list):
        for index, value in enumerate(data):  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType] (any JSON)
            yield from _places(value, (*place, index))  # pyright: ignore[reportUnknownArgumentType] (any JSON)


def _changed(data: Any, place: tuple[Any, ...], value: object, *, drop: bool) -> Any:
    if not place:
        return value
    data = deepcopy(data)
    around = data
    for step in place[:-1]:
        around = around[step]
    if drop:
        del around[place[-1]]
    else:
        around[place[-1]] = value
    return data


@every_format
@given(data=st.data())
def test_wrong_values_in_any_place_are_read_or_refused(
    form: Format, data: st.DataObject, tmp_path_factory: pytest.TempPathFactory, shared_data: Path
) -> None:
    """Missing fields and values of every other type, one or two at a time."""
    if form.name.endswith((".txt", ".csv")):
        pytest.skip("it holds no JSON")
    sample = form.content or (shared_data / "transcript_formats" / form.name).read_text(encoding="utf-8")
    lined = form.name.endswith("l")
    decoded = [json.loads(line) for line in sample.splitlines()] if lined else json.loads(sample)
    for _ in range(data.draw(st.integers(1, 2))):
        place = data.draw(st.sampled_from(list(_places(decoded))[1:] or [()]))
        decoded = _changed(decoded, place, data.draw(WRONG), drop=data.draw(st.booleans()))
    content = _lines(*decoded) if lined else json.dumps(decoded, indent=data.draw(st.sampled_from([None, 1])))
    assert _read(tmp_path_factory.mktemp("wrong"), content.encode() or b"0")


def test_the_words_of_a_stored_turn_are_the_same(tmp_path: Path) -> None:
    """Text that no database takes is escaped in the log, and comes back."""
    body = '{"escaped":"{\\"message\\":{\\"parts\\":[{\\"content\\":\\"h\\\\005cu0000i\\\\d800\\",\\"part_kind\\":\\"user-prompt\\"}]}}"}'
    event = {
        "conversation": "c",
        "seq": 1,
        "turn": 1,
        "at": 5,
        "version": 1,
        "tag": "turn-opened",
        "body": body,
    }
    (found,) = _read(tmp_path, _lines({"turnstate": "export"}, event).encode())
    assert isinstance(found, Transcript)
    assert user_text(found.turns[0].user) == "h\0i\ud800"
