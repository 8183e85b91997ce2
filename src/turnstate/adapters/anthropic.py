"""Repairs of Anthropic's messages: each call with its results, roles in turn, and no content that is refused."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import cast

from turnstate.adapters.answers import joined, native_id, with_whole_answers
from turnstate.adapters.formats import SYSTEM, Object, blocks
from turnstate.adapters.pieces import (
    BEFORE,
    BLANK,
    EMPTIED,
    JOINED,
    MISPLACED,
    MISSING,
    MOVED,
    ORPHAN,
    RENAMED,
    SILENT,
    Piece,
)
from turnstate.core.context.validity import EMPTY, INTERRUPTED, NO_RESULT, free_id, sendable_name

_ID = re.compile(r"[a-zA-Z0-9_-]+")
_NAME = re.compile(r"[a-zA-Z0-9_-]{1,128}")
_THOUGHTS = ("thinking", "redacted_thinking")


def paired_anthropic(messages: Sequence[Object], notes: list[str], *, join: bool = True) -> list[Piece]:
    """`messages` that begin with the user, in which roles take turns and each call is answered behind it.

    Instructions stay where they stand; what is right stays the same dict.

    Args:
        messages: as given.
        notes: what was repaired is added here.
        join: whether messages of one role in a row become one, as Anthropic reads them.
    """
    pieces = with_whole_answers([Piece(m, (i,)) for i, m in enumerate(messages)], notes, join=join)
    return _Pairing(pieces, notes, join=join).made()


@dataclass(frozen=True, slots=True)
class _Answer:
    """A tool result: the message that it stands in, and the block."""

    at: int
    block: Object


@dataclass(slots=True)
class _Pairing:
    """The messages of a list while they are put in order."""

    pieces: Sequence[Piece]
    notes: list[str]
    join: bool
    _found: list[Piece] = field(default_factory=list[Piece])
    _last: int | None = None
    _done: set[int] = field(default_factory=set[int])
    _taken: set[str] = field(default_factory=set[str])

    def made(self) -> list[Piece]:
        """The messages in order."""
        answers = self._answers()
        for at, piece in enumerate(self.pieces):
            role = piece.message["role"]
            if role in SYSTEM:
                self._found.append(piece)
            elif role == "user" and at not in self._done:
                self._add_said(at, self._said(at))
            elif role == "assistant":
                self._add_answer(at, answers.get(at, {}))
        return self._found

    def _answers(self) -> dict[int, dict[str, _Answer]]:
        """The result of each call, by the message and the id of the call."""
        found: dict[int, dict[str, _Answer]] = {}
        waiting: dict[str, int] = {}
        begun = False
        for at, piece in enumerate(self.pieces):
            role = piece.message["role"]
            begun = begun or (role == "user" and self._speaks(piece.message))
            for block in blocks(piece.message) if role not in SYSTEM else ():
                kind = block["type"]
                if kind == "tool_use" and role == "assistant" and begun:
                    waiting[block["id"]] = at  # an id that is used again waits for the newer call's result
                elif kind == "tool_result":
                    asked = waiting.pop(block["tool_use_id"], None)
                    if asked is None:
                        self.notes.append(ORPHAN)
                    else:
                        found.setdefault(asked, {})[block["tool_use_id"]] = _Answer(at, block)
        return found

    @staticmethod
    def _speaks(message: Object) -> bool:
        """Whether a message says something beside results, or says nothing at all."""
        return not all(block["type"] == "tool_result" for block in blocks(message)) or not blocks(message)

    def _said(self, at: int) -> list[Object]:
        """What a user's message says beside results; that it is empty where it holds nothing at all."""
        given = blocks(self.pieces[at].message)
        kept: list[Object] = []
        for block in given:
            kind = block["type"]
            if kind == "text" and not block["text"].strip():
                self.notes.append(BLANK)
            elif (
                kind in _THOUGHTS
                or kind.endswith("tool_use")
                or (kind.endswith("tool_result") and native_id(block))
            ):
                self.notes.append(MISPLACED)
            elif kind != "tool_result":
                kept.append(block)
        if not kept and not any(block["type"] == "tool_result" for block in given):
            self.notes.append(EMPTIED)
            return [{"type": "text", "text": EMPTY}]
        return kept

    def _add_said(self, at: int, content: list[Object]) -> None:
        if not content:
            return
        piece = self._piece(at, content)
        if self.join and self._last is not None and self._found[self._last].message["role"] == "user":
            self.notes.append(JOINED)
            self._found[self._last] = joined(self._found[self._last], piece)
        else:
            self._add(piece)

    def _piece(self, at: int, content: list[Object], sources: Sequence[int] = ()) -> Piece:
        """A message with this content; the same dict where that is what it holds."""
        piece = self.pieces[at]
        given = blocks(piece.message)
        whole = tuple(dict.fromkeys((*sources, *piece.sources)))
        same = len(given) == len(content) and all(
            a is b or a == b for a, b in zip(given, content, strict=True)
        )
        return Piece(piece.message if same else {**piece.message, "content": content}, whole)

    def _add(self, piece: Piece) -> None:
        self._last = len(self._found)
        self._found.append(piece)

    def _add_answer(self, at: int, answers: dict[str, _Answer]) -> None:
        piece = self.pieces[at]
        if self._last is None:
            self.notes.append(BEFORE)
            return
        names = self._renamed(piece)
        content = [
            self._called(block, names) for block in blocks(piece.message) if block["type"] != "tool_result"
        ]
        if all(block["type"] in _THOUGHTS for block in content):
            self.notes.append(SILENT)
            return
        fixed = self._piece(at, content)
        last = self._found[self._last]
        if self.join and last.message["role"] == "assistant":
            self.notes.append(JOINED)
            self._found[self._last] = joined(last, fixed)
        else:
            self._add(fixed)
        if names:
            self._add_results(at, names, answers)

    def _renamed(self, piece: Piece) -> dict[str, str]:
        """The ids of an answer's calls as they are sent, by those given."""
        names: dict[str, str] = {}
        for block in blocks(piece.message):
            if block["type"] == "tool_use":
                given = cast("str", block["id"])
                sendable = bool(_ID.fullmatch(given)) and given not in self._taken
                names[given] = given if sendable else free_id(given, self._taken)
                self._taken.add(names[given])
        if any(new != old for old, new in names.items()):
            self.notes.append(RENAMED)
        return names

    def _called(self, block: Object, names: dict[str, str]) -> Object:
        if block["type"] != "tool_use":
            return block
        changes: Object = {}
        if names[block["id"]] != block["id"]:
            changes["id"] = names[block["id"]]
        if not _NAME.fullmatch(block["name"]):
            self.notes.append("The name of a called tool that is not sendable was changed.")
            changes["name"] = sendable_name(block["name"])
        if not isinstance(block.get("input"), dict):
            changes["input"] = {}
        return {**block, **changes} if changes else block

    def _add_results(self, at: int, names: dict[str, str], answers: dict[str, _Answer]) -> None:
        """The message behind an answer that calls: its results first, then what the user says there."""
        ordered = sorted(answers.items(), key=lambda item: item[1].at)
        results = [self._result(answer.block, names[call]) for call, answer in ordered]
        missing = [names[call] for call in names if call not in answers]
        self.notes += [MISSING] if missing else []
        results += [_interrupted(call) for call in missing]
        sources = [source for _, answer in ordered for source in self.pieces[answer.at].sources]
        behind = self._behind(at)
        if any(answer.at != behind for _, answer in ordered):
            self.notes.append(MOVED)
        if behind is None:
            self._add(Piece({"role": "user", "content": results}, tuple(dict.fromkeys(sources))))
            return
        self._done.add(behind)
        self._add(self._piece(behind, [*results, *self._said(behind)], sources))

    def _behind(self, at: int) -> int | None:
        """The user's message directly behind an answer, if there is one."""
        for place in range(at + 1, len(self.pieces)):
            role = self.pieces[place].message["role"]
            if role not in SYSTEM:
                return place if role == "user" else None
        return None

    def _result(self, block: Object, call_id: str) -> Object:
        if block["tool_use_id"] != call_id:
            block = {**block, "tool_use_id": call_id}
        content = block.get("content")
        if not isinstance(content, list):
            return block
        items = cast("list[Object]", content)
        kept = [item for item in items if item["type"] != "text" or item["text"].strip()]
        if len(kept) == len(items):
            return block
        self.notes.append(BLANK)
        return {**block, "content": kept or NO_RESULT}


def _interrupted(call_id: str) -> Object:
    return {"type": "tool_result", "tool_use_id": call_id, "content": INTERRUPTED}
