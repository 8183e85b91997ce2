"""Conversations as lines of JSON and back, bit for bit: what `turnstate export` writes and `turnstate import` reads.

A header; for every conversation a line about it, one for each event as it is kept, one for each large part; an end that
counts the conversations, so that a file that was cut short is told from a whole one. A user's conversations follow each
other: their facts are projected together.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from turnstate.core.history import Snapshot
from turnstate.errors import ExportError
from turnstate.ports import Kept, KeptEvent, KeptTurn, Log

FORMAT = 1
"""What the header says; a reader of another format refuses the file."""

EVERY = 2**31 - 1
"""A listing's limit that is none."""


async def export(log: Log, conversations: Sequence[str]) -> AsyncIterator[str]:
    """The lines of an export, one conversation in memory at a time.

    Args:
        log: the store.
        conversations: their ids; one that is not there is left out.
    """
    yield _line({"turnstate": "export", "format": FORMAT})
    number = 0
    for conversation in conversations:
        if (kept := await log.kept(conversation)) is not None:
            number += 1
            for line in lines_of(kept):
                yield line
    yield _line({"turnstate": "end", "conversations": number})


async def chosen(log: Log, *, conversation: str | None = None, user: str | None = None) -> list[str]:
    """What to export: one conversation, a user's, or all; each user's together, in order of their first event."""
    if conversation is not None:
        return [conversation]
    infos = await log.conversations(user=user, limit=EVERY)
    return [
        info.conversation
        for info in sorted(infos, key=lambda info: (info.user or "", info.started, info.conversation))
    ]


def lines_of(kept: Kept) -> Iterator[str]:
    """One conversation's lines."""
    yield _line(
        {
            "conversation": kept.conversation,
            "user": kept.user,
            "started": kept.started,
            "updated": kept.updated,
            "last_turn": kept.last_turn,
            "last_closed": kept.last_closed,
            "head": kept.head,
            "turns": [[turn.turn, turn.seq, turn.status, turn.key] for turn in kept.turns],
            "snapshot": [kept.snapshot.first, list(kept.snapshot.keep)],
            "events": len(kept.events),
            "blobs": len(kept.blobs),
        }
    )
    for event in kept.events:
        yield _line(
            {
                "conversation": kept.conversation,
                "seq": event.seq,
                "turn": event.turn,
                "at": event.at,
                "version": event.version,
                "tag": event.tag,
                "body": event.body,
            }
        )
    for sha, data in sorted(kept.blobs.items()):
        coded = base64.b64encode(data).decode()
        yield _line({"conversation": kept.conversation, "blob": sha, "data": coded})


def conversations_in(lines: Iterable[str]) -> Iterator[Kept]:
    """The conversations of an export, one in memory at a time.

    Raises:
        ExportError: while iterating: a line is not what an export has there; the ones before it were given.
    """
    reading = _Reading()
    for number, line in enumerate(lines, start=1):
        try:
            yield from reading.take(line)
        except (ValueError, TypeError, KeyError, RecursionError, binascii.Error) as error:
            said = f"has no {error}" if isinstance(error, KeyError) else str(error)
            raise ExportError(number, said) from error
    if not reading.ended:
        raise ExportError(None, "ends too early: it was cut short, or is no export")


@dataclass(slots=True)
class _Reading:
    """An export while it is read."""

    begun: bool = False
    ended: bool = False
    number: int = 0
    about: dict[str, Any] = field(default_factory=dict[str, Any])
    events: list[KeptEvent] = field(default_factory=list[KeptEvent])
    blobs: dict[str, bytes] = field(default_factory=dict[str, bytes])

    def take(self, line: str) -> Iterator[Kept]:
        """Take a line; gives the conversation that it completes."""
        data = json.loads(line)
        if not isinstance(data, dict):
            raise TypeError("is no JSON object")
        told = cast("dict[str, Any]", data)
        if self.ended:
            raise ValueError("stands behind the end")
        if not self.begun:
            self._begin(told)
        elif told.get("turnstate") == "end":
            self._end(told)
        elif "events" in told:
            self._check_whole()
            self.about, self.events, self.blobs = told, [], {}
        elif told.get("conversation") != self.about.get("conversation"):
            raise ValueError("belongs to another conversation than the lines before it")
        elif "blob" in told:
            self._add_blob(told)
        else:
            texts = [told[name] for name in ("tag", "body")]
            numbers = [told[name] for name in ("seq", "turn", "at", "version")]
            if not all(isinstance(text, str) for text in texts) or not all(map(_is_number, numbers)):
                raise TypeError("has a field of another type than an event's")
            seq, turn, at, version = numbers
            self.events.append(KeptEvent(seq, turn, at, texts[0], version, texts[1]))
        if self.about and self._whole():
            self.number += 1
            made, self.about = self._kept(), {}
            yield made

    def _begin(self, told: dict[str, Any]) -> None:
        if told.get("turnstate") != "export":
            raise ValueError("is not the header of an export")
        if told.get("format") != FORMAT:
            raise ValueError(f"says format {told.get('format')!r}, and this release reads {FORMAT}")
        self.begun = True

    def _end(self, told: dict[str, Any]) -> None:
        self._check_whole()
        if told.get("conversations") != self.number:
            raise ValueError(f"counts {told.get('conversations')} conversations, and there are {self.number}")
        self.ended = True

    def _check_whole(self) -> None:
        if self.about:
            missing = f"{self.about['events']} events and {self.about['blobs']} large parts"
            raise ValueError(f"comes too early: {self.about['conversation']!r} has {missing}")

    def _whole(self) -> bool:
        return (len(self.events), len(self.blobs)) == (self.about["events"], self.about["blobs"])

    def _add_blob(self, told: dict[str, Any]) -> None:
        data = base64.b64decode(told["data"], validate=True)
        if hashlib.sha256(data).hexdigest() != told["blob"]:
            raise ValueError("has data that do not match their SHA-256")
        self.blobs[told["blob"]] = data

    def _kept(self) -> Kept:
        about = self.about
        names = ("started", "updated", "last_turn", "last_closed", "head")
        if not all(_is_number(about[name]) for name in names) or not isinstance(about["conversation"], str):
            raise TypeError("is about a conversation with fields of other types")
        first, keep = about["snapshot"]
        turns = tuple(KeptTurn(turn, seq, status, key) for turn, seq, status, key in about["turns"])
        return Kept(
            about["conversation"],
            about["user"],
            *(about[name] for name in names),
            events=tuple(self.events),
            turns=turns,
            blobs=self.blobs,
            snapshot=Snapshot(first, tuple(keep)),
        )


async def put(log: Log, lines: Iterable[str]) -> int:
    """Import conversations; all of a user's in one transaction. Returns how many.

    Raises:
        ExportError: a line does not read; what came before it, but for the user that it belongs to, was imported.
        ConversationExists: one of them is there; so of its user nothing was imported.
        ConversationErased: one of them was erased here; the same.
    """
    number = 0
    waiting: list[Kept] = []
    for kept in conversations_in(lines):
        if waiting and (kept.user is None or kept.user != waiting[0].user):
            await log.keep(*waiting)
            number, waiting = number + len(waiting), []
        waiting.append(kept)
    if waiting:
        await log.keep(*waiting)
    return number + len(waiting)


def _is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**63


def _line(data: object) -> str:
    # ASCII, so that a lone surrogate, which an id may hold, is a line of UTF-8 all the same.
    return json.dumps(data, separators=(",", ":")) + "\n"
