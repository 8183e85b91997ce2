"""`turnstate facts`: what is on record about a user, each fact with its source; on request with its history.

The JSON has `user`, `store` and `facts`, each with `key`, `value`, `source`, `quote`, `question`, `conversation`, `turn`,
`at` and `expires_at` (microseconds since the epoch, or null), `retracted`, and `status`: "in force", "superseded",
"repeated" (said again of what stands), "expired", "retracted" (taken back since) or "retraction" (it takes one back).
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from turnstate.cli.render import Screen, Style, many, print_json, time_text, words
from turnstate.cli.store import NotThere, reading
from turnstate.cli.table import Column, Rows
from turnstate.cli.text import clipped, one_line
from turnstate.core.facts import Fact, meaning, supersede
from turnstate.ports import Log

Status: TypeAlias = Literal["in force", "superseded", "repeated", "expired", "retracted", "retraction"]

_STYLES: dict[Status, Style] = {"in force": "green", "expired": "yellow"}

QUESTION = 60
"""Characters of the question that a quote answers; the JSON has all of it."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A fact and where it stands.

    Attributes:
        fact: the fact.
        status: whether it is in force, and if not, why.
    """

    fact: Fact
    status: Status


def show_facts(store: str | None, user: str, *, everything: bool, as_json: bool) -> None:
    """Show a user's facts.

    Raises:
        TurnstateError: the store is not there or does not read, or nothing is known of such a user.
    """
    url, found = asyncio.run(_read(store, user, everything=everything))
    if as_json:
        print_json({"user": user, "store": url, "facts": [fact_data(standing) for standing in found]})
        return
    screen = Screen()
    screen.say(words(user, "bold"), f": {many(len(found), 'fact')}{'' if everything else ' in force'}")
    if found:
        print_facts(screen, found, history=everything)


async def _read(store: str | None, user: str, *, everything: bool) -> tuple[str, tuple[Standing, ...]]:
    async with reading(store) as log:
        found = await facts_of(log, user, everything=everything)
        if not found and not await log.conversations(user=user, limit=1):
            raise NotThere(f"Nothing is on record about a user {user!r} in {log.url}", await _others(log))
        return log.url, found


async def _others(log: Log) -> str:
    users = dict.fromkeys(one_line(info.user) for info in await log.conversations(limit=1_000) if info.user)
    return (
        f"Give one of these: {', '.join(list(users)[:20])}"
        if users
        else "Give the name that a conversation was opened for"
    )


async def facts_of(
    log: Log, user: str | None, conversation: str = "", *, everything: bool = False
) -> tuple[Standing, ...]:
    """The facts of a user, or of a conversation without one, with where they stand today."""
    now = time.time_ns() // 1_000
    learned = await log.facts(user=user, conversation=conversation, superseded=True)
    return tuple(standings(learned, now)) if everything else in_force(supersede(learned).active(now))


def in_force(facts: Sequence[Fact]) -> tuple[Standing, ...]:
    """These facts, all of them in force."""
    return tuple(Standing(fact, "in force") for fact in facts)


def standings(learned: Sequence[Fact], now: int) -> Iterator[Standing]:
    """Where each of a user's facts stands.

    Args:
        learned: all of them, in the order they were learned.
        now: in microseconds since the epoch.
    """
    projection = supersede(learned)
    active, standing = set(projection.active(now)), set(projection.standing)
    for place, fact in enumerate(learned):
        if fact in active:
            yield Standing(fact, "in force")
        elif fact in standing and fact.expires_at is not None and fact.expires_at <= now:
            yield Standing(fact, "expired")
        else:
            yield Standing(fact, _past(fact, learned[place + 1 :], projection.standing))


def _past(fact: Fact, later: Sequence[Fact], standing: Sequence[Fact]) -> Status:
    """Why a fact that does not stand does not."""
    if fact.retracted:
        return "retraction"
    what = meaning(fact.value)
    for other in (other for other in later if other.key == fact.key):
        if other.retracted and (not fact.many or other.value == "" or meaning(other.value) == what):
            return "retracted"
        if not fact.many and not other.retracted and meaning(other.value) != what:
            return "superseded"
    said_again = any(other.key == fact.key and meaning(other.value) == what for other in standing)
    return "repeated" if said_again else "superseded"


def print_facts(screen: Screen, found: Sequence[Standing], title: str = "", *, history: bool = False) -> None:
    """Print facts as a table; `history` adds where each stands."""
    if title:
        screen.say(words(title, "bold"))
    columns = [
        "key",
        Column("value", "text"),
        "source",
        Column("quote", "text"),
        Column("said in", spare=True),
    ]
    rows = Rows(*columns, *([Column("learned (UTC)", spare=True), "status"] if history else []))
    for standing in found:
        fact = standing.fact
        said = f"{fact.conversation} turn {fact.turn}" if fact.turn else fact.conversation
        more = (
            [time_text(fact.at), words(standing.status, _STYLES.get(standing.status, "dim"))]
            if history
            else []
        )
        rows.add(fact.key, str(fact.value), fact.source.value, _quoted(fact), said, *more)
    rows.show(screen)


def _quoted(fact: Fact) -> str:
    quote = f"“{one_line(fact.quote)}”" if fact.quote.strip() else ""
    return f"{quote} to “{clipped(fact.question, QUESTION)}”" if fact.question else quote


def fact_data(standing: Standing) -> dict[str, Any]:
    """A fact as JSON data."""
    fact = standing.fact
    return {
        "key": fact.key,
        "value": fact.value,
        "source": fact.source.value,
        "quote": fact.quote,
        "question": fact.question,
        "conversation": fact.conversation,
        "turn": fact.turn,
        "at": fact.at,
        "expires_at": fact.expires_at,
        "retracted": fact.retracted,
        "status": standing.status,
    }
