"""Intercom conversations: the first message is the `source`, the others are parts, and notes are internal."""

from __future__ import annotations

from collections.abc import Iterator

from turnstate.readers.fields import (
    Object,
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
from turnstate.readers.scribe import Entry, Origin, Scribe
from turnstate.readers.transcript import RecordProblem, Transcript

_CUSTOMERS = {"user", "lead", "contact", "visitor"}


def fits_intercom(data: object) -> bool:
    """Whether a record is of this format."""
    around = inner(data)
    return "conversation_parts" in around or (around.get("type") == "conversation" and "source" in around)


def read_intercom(data: object, origin: Origin) -> Transcript:
    """One conversation as a transcript; notes between colleagues are no part of it.

    Raises:
        RecordProblem: it is none; the reason names the part by its number from 1.
    """
    around = as_object(data, "is")
    listed = around.get("conversation_parts")
    parts = items(listed if is_list(listed) else inner(listed).get("conversation_parts"))
    scribe = Scribe()
    for entry in _entries(around, parts):
        scribe.add(entry)
    total = inner(listed).get("total_count")
    if isinstance(total, int) and total > len(parts):
        scribe.exchanges.notes.append(f"The record holds {len(parts)} of {total} parts.")
    return scribe.transcript(origin, around.get("id"))


def _entries(around: Object, parts: list[object]) -> Iterator[Entry]:
    if is_object(around.get("source")):
        yield from _part({"created_at": around.get("created_at"), **inner(around["source"])})
    for number, data in enumerate(parts, start=1):
        if not is_object(data):
            raise RecordProblem(f"part {number} is not an object")
        yield from _part(inner(data))


def _part(part: Object) -> Iterator[Entry]:
    if text(part.get("part_type")).startswith("note"):
        return
    body = without_markup(text(part.get("body")))
    subject = without_markup(text(part.get("subject")))
    said = f"{subject}\n{body}".strip() if subject else body
    if not said and not first(part, "attachments"):
        return
    customer = text(inner(part.get("author")).get("type")) in _CUSTOMERS
    yield Entry(
        "user" if customer else "assistant",
        (said or "(attachment)",),
        at=time_of(part),
        note="" if said else "A message that is only an attachment is kept as that word.",
    )
