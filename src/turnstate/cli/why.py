"""`turnstate why`: turn by turn, whether the model could see a value, where it stood, and what took it out of view.

The JSON has `conversation`, `value`, `first_said` (a turn, or null), `in_view` (whether the last request had it) and
`turns`, each with `turn`, `status`, `in_view`, `said_by` (in this turn: "user", "assistant", "call", "tool"), `left` (what
took it out of view in this turn, or null) and `requests`: `round`, `in_view` and `places`, each with `place` ("facts",
"pinned", "opening", "values", "summary", "turns", "message", "steps", "update" or "recalled"), `first`, `last` (turns, or
null), `count` and `by`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import typer

from turnstate.cli.records import Account, read_account
from turnstate.cli.render import Screen, Style, many, print_json, words
from turnstate.cli.store import reading
from turnstate.cli.table import Column, Rows
from turnstate.cli.text import turns_text
from turnstate.cli.view import Look, Place, PlaceKind, Speaker, TurnView, trace_value
from turnstate.cli.wanted import Wanted
from turnstate.core.facts import Fact


@dataclass(frozen=True, slots=True)
class Stretch:
    """Turns in a row of which the same is true.

    Attributes:
        first: the first turn.
        last: the last turn.
        mark: "in view", "out of view", or "" where there was nothing to see.
        what: where it stood, or why it did not.
    """

    first: int
    last: int
    mark: str
    what: str


def show_why(store: str | None, conversation: str, value: str, *, as_json: bool) -> None:
    """Show where `value` stood in the requests of a conversation.

    Raises:
        typer.BadParameter: the value is empty.
        TurnstateError: the store or the conversation is not there, or does not read.
    """
    if not value.strip():
        raise typer.BadParameter("is empty: give an id, an amount, a date or any words", param_hint="VALUE")
    told, facts = asyncio.run(_read(store, conversation))
    turns = trace_value(told.events, facts, Wanted(value))
    if as_json:
        print_json(_data(conversation, value, turns))
    else:
        _print(conversation, value, turns)


async def _read(store: str | None, conversation: str) -> tuple[Account, tuple[Fact, ...]]:
    async with reading(store) as log:
        told = await read_account(log, conversation)
        return told, await log.facts(user=told.user, conversation=conversation, superseded=True)


def _print(conversation: str, value: str, turns: Sequence[TurnView]) -> None:
    screen = Screen()
    screen.say(words(value, "bold"), " in ", words(conversation, "bold"), f", {many(len(turns), 'turn')}")
    rows = Rows("turns", "", Column("where", "text"))
    for stretch in stretches(turns):
        style: Style = "green" if stretch.mark == "in view" else "yellow"
        span = f"{stretch.first}" if stretch.first == stretch.last else f"{stretch.first}–{stretch.last}"
        rows.add(span, words(stretch.mark, style), stretch.what)
    rows.show(screen)
    if not any(turn.said or turn.in_view for turn in turns):
        screen.say("It was never said in this conversation, and never in view.")


@dataclass(frozen=True, slots=True)
class _Word:
    """What is to be said of one turn; `alike` is the same for turns that are told together."""

    number: int
    mark: str
    what: str
    alike: tuple[object, ...]


def stretches(turns: Sequence[TurnView]) -> Iterator[Stretch]:
    """The turns in words, those in a row of which the same is true together."""
    for _, group in groupby(_told(turns), key=lambda word: (word.mark, word.alike)):
        stretch = tuple(group)
        yield Stretch(stretch[0].number, stretch[-1].number, stretch[0].mark, stretch[-1].what)


def _told(turns: Sequence[TurnView]) -> Iterator[_Word]:
    reason = ""
    for turn in turns:
        places = turn.looks[-1].places if turn.looks else ()
        reason = turn.left or reason
        if not turn.looks:
            said = f"; said by {_people(turn.said)}" if turn.said else ""
            yield _Word(turn.number, "", f"no request was answered{said}", (turn.number,))
        elif places:
            spans = tuple(
                (place.kind, place.first) if place.kind == "summary" else (place.kind, 0) for place in places
            )
            late = turn.looks[0].places == ()
            yield _Word(turn.number, "in view", _where(turn, places), (late, *spans))
        elif reason or turn.known:
            what = reason or "said before, and out of view since"
            yield _Word(turn.number, "out of view", what, (what,))
        elif turn.said:
            yield _Word(turn.number, "", f"said by {_people(turn.said)}", (turn.number,))
        else:
            yield _Word(turn.number, "", "not said yet", ("not yet",))


def _where(turn: TurnView, places: Sequence[Place]) -> str:
    spans = [place for place in places if place.kind == "summary"]
    parts = dict.fromkeys(_summaries(spans) if place.kind == "summary" else _place(place) for place in places)
    first = next(look.round for look in turn.looks if look.places)
    late = f"from request {first} on: " if first != turn.looks[0].round else ""
    return late + "; ".join(parts)


def _summaries(places: Sequence[Place]) -> str:
    if len(places) == 1:
        return f"summary of {turns_text(places[0].first, places[0].last)}"
    return f"summaries of turns {', '.join(f'{place.first}–{place.last}' for place in places)}"


def _place(place: Place) -> str:
    span, by = turns_text(place.first, place.last), _people(place.by)
    often = f", {place.count} of them" if 1 < place.count <= place.last - place.first else ""
    texts: dict[PlaceKind, str] = {
        "facts": "facts block",
        "pinned": f"{span}, pinned",
        "opening": "opening request",
        "values": f"exact values of {span}",
        "turns": f"{span} verbatim{often} ({by})",
        "message": "newest message",
        "steps": f"this turn so far ({by})",
        "recalled": f"recalled from {span} beside the newest message",
        "update": "update beside the newest message",
    }
    return texts[place.kind]


def _people(speakers: Sequence[Speaker]) -> str:
    return ", ".join(dict.fromkeys("tool" if speaker == "call" else speaker for speaker in speakers))


def _data(conversation: str, value: str, turns: Sequence[TurnView]) -> dict[str, Any]:
    looks = [look for turn in turns for look in turn.looks]
    return {
        "conversation": conversation,
        "value": value,
        "first_said": next((turn.number for turn in turns if turn.said), None),
        "in_view": bool(looks and looks[-1].places),
        "turns": [
            {
                "turn": turn.number,
                "status": turn.status,
                "in_view": turn.in_view,
                "said_by": list(turn.said),
                "left": turn.left or None,
                "requests": [_look(look) for look in turn.looks],
            }
            for turn in turns
        ],
    }


def _look(look: Look) -> dict[str, Any]:
    return {
        "round": look.round,
        "in_view": bool(look.places),
        "places": [
            {
                "place": place.kind,
                "first": place.first or None,
                "last": place.last or None,
                "count": place.count,
                "by": list(place.by),
            }
            for place in look.places
        ],
    }
