"""What opens a conversation and a turn: one statement where nothing is in the way, else a look under the lock."""

from __future__ import annotations

from typing import NamedTuple

from turnstate.core.events import ConversationOpened
from turnstate.errors import ConversationBusy, ConversationErased
from turnstate.ports import Opened, Opening, TurnState
from turnstate.stores.codec import column, encode, uncolumn
from turnstate.stores.erasing import tomb_of
from turnstate.stores.postgres.courier import SAME, Ask
from turnstate.stores.postgres.leases import held_turns
from turnstate.stores.postgres.rows import SPAN, Entry, Row, array, blobs_of, digest_of, every, number_of
from turnstate.stores.postgres.session import Session
from turnstate.stores.rules import LONGEST_LEASE, before, check_message, check_user, owner_of


class Found(NamedTuple):
    """What one statement came to.

    Attributes:
        opened: the turn, or None.
        held: whether the conversation is there, and turns are in the way.
    """

    opened: Opened | None
    held: bool = False


async def start(session: Session, conversation: str, user: str | None, at: int) -> int:
    """Open a conversation unless it is there; its newest seq.

    Raises:
        UserConflict: it belongs to another user.
    """
    head = await _head(session, conversation, user)
    if head is None:
        await _add_conversation(session, conversation, user, at)
        head = await _head(session, conversation, user)
    return head or 0


def open_turn(opening: Opening, message: Entry) -> Ask[Found]:
    """Open a turn, or find the one that has its key, in one statement.

    Args:
        opening: the turn.
        message: its `TurnOpened`.

    Raises:
        KeyConflict: the key belongs to a turn with another message.
    """
    encoded, token = message.encoded, 0 if opening.claim is None else 1

    def found(rows: list[Row]) -> Found:
        if not rows:
            return Found(None)
        turn, state, head, digest = rows[0]
        match state:
            case "held":
                return Found(None, held=True)
            case "new":
                return Found(Opened(turn, "new", head, token))
            case _:
                return Found(_known(opening, turn, state, head, digest))

    number = number_of(opening.conversation)
    values = {
        "conversation": number,
        "id": column(opening.conversation),
        "owner": digest_of(owner_of(opening.user, opening.conversation)),
        "key": None if opening.key is None else digest_of(opening.key),
        "digest": None if opening.key is None else column(opening.digest),
        "at": opening.at,
        "tag": encoded.tag,
        "version": encoded.version,
        "body": encoded.body,
        "blobs": array(encoded.blobs) if encoded.blobs else None,
        "words": array(message.words),
        "all": every(number),
        "span": SPAN,
        **blobs_of([message]),
        **_worker(opening),
        "token": token,
    }
    return Ask("open_turn", values, found, lost=None if opening.key is None else SAME)


async def begin(session: Session, opening: Opening, message: Entry) -> Found:
    """Open a conversation unless it is there, and a turn in it; as `open_turn`, in the caller's transaction.

    Raises:
        UserConflict: the conversation belongs to another user.
    """
    await _add_conversation(session, opening.conversation, opening.user, opening.at)
    asked = open_turn(opening, message)
    found = asked.then(await session.rows(asked.query, **asked.values))
    if found.opened is None and not found.held:
        await _head(session, opening.conversation, opening.user)
    return found


async def open_behind(session: Session, opening: Opening, message: Entry) -> Opened | None:
    """As `open_turn`, behind others: they are looked at under the conversation's lock, in the caller's transaction.

    Raises:
        ConversationBusy: the turn was to be alone, and is not.
        KeyConflict: the key belongs to a turn with another message.
        UserConflict: the conversation belongs to another user.
    """
    number = number_of(opening.conversation)
    key = None if opening.key is None else digest_of(opening.key)
    locked = await session.run("lock_conversation", conversation=number)
    finding = await session.run("find_key", conversation=number, key=key)
    holding = await session.run("held_turns", conversation=number)
    place = await locked.fetchone()
    if place is None:
        return None
    id_, owner, head, last_turn, *_ = place
    _check_owner(opening.conversation, id_, owner, opening.user)
    if known := await finding.fetchone():
        turn, state, digest = known
        return _known(opening, turn, state, head, digest)
    turn = last_turn + 1
    first = before(turn, held_turns(await holding.fetchall()), 0, "")
    if opening.alone and first.busy:
        raise ConversationBusy(opening.conversation, first.busy[0])
    free = not (first.behind or first.left)
    token = 1 if free and opening.claim is not None else 0
    await session.run(
        "add_turn",
        conversation=number,
        turn=turn,
        seq=head + 1,
        key=key,
        digest=None if key is None else column(opening.digest),
        **_worker(opening),
        token=token,
    )
    await session.add_events(number, turn, opening.at, [head + 1], [message])
    await session.run(
        "move_opened", conversation=number, seq=head + 1, turn=turn, at=opening.at, runs=free, token=token
    )
    return Opened(turn, "new", head + 1, token)


def _worker(opening: Opening) -> dict[str, object]:
    """Who has the turn, and for how long that is believed."""
    claim = opening.claim
    if claim is None:
        return {"holder": None, "lasts": 0}
    return {"holder": column(claim.holder), "lasts": min(claim.lasts, LONGEST_LEASE)}


def _known(opening: Opening, turn: int, state: TurnState, head: int, digest: str | None) -> Opened:
    if opening.key is not None:
        check_message(opening.key, turn, uncolumn(digest or ""), opening.digest)
    return Opened(turn, state, head)


async def _head(session: Session, conversation: str, user: str | None) -> int | None:
    """The newest seq of the user's conversation, None where it is not there."""
    row = await session.row("find_conversation", conversation=number_of(conversation))
    if row is None:
        return None
    found, owner, head = row
    _check_owner(conversation, found, owner, user)
    return head


def _check_owner(conversation: str, found: str, owner: str | None, user: str | None) -> None:
    if found == tomb_of(conversation):
        raise ConversationErased(conversation)
    if found != column(conversation):  # two ids of one digest: whoever came first keeps it
        check_user(conversation, found, None)
    check_user(conversation, None if owner is None else uncolumn(owner), user)


async def _add_conversation(session: Session, conversation: str, user: str | None, at: int) -> None:
    opened = encode(ConversationOpened(user))
    await session.run(
        "add_conversation",
        conversation=number_of(conversation),
        id=column(conversation),
        user=None if user is None else column(user),
        owner=digest_of(owner_of(user, conversation)),
        at=at,
        tag=opened.tag,
        version=opened.version,
        body=opened.body,
    )
