"""`turnstate demo`: a support session, offline; run again, the next visit knows the customer.

The JSON has `store`, `conversation`, `user`, `turns` (those of `turnstate show`, with `calls`: `tool`, `args`, `result`),
`facts` (those of `turnstate facts`), `summary` (`turns`, `requests`, `tokens`, `append_tokens`, `largest_request`,
`append_largest_request`, `cuts`, `target`) and `next`, the commands to try.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import Any, cast

from turnstate.apps.support.script import FIRST_VISIT, NEXT_VISIT
from turnstate.assistant import Assistant
from turnstate.cli.agents import Setting, agent
from turnstate.cli.appending import Bill, bill
from turnstate.cli.facts import Standing, fact_data, facts_of, print_facts
from turnstate.cli.fresh import start_over
from turnstate.cli.one_turn import use_data, uses
from turnstate.cli.records import read_account
from turnstate.cli.render import Screen, print_json, words
from turnstate.cli.show import summary_data
from turnstate.cli.store import DEMO, file_of, url_of
from turnstate.cli.table import Column, Rows
from turnstate.cli.text import clipped
from turnstate.core.history import Turn, fold
from turnstate.core.values import ValueKind, find

USER = "priya"
"""The customer of the demo."""

VISIT = re.compile(r"visit-([1-9][0-9]{0,5})")
"""What the demo's conversations are called."""


@dataclass(frozen=True, slots=True)
class Demo:
    """A demo as it was asked for.

    Attributes:
        store: the database, a path or a URL.
        target: tokens that a request may have.
        model: the model's id.
    """

    store: str
    target: int
    model: str


@dataclass(frozen=True, slots=True)
class Visit:
    """One conversation of the demo.

    Attributes:
        number: from 1.
        script: what the customer says.
    """

    number: int
    script: Sequence[str]

    @property
    def conversation(self) -> str:
        """Its id."""
        return f"visit-{self.number}"


@dataclass(frozen=True, slots=True)
class Played:
    """What came of a visit."""

    visit: Visit
    turns: tuple[Turn, ...]
    facts: tuple[Standing, ...]


def play(demo: Demo, *, fresh: bool, as_json: bool) -> None:
    """Play the next visit, or go on with one that was cut off.

    Raises:
        TurnstateError: the store cannot be opened or is not the demo's to delete, or a turn did not close.
    """
    url = url_of(demo.store)
    assistant = agent("support", Setting(demo.model, demo.target, url))
    if fresh:
        start_over(url, USER, VISIT)
    screen = None if as_json else Screen()
    played = asyncio.run(_play(assistant, demo, screen))
    if screen is None:
        print_json(_data(url, played))
    else:
        _print_end(screen, url, played)


async def _play(assistant: Assistant, demo: Demo, screen: Screen | None) -> Played:
    async with assistant:
        visit = await _next_visit(assistant)
        if screen is not None:
            _print_start(screen, demo, visit)
        async for turn in _turns(assistant, visit, screen):
            if screen is not None:
                _print_turn(screen, turn)
        told = await read_account(assistant.log, visit.conversation)
        return Played(visit, told.turns, await facts_of(assistant.log, USER))


async def _next_visit(assistant: Assistant) -> Visit:
    """The visit after the last one, or the last one where it was cut off: what was answered is not asked again."""
    found = await assistant.log.conversations(user=USER, limit=100_000)
    turns = {int(match[1]): info.turns for info in found if (match := VISIT.fullmatch(info.conversation))}
    last = max(turns, default=0)
    if last and turns[last] < len(_script(last)):
        return Visit(last, _script(last))
    return Visit(last + 1, _script(last + 1))


def _script(number: int) -> Sequence[str]:
    return FIRST_VISIT if number == 1 else NEXT_VISIT


async def _turns(assistant: Assistant, visit: Visit, screen: Screen | None) -> AsyncIterator[Turn]:
    conversation, log = assistant.conversation(visit.conversation, user=USER), assistant.log
    for place, message in enumerate(visit.script, start=1):
        if screen is not None:
            screen.say(words(f"{USER}> ", "bold cyan"), message)
        sending = asyncio.create_task(conversation.send(message, key=f"{visit.conversation}:{place}"))
        try:
            reply = await asyncio.shield(sending)
        except asyncio.CancelledError:
            await conversation.cancel()  # Ctrl-C; the next run goes on here
            await asyncio.wait([sending])
            sending.exception()  # it was cancelled, which is no news
            raise
        turn = fold(await log.read(visit.conversation, turn=reply.turn)).turn(reply.turn)
        if turn is not None:
            yield turn


def _print_start(screen: Screen, demo: Demo, visit: Visit) -> None:
    what = "a customer's first visit" if visit.number == 1 else "the customer is back"
    screen.say(
        words(visit.conversation, "bold"),
        f": {what}; model {demo.model}, target {demo.target:,} tokens a request",
    )
    screen.say()


def _print_turn(screen: Screen, turn: Turn) -> None:
    for step in turn.steps:
        if step.trace.managed:
            screen.say(words(step.trace.managed, "yellow"))
        for use in uses(step):
            result = "no result" if use.result is None else fields(use.result)
            call = f"  {use.tool}({clipped(fields(use.args), 70)}) -> "
            screen.put(words(call, "dim"), words(clipped(result, max(30, screen.width - len(call))), "dim"))
    screen.say(words("assistant> ", "bold green"), turn.reply)
    screen.say()


def _print_end(screen: Screen, url: str, played: Played) -> None:
    print_facts(screen, played.facts, f"On record about {USER}")
    screen.say()
    screen.say(words(f"Sent to the model in {played.visit.conversation}", "bold"))
    _print_bill(screen, bill(played.turns))
    screen.say()
    screen.say(words("Next", "bold"))
    commands = _next(url, played)
    width = max(len(command) for command, _ in commands)
    for command, what in commands:
        screen.say(f"  {command:<{width}}  ", words(what, "dim"))


def _print_bill(screen: Screen, spent: Bill) -> None:
    rows = Rows("", Column("turnstate", "number"), Column("appending", "number"), "")
    saved = 1 - spent.tokens / spent.append_tokens if spent.append_tokens else 0.0
    rows.add(
        "tokens sent",
        f"{spent.tokens:,}",
        f"{spent.append_tokens:,}",
        f"{saved:.0%} less" if saved >= 0.005 else "",
    )
    rows.add("largest request", f"{spent.largest:,}", f"{spent.append_largest:,}", f"target {spent.target:,}")
    rows.add("turns", f"{spent.turns:,}", f"{spent.turns:,}", "")
    rows.add("requests", f"{spent.requests:,}", f"{spent.requests:,}", "")
    rows.add("cuts", f"{spent.cuts:,}", "", "")
    rows.show(screen)


def _next(url: str, played: Played) -> list[tuple[str, str]]:
    path, name = file_of(url), played.visit.conversation
    where = "" if path == DEMO else f" --store {path or url}"
    ids = [
        value.text
        for turn in played.turns
        for call in _said(turn)
        for value in find(call)
        if value.kind is ValueKind.ID
    ]
    asked = (
        [(f"turnstate why {name} {ids[0].lstrip('#')}{where}", "where the model saw it, turn by turn")]
        if ids
        else []
    )
    return [
        ("turnstate demo" + where, "the next visit: known without asking"),
        (f"turnstate show {name}{where}", "every turn, with its requests"),
        *asked,
        (f"turnstate facts {USER}{where}", "what is on record, with its sources"),
    ]


def fields(text: str) -> str:
    """A JSON object as `name=value, name=value`; any other text as it is."""
    try:
        data = json.loads(text)
    except ValueError:
        return text
    if not isinstance(data, dict):
        return text
    pairs = cast("dict[str, Any]", data).items()
    return ", ".join(
        f"{name}={value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)}"
        for name, value in pairs
    )


def _said(turn: Turn) -> list[str]:
    return [use.args for step in turn.steps for use in uses(step)]


def _data(url: str, played: Played) -> dict[str, Any]:
    spent = bill(played.turns)
    return {
        "store": url,
        "conversation": played.visit.conversation,
        "user": USER,
        "turns": [
            {**summary_data(turn), "calls": [use_data(use) for step in turn.steps for use in uses(step)]}
            for turn in played.turns
        ],
        "facts": [fact_data(standing) for standing in played.facts],
        "summary": {
            "turns": spent.turns,
            "requests": spent.requests,
            "tokens": spent.tokens,
            "append_tokens": spent.append_tokens,
            "largest_request": spent.largest,
            "append_largest_request": spent.append_largest,
            "cuts": spent.cuts,
            "target": spent.target,
        },
        "next": [command for command, _ in _next(url, played)],
    }
