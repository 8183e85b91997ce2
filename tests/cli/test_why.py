"""`turnstate why`: where a value stood turn by turn, and what took it out of view."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cli.conftest import Run, replied, request
from generators.histories import append, exchange, opened, record
from turnstate.cli.view import trace_value
from turnstate.cli.wanted import Wanted
from turnstate.cli.why import stretches
from turnstate.core.events import Cut, Event, Kept, Span, SummaryWritten, TurnOpened, TurnPinned
from turnstate.core.messages import user_message


def told(run: Run, store: str, value: str) -> list[str]:
    """The rows of the table, blanks joined."""
    ran = run("why", "visit-1", value, "--store", store)
    assert ran.code == 0
    return [" ".join(line.split()) for line in ran.out.splitlines()[3:]]


def test_a_value_in_words_and_tools_and_facts(run: Run, store: str) -> None:
    """From the message in which it was said to the facts that keep it."""
    rows = told(run, store, "48213")
    assert rows[0] == "1 in view newest message; this turn so far (tool)"
    assert rows[1] == "2–4 in view turn 1 verbatim (user, tool)"
    assert rows[2].startswith("5 in view facts block")
    assert rows[3] == "6 no request was answered"


def test_what_took_a_value_out_of_view(run: Run, store: str) -> None:
    """The turn, the summary that was written, and that it does not hold the value."""
    rows = told(run, store, "$99.95")
    assert rows[:3] == ["1–2 not said yet", "3 in view newest message", "4 in view turn 3 verbatim (user)"]
    assert rows[3].startswith(
        "5 out of view left the view in turn 5: summarised into turns 1–3, and the summary does not"
    )


def test_a_summary_that_holds_a_value(run: Run, store: str) -> None:
    """Matching looks at words in any case."""
    assert "7 in view summary of turns 1–3" in told(run, store, "55 elm st")


def test_what_was_never_said(run: Run, store: str) -> None:
    """It is an answer, not a failure."""
    assert told(run, store, "777777") == [
        "1–5 not said yet",
        "6 no request was answered",
        "7 not said yet",
        "It was never said in this conversation, and never in view.",
    ]


def test_the_answer_as_json(run: Run, store: str) -> None:
    """Keys that a script may rely on."""
    shown = run("why", "visit-1", "99.95", "--json", "--store", store).json
    assert (shown["conversation"], shown["value"], shown["first_said"], shown["in_view"]) == (
        "visit-1",
        "99.95",
        3,
        False,
    )
    assert shown["turns"][2] == {
        "turn": 3,
        "status": "closed",
        "in_view": True,
        "said_by": ["user"],
        "left": None,
        "requests": [
            {
                "round": 1,
                "in_view": True,
                "places": [{"place": "message", "first": 3, "last": 3, "count": 1, "by": ["user"]}],
            }
        ],
    }
    assert shown["turns"][4]["left"].startswith("left the view in turn 5")
    assert shown["turns"][5]["requests"] == []


def test_an_unknown_conversation(run: Run, store: str) -> None:
    """The error names those there are."""
    ran = run("why", "nope", "1", "--store", store)
    assert ran.code == 1
    assert "visit-1" in ran.err


@pytest.mark.parametrize(
    ("value", "text", "found"),
    [
        ("12345", "order #12345", True),
        ("12345", "order 123456", False),
        ("12345", "order 12-345", True),
        ("$1,200", "it was 1200 USD", True),
        ("March 11th", "on 2026-03-11", True),
        ("7pm", "at 19:00", True),
        ("elm", "55 Elm St", True),
        ("priya", "PRIYA RAMAN", True),
        ("3", "in 2023", False),
        ("AB-12345", "ref ab12345", True),
        ("nothing", "", False),
        ("ß", "STRASSE", True),
    ],
)
def test_what_counts_as_the_value(value: str, text: str, found: bool) -> None:
    """The same words, or a value that means the same; never a part of a longer number."""
    assert Wanted(value).stands_in(text) is found


@given(st.text(min_size=1), st.text(), st.text())
def test_words_are_found_wherever_they_stand(value: str, before: str, after: str) -> None:
    """Unless a number goes on at their edge."""
    if value.strip():
        assert Wanted(value).stands_in(f"{before} {value} {after}")


def conversation(turns: int, cuts: dict[int, Cut], summaries: dict[int, SummaryWritten]) -> list[list[Event]]:
    """Turns of which the first says 48213."""
    cut, found = Cut(), list[list[Event]]()
    for number in range(1, turns + 1):
        cut = cuts.get(number, cut)
        text = "order 48213 please" if number == 1 else f"question {number}"
        written = [summaries[number]] if number in summaries else []
        found.append(
            [
                TurnOpened(None, "d", user_message(text, 0)),
                *written,
                *replied(number, "ok", request(number, 100, cut)),
            ]
        )
    return found


def in_words(turns: list[list[Event]], value: str) -> list[str]:
    """The stretches as text."""
    return [
        f"{s.first}-{s.last} {s.mark}: {s.what}"
        for s in stretches(trace_value(record(turns), (), Wanted(value)))
    ]


def test_a_value_may_be_dropped_without_a_summary() -> None:
    """Then the reason says so."""
    turns = conversation(6, {4: Cut(first=3, since=3, opening=False)}, {})
    assert (
        in_words(turns, "48213")[-1]
        == "4-6 out of view: left the view in turn 4: turn 1 was dropped without a summary"
    )


def test_the_opening_may_keep_it_and_give_way() -> None:
    """Each place that is lost has its own reason."""
    turns = conversation(6, {3: Cut(first=3, since=3), 5: Cut(first=4, since=4, opening=False)}, {})
    assert in_words(turns, "48213")[-2:] == [
        "3-4 in view: opening request",
        "5-6 out of view: left the view in turn 5: the opening request gave way",
    ]


def test_a_summary_may_give_way() -> None:
    """The span that it stood for is named."""
    written = SummaryWritten(Span(1, 2), "order 48213", "extractive", 5)
    cuts = {3: Cut(first=3, since=1, opening=False), 5: Cut(first=4, since=3, opening=False)}
    assert in_words(conversation(5, cuts, {3: written}), "48213")[-2:] == [
        "3-4 in view: summary of turns 1–2",
        "5-5 out of view: left the view in turn 5: the summary of turns 1–2 gave way",
    ]


def test_a_long_conversation_is_told_in_a_few_rows() -> None:
    """Turns of which the same is true are one row, and each text is read once."""
    turns = conversation(3_000, {1_500: Cut(first=1_490, since=1_490, opening=False)}, {})
    assert [row.partition(":")[0] for row in in_words(turns, "48213")] == [
        "1-1 in view",
        "2-1499 in view",
        "1500-3000 out of view",
    ]


def where(value: str, *turns: list[Event], about: Sequence[tuple[int, Event]] = ()) -> list[str]:
    """The words of the last stretch's place, for a conversation of these turns with more said about some of them."""
    events = record(turns[:-1])
    for turn, event in about:
        append(events, turn, event)
    append(events, len(turns), *turns[-1])
    return [stretch.what for stretch in stretches(trace_value(events, (), Wanted(value)))]


LEFT = Cut(first=2, since=1, opening=False)


def test_a_value_beside_the_summaries() -> None:
    """The summary does not hold it, the ledger does."""
    kept = Kept(1, "user", "id", "A-17", "order A-17")
    told = where(
        "A-17",
        exchange("It is A-17.", "ok"),
        [opened("And?"), *replied(2, "ok", request(2, 10, replace(LEFT, values=1)))],
        about=[(0, SummaryWritten(Span(1, 1), "They spoke.", "m", 3, kept=(kept,)))],
    )
    assert told[-1] == "exact values of turn 1"


def test_a_value_in_a_pinned_turn() -> None:
    """As long as it is pinned."""
    first, then = exchange("It is A-17.", "ok"), [opened("And?"), *replied(2, "ok", request(2, 10, LEFT))]
    assert where("A-17", first, then, about=[(1, TurnPinned("user: It is A-17."))])[-1] == "turn 1, pinned"
    assert (
        "dropped" in where("A-17", first, then, about=[(1, TurnPinned("user: x")), (1, TurnPinned(""))])[-1]
    )


def test_a_value_that_was_recalled() -> None:
    """Beside one message only."""
    told = where(
        "A-17",
        exchange("It is A-17.", "ok"),
        [opened("Which?"), *replied(2, "ok", request(2, 10, LEFT, recalled=(1,)))],
    )
    assert told[-1] == "recalled from turn 1 beside the newest message"


def test_a_value_in_the_middle_of_a_text_that_was_shortened() -> None:
    """What was not shown was not in view."""
    middle = "word " * 5_000 + "A-17" + " word" * 5_000
    then = [opened("And?"), *replied(2, "ok", request(2, 10, Cut(cap=200)))]
    assert where("A-17", exchange(middle, "ok"), then)[-1] != "turn 1 verbatim (user)"
    assert where("A-17", exchange("A-17 " + middle, "ok"), then)[-1] == "turn 1 verbatim (user)"
    assert where("A-17", exchange(middle, "A-17"), then)[-1] == "turn 1 verbatim (user, assistant)"
