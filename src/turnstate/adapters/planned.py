"""`plan_messages`: a plan for a list of messages that the application keeps itself."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from turnstate.adapters.anthropic import paired_anthropic
from turnstate.adapters.checkpoint import OTHER, Checkpoint, digests, read_state, written_state
from turnstate.adapters.formats import SYSTEM, Object, family_of, text_of
from turnstate.adapters.openai import paired_openai
from turnstate.adapters.pieces import Piece, with_open_end
from turnstate.adapters.rehearsal import Conversation, planned, rehearse
from turnstate.adapters.rendering import rendered, system_of
from turnstate.adapters.turns import Group, grouped, turn_of
from turnstate.core.context.budget import Budget
from turnstate.core.context.counting import Calibration
from turnstate.core.context.families import Family, Wire
from turnstate.core.context.layout import chain, shown_opening
from turnstate.core.context.strategies import strategy as named
from turnstate.core.context.types import Inputs, Strategy
from turnstate.core.history import History


@dataclass(frozen=True, slots=True)
class PlannedMessages:
    """What to send.

    Every message that was given is in exactly one of `kept`, `summarised` and `dropped`.

    Attributes:
        messages: in the format that they were given in; kept messages are the caller's own dicts.
        system: Anthropic's system text or blocks, as given, with later instructions behind them.
        tokens: the estimated size of the request, with system text and tools.
        bound: a number of tokens that the request is never above.
        managed: the line of the newest cut since the state that was given, or since the beginning; "" without one.
        kept: the messages, by index, that stand in the request: as they were given, repaired, shortened, or quoted as
            the opening request.
        summarised: those that a summary in the request stands for.
        dropped: those of which nothing is in the request, or that no provider would have accepted.
        notes: what was repaired, one sentence each.
        recalled: the turns that are quoted from beyond the view.
        state: JSON data to give to the next call, which then need not go through the whole conversation again.
    """

    messages: list[Object]
    system: str | list[Object] | None
    tokens: int
    bound: int
    managed: str = ""
    kept: tuple[int, ...] = ()
    summarised: tuple[int, ...] = ()
    dropped: tuple[int, ...] = ()
    notes: tuple[str, ...] = ()
    recalled: tuple[int, ...] = ()
    state: Object = field(default_factory=dict[str, Any])


def plan_messages(
    messages: Sequence[Object],
    budget: Budget,
    *,
    system: str | list[Object] | None = None,
    tools: Sequence[Object] = (),
    strategy: str | Strategy = "hybrid",
    state: Mapping[str, Any] | None = None,
) -> PlannedMessages:
    """Bring a conversation under its budget.

    The same messages give the same plan, and a longer list begins as the shorter one did until the next cut.

    Args:
        messages: the whole conversation, as OpenAI chat or Anthropic messages; never changed.
        budget: the tokens that a request may have.
        system: Anthropic's system text or blocks; counted, and given back.
        tools: the tools of the request; counted.
        strategy: the name of a strategy, or a function.
        state: `PlannedMessages.state` of a call before. Where its messages are not the beginning of these it is not
            used, and a note says so.

    Raises:
        ContextTooLarge: system text, tools and the newest exchange alone exceed the target.
        SettingError: a message or a state that cannot be read.
        StrategyError: there is no such strategy.
    """
    notes: list[str] = []
    family = family_of(messages, system, tools)
    seen = digests(messages, family.value if family is not None else "")
    pieces = _paired(messages, family, notes)
    grouped(pieces)  # a list in which the user says nothing is refused before anything is added
    groups = grouped(with_open_end(pieces, notes))
    talk = Conversation(
        tuple(turn_of(number, group) for number, group in enumerate(groups, start=1)),
        tuple(tuple(group.instructions()) for group in groups),
        _template(budget, named(strategy), family, system, tools),
    )
    known = read_state(state, seen, notes)
    if known is not None and (known.at > talk.newest or known.cut.first > len(groups)):
        # What came since has joined an answer that a later request was planned behind.
        notes.append(OTHER)
        known = None
    rehearsed = rehearse(talk, known or Checkpoint())
    made = planned(talk, rehearsed.reached, budget.recalled)
    account = _account(groups, talk, rehearsed.reached)
    stays = account.kept | account.summarised
    return PlannedMessages(
        rendered(groups, made, family),
        system_of(system, groups) if family is Family.ANTHROPIC else system,
        made.count.best,
        made.count.bound,
        rehearsed.managed,
        tuple(sorted(account.kept)),
        tuple(sorted(account.summarised)),
        tuple(index for index in range(len(messages)) if index not in stays),
        tuple(dict.fromkeys(notes)),
        made.recalled,
        written_state(rehearsed.reached, seen),
    )


def _paired(messages: Sequence[Object], family: Family | None, notes: list[str]) -> list[Piece]:
    if family is Family.OPENAI_CHAT:
        return paired_openai(messages, notes)
    return paired_anthropic(messages, notes, join=family is not None)


def _template(
    budget: Budget,
    strategy: Strategy,
    family: Family | None,
    system: str | list[Object] | None,
    tools: Sequence[Object],
) -> Inputs:
    """The inputs of every request of the conversation, but for what was said."""
    nobody = turn_of(1, Group())
    return Inputs(
        history=History(),
        turn=nobody,
        instructions=text_of({"content": system}) if system else "",
        tools=json.dumps(list(tools), ensure_ascii=False, separators=(",", ":")) if tools else "",
        facts="",
        update="",
        budget=budget,
        strategy=strategy,
        calibration=Calibration(),
        wire=Wire(family or Family.ANTHROPIC),
    )


@dataclass(frozen=True, slots=True)
class _Account:
    """The indices of the messages that are in view, and of those that a summary stands for."""

    kept: frozenset[int]
    summarised: frozenset[int]


def _account(groups: Sequence[Group], talk: Conversation, reached: Checkpoint) -> _Account:
    cut = reached.cut
    covers = [one.written.covers for one in chain(reached.summaries, cut.since, cut.first)]
    opening = shown_opening(History(opening=talk.opening, cut=cut), cut)
    kept: set[int] = set()
    summarised: set[int] = set()
    for number, group in enumerate(groups, start=1):
        opens = opening is not None and opening.number == number
        for piece in group.pieces:
            role = piece.message["role"]
            if number >= cut.first or role in SYSTEM or (opens and role == "user"):
                kept.update(piece.sources)
            elif any(number in span for span in covers):
                summarised.update(piece.sources)
    return _Account(frozenset(kept), frozenset(summarised - kept))
