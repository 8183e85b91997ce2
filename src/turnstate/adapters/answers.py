"""Anthropic's answers one by one: those in a row as one, calls on the server's side in pairs, no blanks."""

from __future__ import annotations

from collections.abc import Sequence

from turnstate.adapters.formats import SYSTEM, Object, blocks, call_ids
from turnstate.adapters.pieces import ALONE, BLANK, JOINED, TWICE, Piece


def with_whole_answers(pieces: Sequence[Piece], notes: list[str], *, join: bool) -> list[Piece]:
    """Answers in a row as one, up to one that calls; each with its server's calls in pairs and without blanks."""
    found: list[Piece] = []
    last: int | None = None
    for piece in pieces:
        role = piece.message["role"]
        if role in SYSTEM:
            found.append(piece)
            continue
        before = found[last].message if last is not None and join else {}
        if role == "assistant" == before.get("role") and last is not None and not call_ids(before):
            notes.append(JOINED)
            found[last] = joined(found[last], piece)
            continue
        last = len(found)
        found.append(piece)
    return [_cleaned(piece, notes) if piece.message["role"] == "assistant" else piece for piece in found]


def joined(first: Piece, second: Piece) -> Piece:
    """Two messages of one role as one."""
    content = [*blocks(first.message), *blocks(second.message)]
    return Piece({**first.message, **second.message, "content": content}, (*first.sources, *second.sources))


def _cleaned(piece: Piece, notes: list[str]) -> Piece:
    """An answer without blank texts, and with each call of the server's side beside its result, or without both."""
    given = blocks(piece.message)
    whole = _whole_pairs(given)
    kept: list[Object] = []
    seen: set[str] = set()
    for block in given:
        kind = str(block["type"])
        if kind == "text" and not block["text"].strip():
            notes.append(BLANK)
        elif (native := native_id(block)) and native not in whole:
            notes.append(ALONE)
        elif kind == "tool_use" and block["id"] in seen:
            notes.append(TWICE)
        else:
            seen |= {block["id"]} if kind == "tool_use" else set()
            kept.append(block)
    return piece if len(kept) == len(given) else Piece({**piece.message, "content": kept}, piece.sources)


def native_id(block: Object) -> str:
    """The id of a call that ran on the server's side, or of its result; "" for any other block."""
    kind = str(block["type"])
    if kind in ("tool_use", "tool_result"):
        return ""
    if kind.endswith("tool_use"):
        return block["id"]
    return block["tool_use_id"] if kind.endswith("tool_result") else ""


def _whole_pairs(given: Sequence[Object]) -> set[str]:
    order: dict[str, list[bool]] = {}
    for block in given:
        if native := native_id(block):
            order.setdefault(native, []).append(block["type"].endswith("tool_use"))
    return {native for native, kinds in order.items() if kinds == [True, False]}
