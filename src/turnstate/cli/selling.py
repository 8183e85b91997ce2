"""`turnstate demo sales`: a buyer of fifteen turns, offline; the agents, their states and what became of them.

The JSON has `store`, `conversation`, `turns` (those of `turnstate show`), `states` (each state's value as JSON, by its
name) and `next`, the commands to try.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

from turnstate.apps.sales.script import BUYER
from turnstate.apps.sales.states import DIMENSIONS, Memory, Offered, Progress, Qualification, Scores
from turnstate.assistant import Assistant, Conversation
from turnstate.cli.agents import Setting, agent
from turnstate.cli.fresh import start_over
from turnstate.cli.lanes import short_lines
from turnstate.cli.render import Screen, print_json, words
from turnstate.cli.show import summary_data
from turnstate.cli.store import file_of, url_of
from turnstate.cli.table import Column, Rows
from turnstate.core.history import Turn, fold
from turnstate.core.state import State, name_of

USER = "dana"
"""The buyer of the demo."""

BUYS = re.compile(r"buyer-([1-9][0-9]{0,5})")
"""What the demo's conversations are called."""

SHOWN: tuple[type[State], ...] = (Scores, Memory, Qualification, Progress, Offered)
"""The states that the demo ends with."""


@dataclass(frozen=True, slots=True)
class Sale:
    """The demo as it was asked for.

    Attributes:
        store: the database, a path or a URL.
        target: tokens that a request may have.
        model: the model's id.
    """

    store: str
    target: int
    model: str


@dataclass(frozen=True, slots=True)
class Sold:
    """What came of it."""

    conversation: str
    turns: tuple[Turn, ...]
    states: dict[str, State]


def sell(sale: Sale, *, fresh: bool, as_json: bool) -> None:
    """Play the buyer.

    Raises:
        TurnstateError: the store cannot be opened or is not the demo's to delete, or a turn did not close.
    """
    url = url_of(sale.store)
    assistant = agent("sales", Setting(sale.model, sale.target, url))
    if fresh:
        start_over(url, USER, BUYS)
    screen = None if as_json else Screen()
    sold = asyncio.run(_sell(assistant, sale, screen))
    if screen is None:
        print_json(
            {
                "store": url,
                "conversation": sold.conversation,
                "turns": [summary_data(turn) for turn in sold.turns],
                "states": {name: state.model_dump(mode="json") for name, state in sold.states.items()},
                "next": [command for command, _ in _next(url, sold)],
            }
        )
    else:
        _print_end(screen, url, sold)


async def _sell(assistant: Assistant, sale: Sale, screen: Screen | None) -> Sold:
    async with assistant:
        name = await _next_buyer(assistant)
        if screen is not None:
            screen.say(
                words(name, "bold"), f": a buyer; model {sale.model}, target {sale.target:,} tokens a request"
            )
            screen.say()
        conversation = assistant.conversation(name, user=USER)
        turns = [turn async for turn in _turns(assistant, conversation, screen)]
        states = {name_of(state): await conversation.state(state) for state in SHOWN}
        return Sold(name, tuple(turns), states)


async def _next_buyer(assistant: Assistant) -> str:
    """The buyer after the last one, or the last one where it was cut off."""
    found = await assistant.log.conversations(user=USER, limit=100_000)
    turns = {int(match[1]): info.turns for info in found if (match := BUYS.fullmatch(info.conversation))}
    last = max(turns, default=0)
    return f"buyer-{last if last and turns[last] < len(BUYER) else last + 1}"


async def _turns(
    assistant: Assistant, conversation: Conversation, screen: Screen | None
) -> AsyncIterator[Turn]:
    for place, message in enumerate(BUYER, start=1):
        if screen is not None:
            screen.say(words(f"{USER}> ", "bold cyan"), message)
        reply = await conversation.send(message, key=f"{conversation.id}:{place}")
        turn = fold(await assistant.log.read(conversation.id, turn=reply.turn)).turn(reply.turn)
        if turn is None:
            continue
        if screen is not None:
            for line in short_lines(turn):
                screen.say(words(f"  {line}", "dim"))
            screen.say(words("assistant> ", "bold green"), turn.reply)
            screen.say()
        yield turn


def _print_end(screen: Screen, url: str, sold: Sold) -> None:
    scores, found, progress = sold.states["Scores"], sold.states["Qualification"], sold.states["Progress"]
    screen.say(words("What is on record", "bold"))
    rows = Rows(
        "",
        Column("score", "number"),
        "said",
        Column("turn", "number"),
        Column("in the buyer's words", "line", 3),
    )
    for name in DIMENSIONS:
        score: Any = getattr(scores, name)
        rows.add(name, str(score.value), score.said, str(score.turn or ""), score.quote)
    rows.show(screen)
    verdict: Any = found
    stands: Any = progress
    screen.say(f"{verdict.is_qualified} since turn {verdict.turn}: {verdict.reason}")
    screen.say(
        f"phase {stands.phase}, before it {stands.previous_phase or 'none'}, since turn {stands.since}"
    )
    shared: Any = sold.states["Offered"]
    screen.say(
        "shared: " + (", ".join(f"{each.name} (turn {each.turn})" for each in shared.shared) or "nothing")
    )
    screen.say()
    screen.say(words("Next", "bold"))
    commands = _next(url, sold)
    width = max(len(command) for command, _ in commands)
    for command, what in commands:
        screen.say(f"  {command:<{width}}  ", words(what, "dim"))


def _next(url: str, sold: Sold) -> list[tuple[str, str]]:
    where = f" --store {file_of(url) or url}"
    return [
        (f"turnstate show {sold.conversation}{where}", "every turn, with its agents"),
        (f"turnstate show {sold.conversation} --turn 3{where}", "what each read and wrote"),
        (f"turnstate chat --app sales{where}", "talk to it yourself"),
    ]
