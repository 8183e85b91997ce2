"""The full-text index of a file: how words and rows are written in it, and how it is made for an older file."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable
from functools import lru_cache

from turnstate.errors import EventDecodeError
from turnstate.stores.codec import decode
from turnstate.stores.searched import searched_words

_SPECIAL = re.compile(r"[^0-9a-z\x80-\ud7ff\ue000-\U0010ffff]")
_TURNS = 1 << 24

_SAYING = """
SELECT place, tenant, conversation, seq, turn, tag, version, body
FROM events
WHERE turn > 0 AND tag IN ('turn-opened', 'model-responded', 'tool-returned', 'turn-closed')
ORDER BY place
"""
_BLOB = "SELECT data FROM blobs WHERE tenant = ? AND conversation = ? AND sha = ?"
_INSERT = "INSERT INTO search (rowid, words) VALUES (?, ?)"


@lru_cache(maxsize=16_384)
def token(word: str) -> str:
    """A word as one token of the index: letters, digits and whatever is not ASCII; all else by its code.

    No two words have the same token.
    """
    return _SPECIAL.sub(lambda sign: f"_{ord(sign[0]):02x}_", word)


def row_of(turn: int, seq: int) -> int:
    """An event's number within its conversation's rows; -1 beyond the turns that the index has room for."""
    return turn << 8 | seq & 0xFF if 0 < turn < _TURNS else -1


def row_before(turn: int) -> int:
    """The first row that no turn before `turn` has."""
    return max(0, min(turn, _TURNS)) << 8


def tokens(found: Iterable[str]) -> str:
    """Words as the index is given them, in an order of their own so that the same words are the same bytes."""
    return " ".join(sorted(map(token, found)))


def fill(connection: sqlite3.Connection) -> None:
    """Index every event of a file whose index is empty; in the transaction of the migration that made it.

    An event that does not decode is passed over, as it is when it is read.
    """
    for _, tenant, conversation, seq, turn, tag, version, body in connection.execute(_SAYING):

        def blob(sha: str, tenant: str = tenant, conversation: int = conversation) -> bytes | None:
            row = connection.execute(_BLOB, (tenant, conversation, sha)).fetchone()
            return None if row is None else row[0]

        try:
            event = decode(tag, version, body, blob)
        except EventDecodeError:
            continue
        row = row_of(turn, seq)
        if row >= 0 and (found := searched_words(event)):
            connection.execute(_INSERT, ((conversation << 32) + row, tokens(found)))
