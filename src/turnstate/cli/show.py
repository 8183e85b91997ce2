"""`turnstate show`: the conversations of a store, the turns of one, one turn in full, or every event.

The JSON of the listing has `store` and `conversations` (`conversation`, `user`, `turns`, `events`, `started`, `updated`);
that of a conversation `store`, `conversation`, `user` and `turns` (`turn`, `status`, `at`, `key`, `user`, `reply`, `failure`,
`requests`, `tokens` of the largest request, `target`, `managed`, `agents` and `guards`); that of a turn is in `turnstate.cli.one_turn`, that of events
has `conversation` and `events` (`seq`, `turn`, `at`, `kind`, `version`, `body`). Times are microseconds since the epoch.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from turnstate.cli.event_lines import body_of, kind_of, line_of
from turnstate.cli.lanes import short_lines, worked_out_again
from turnstate.cli.one_turn import print_turn, turn_data, turn_text
from turnstate.cli.records import Account, read_account
from turnstate.cli.render import Screen, Style, many, print_json, time_text, words
from turnstate.cli.store import reading
from turnstate.cli.table import Column, Rows
from turnstate.core.events import Recorded
from turnstate.core.history import Turn, TurnStatus
from turnstate.ports import ConversationInfo
from turnstate.turn.reply import context_of, usage_of

LISTED = 1_000
"""Conversations that a listing shows, the most recently updated first."""

STATUS: dict[TurnStatus, Style] = {"closed": "green", "failed": "red", "open": "yellow", "paused": "cyan"}


@dataclass(frozen=True, slots=True)
class Choice:
    """What to show of a conversation.

    Attributes:
        turn: this turn alone, or None.
        events: its events instead of its turns.
    """

    turn: int | None = None
    events: bool = False


def show(store: str | None, conversation: str | None, choice: Choice, *, as_json: bool) -> None:
    """Show a conversation, or list those there are.

    Raises:
        TurnstateError: the store, the conversation or the turn is not there, or does not read.
    """
    if conversation is None:
        url, found = asyncio.run(_list(store))
        _show_list(url, found, as_json=as_json)
        return
    url, told, before = asyncio.run(_read(store, conversation, choice.turn))
    if choice.events:
        _show_events(told, as_json=as_json)
    elif choice.turn is not None:
        _show_turn(told, before, as_json=as_json)
    else:
        _show_turns(url, told, as_json=as_json)


async def _list(store: str | None) -> tuple[str, tuple[ConversationInfo, ...]]:
    async with reading(store) as log:
        return log.url, await log.conversations(limit=LISTED)


async def _read(
    store: str | None, conversation: str, turn: int | None
) -> tuple[str, Account, tuple[Recorded, ...]]:
    """The account, and what came before it where the turn has agents: what they did not read is looked for there."""
    async with reading(store) as log:
        told = await read_account(log, conversation, turn=turn)
        team = turn is not None and any(each.acted for each in told.turns)
        before = await log.read(conversation, limit=told.events[0].seq - 1) if team else ()
        return log.url, told, before


def _show_list(url: str, found: Sequence[ConversationInfo], *, as_json: bool) -> None:
    if as_json:
        print_json({"store": url, "conversations": [_info(info) for info in found]})
        return
    screen = Screen()
    screen.say(many(len(found), "conversation"), " in ", words(url, "bold"))
    rows = Rows(
        Column("conversation", "text", 2),
        Column("user", "text"),
        Column("turns", "number"),
        Column("events", "number", spare=True),
        Column("updated (UTC)", spare=True),
    )
    for info in found:
        rows.add(
            info.conversation, info.user or "", f"{info.turns:,}", f"{info.events:,}", time_text(info.updated)
        )
    if found:
        rows.show(screen)
        screen.say(words("One of them: turnstate show CONVERSATION", "dim"))


def _info(info: ConversationInfo) -> dict[str, Any]:
    return {
        "conversation": info.conversation,
        "user": info.user,
        "turns": info.turns,
        "events": info.events,
        "started": info.started,
        "updated": info.updated,
    }


def _show_turns(url: str, told: Account, *, as_json: bool) -> None:
    user = told.user
    if as_json:
        turns = [summary_data(turn) for turn in told.turns]
        print_json({"store": url, "conversation": told.conversation, "user": user, "turns": turns})
        return
    screen = Screen()
    whose = f", user {user}" if user is not None else ""
    screen.say(words(told.conversation, "bold"), f"{whose}, {many(len(told.turns), 'turn')}")
    print_turns(screen, told.turns)
    screen.say(words("One turn in full: --turn N. Every event: --events.", "dim"))


def print_turns(screen: Screen, turns: Sequence[Turn]) -> None:
    """Print turns as a table, and below it what was done to their contexts."""
    rows = Rows(
        Column("turn", "number"),
        "status",
        Column("user", "line", 3),
        Column("reply", "line", 4),
        Column("requests", "number", spare=True),
        Column("tokens", "number", spare=True),
    )
    for turn in turns:
        use, said = context_of(turn), turn.reply if turn.failure is None else turn.failure.message
        mark = words(turn.status, STATUS[turn.status])
        tokens = f"{use.tokens:,}" if turn.steps else ""
        rows.add(str(turn.number), mark, turn_text(turn), said, str(usage_of(turn).requests), tokens)
        for line in (*short_lines(turn), *use.managed):
            rows.note(line)
    rows.show(screen)


def summary_data(turn: Turn) -> dict[str, Any]:
    """A turn in short, as JSON data."""
    use = context_of(turn)
    return {
        "turn": turn.number,
        "status": turn.status,
        "at": turn.at,
        "key": turn.key,
        "user": turn_text(turn),
        "reply": turn.reply,
        "failure": None
        if turn.failure is None
        else {"reason": turn.failure.reason, "message": turn.failure.message},
        "requests": usage_of(turn).requests,
        "tokens": use.tokens,
        "target": use.target,
        "managed": list(use.managed),
        "agents": [
            {
                "agent": event.agent,
                "part": event.part,
                "stage": event.stage,
                "by": event.by,
                "read": list(event.read),
                "wrote": list(event.wrote),
                "refused": [asdict(refused) for refused in event.refused],
                "notes": list(event.notes),
            }
            for event in turn.acted
        ],
        "guards": [asdict(act) for act in turn.guards],
    }


def _show_turn(told: Account, before: Sequence[Recorded], *, as_json: bool) -> None:
    for turn in told.turns:
        if as_json:
            again = list(worked_out_again(turn, (*before, *told.events))) if turn.acted else []
            data = {**summary_data(turn), **turn_data(turn, told.events), "worked_out_again": again}
            print_json({"conversation": told.conversation, **data})
            continue
        screen = Screen()
        status = words(turn.status, STATUS[turn.status])
        key = f", key {turn.key}" if turn.key is not None else ""
        screen.say(
            words(told.conversation, "bold"),
            f", turn {turn.number}, ",
            status,
            f", {time_text(turn.at)} UTC{key}",
        )
        print_turn(screen, turn, told.events, before)


def _show_events(told: Account, *, as_json: bool) -> None:
    if as_json:
        print_json(
            {"conversation": told.conversation, "events": [_event_data(event) for event in told.events]}
        )
        return
    time = Column("time (UTC)", spare=True)
    rows = Rows(Column("seq", "number"), Column("turn", "number"), time, "event", Column("what", "line"))
    for recorded in told.events:
        what = line_of(recorded.event)
        rows.add(str(recorded.seq), str(recorded.turn), time_text(recorded.at), kind_of(recorded.event), what)
    rows.show(Screen())


def _event_data(recorded: Recorded) -> dict[str, Any]:
    return {
        "seq": recorded.seq,
        "turn": recorded.turn,
        "at": recorded.at,
        "kind": kind_of(recorded.event),
        "version": recorded.version,
        "body": body_of(recorded.event),
    }
