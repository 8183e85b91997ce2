"""Zendesk ticket comments: public ones are the conversation, and the authors' roles say who is the customer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from turnstate.readers.fields import (
    Object,
    as_list,
    as_object,
    first,
    inner,
    is_list,
    is_object,
    items,
    text,
    time_of,
    without_markup,
)
from turnstate.readers.scribe import Entry, Origin, transcribe
from turnstate.readers.transcript import RecordProblem, Transcript


def is_comment(item: object) -> bool:
    """Whether an item of a list is a comment of a ticket."""
    comment = inner(item)
    return "author_id" in comment and ("body" in comment or "plain_body" in comment)


def fits_zendesk(data: object) -> bool:
    """Whether a record is of this format."""
    if is_list(data):
        return any(is_comment(item) for item in items(data))
    around = inner(data)
    return "comments" in around or "comments" in inner(around.get("ticket"))


def read_zendesk(data: object, origin: Origin) -> Transcript:
    """The comments of one ticket as a transcript; internal ones (`"public": false`) are no part of it.

    The customers are the users with the role `end-user`; without users, the ticket's requester; without a ticket, who
    wrote the first public comment. A ticket's description stands before the comments unless they begin with it.

    Raises:
        RecordProblem: it is none; the reason names the comment by its number from 1.
    """
    around: Object = {"comments": data} if is_list(data) else as_object(data, "is")
    ticket = inner(around.get("ticket")) or around
    comments = as_list(
        first(around, "comments") or first(ticket, "comments") or [], "has 'comments' that are"
    )
    said: list[Object] = []
    for number, comment in enumerate(comments, start=1):
        if not is_object(comment):
            raise RecordProblem(f"comment {number} is not an object")
        if inner(comment).get("public") is not False:
            said.append(inner(comment))
    description = text(ticket.get("description")).strip()
    if description and (not said or _body(said[0]).strip() != description):
        opened = {"author_id": ticket.get("requester_id"), "plain_body": description}
        said.insert(0, opened | {"created_at": ticket.get("created_at")})
    customers = _customers(around, ticket, said)
    given_id = first(ticket, "ticket_id", "id") if ticket is not around else first(around, "ticket_id", "id")
    return transcribe(_entries(said, customers), origin, given_id)


def _customers(around: Object, ticket: Object, said: list[Object]) -> set[str]:
    users = [inner(user) for user in items(around.get("users"))]
    found = {str(user.get("id")) for user in users if user.get("role") == "end-user"}
    if found:
        return found
    requester: Any = ticket.get("requester_id")
    if requester is None and said:
        requester = said[0].get("author_id")
    return {str(requester)}


def _entries(said: list[Object], customers: set[str]) -> Iterator[Entry]:
    for comment in said:
        customer = str(comment.get("author_id")) in customers
        yield Entry("user" if customer else "assistant", (_body(comment),), at=time_of(comment))


def _body(comment: Object) -> str:
    plain = text(first(comment, "plain_body", "body"))
    return plain.replace("&nbsp;", " ").strip() or without_markup(text(comment.get("html_body")))
