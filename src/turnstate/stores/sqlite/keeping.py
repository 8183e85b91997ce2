"""A conversation as it is kept, for an export, and putting one as another store kept it."""

from __future__ import annotations

import json
from collections.abc import Sequence

from turnstate.core.history import Snapshot
from turnstate.errors import ConversationErased, ConversationExists
from turnstate.ports import Kept, KeptEvent, KeptTurn
from turnstate.stores.codec import column, encode_fact, uncolumn
from turnstate.stores.erasing import tomb_of
from turnstate.stores.keeping import event_of, lessons_of
from turnstate.stores.rules import owner_of
from turnstate.stores.searched import searched_words
from turnstate.stores.sqlite.projection import settle
from turnstate.stores.sqlite.search import row_of, tokens
from turnstate.stores.sqlite.session import Session

_ALL = 2**63 - 1


def kept(session: Session, conversation: str) -> Kept | None:
    """A conversation as it is kept."""
    place = session.find(conversation)
    if place is None:
        return None
    started, updated = session.only("conversation_times", conversation=place.number)
    first, keep = session.row("find_snapshot", conversation=place.number) or (1, "[]")
    return Kept(
        conversation,
        place.user,
        started,
        updated,
        place.last_turn,
        place.last_closed,
        place.head,
        tuple(
            KeptEvent(seq, turn, at, tag, version, body)
            for seq, turn, at, tag, version, body in session.rows(
                "kept_events", conversation=place.number, through=_ALL
            )
        ),
        tuple(
            KeptTurn(turn, seq, status, None if key is None else uncolumn(key))
            for turn, seq, status, key in session.rows("kept_turns", conversation=place.number)
        ),
        dict(session.rows("kept_blobs", conversation=place.number)),
        Snapshot(first, tuple(json.loads(keep))),
    )


def keep(session: Session, all_kept: Sequence[Kept]) -> None:
    """Put conversations, and project what they taught in order of time.

    Raises:
        ConversationExists: one of them is there.
        ConversationErased: one of them was erased here.
    """
    numbers: dict[str, int] = {}
    for one in all_kept:
        if session.find(one.conversation) is not None:
            raise ConversationExists(one.conversation)
        if session.row("erased_conversation", id=tomb_of(one.conversation)):
            raise ConversationErased(one.conversation)
        numbers[one.conversation] = _put(session, one)
    touched: dict[tuple[str, str], None] = {}
    for lesson in lessons_of(all_kept):
        owner = column(owner_of(lesson.user, lesson.conversation))
        for index, fact in enumerate(lesson.facts):
            key = column(fact.key)
            session.run(
                "add_fact",
                owner=owner,
                key=key,
                conversation=numbers[lesson.conversation],
                seq=lesson.seq,
                idx=index,
                body=encode_fact(fact),
            )
            touched[owner, key] = None
    for owner, key in touched:
        settle(session, owner, key)


def _put(session: Session, one: Kept) -> int:
    (number,) = session.only(
        "put_conversation",
        id=column(one.conversation),
        user=None if one.user is None else column(one.user),
        head=one.head,
        last_turn=one.last_turn,
        last_closed=one.last_closed,
        started=one.started,
        updated=one.updated,
    )
    for event in one.events:
        session.run(
            "add_event",
            conversation=number,
            seq=event.seq,
            turn=event.turn,
            at=event.at,
            tag=event.tag,
            version=event.version,
            body=event.body,
        )
        known = event_of(one, event)
        if (
            known is not None
            and (words := searched_words(known))
            and (row := row_of(event.turn, event.seq)) >= 0
        ):
            session.run("index_event", conversation=number, row=row, words=tokens(words))
    for turn in one.turns:
        key = None if turn.key is None else column(turn.key)
        session.run(
            "put_turn", conversation=number, turn=turn.turn, seq=turn.seq, status=turn.status, key=key
        )
    for sha, data in one.blobs.items():
        session.run("add_blob", conversation=number, sha=sha, data=data)
    if one.snapshot != Snapshot(1):
        names = json.dumps(one.snapshot.keep, separators=(",", ":"))
        session.run("put_snapshot", conversation=number, first=one.snapshot.first, keep=names)
    return number
