"""Rasa trackers: the events of one sender, of which those of the user and the bot are the conversation."""

from __future__ import annotations

from collections.abc import Iterator

from turnstate.readers.fields import Object, as_list, as_object, inner, is_object, items, text, time_of
from turnstate.readers.scribe import Entry, Origin, transcribe
from turnstate.readers.transcript import RecordProblem, Transcript


def fits_rasa(data: object) -> bool:
    """Whether a record is a tracker."""
    around = inner(data)
    return "events" in around and ("sender_id" in around or "slots" in around)


def read_rasa(data: object, origin: Origin) -> Transcript:
    """A tracker as a transcript: what was said. Actions and slots hold no arguments, and are no tool calls.

    A message that the tracker took back (`rewind`) is left out with what followed it.

    Raises:
        RecordProblem: it is none; the reason names the event by its number from 1.
    """
    around = as_object(data, "is")
    said: list[Entry] = []
    for entry in _entries(as_list(around.get("events"), "has 'events' that are")):
        if entry is not None:
            said.append(entry)
            continue
        while said and said.pop().role != "user":
            pass
    return transcribe(said, origin, around.get("sender_id"))


def _entries(events: list[object]) -> Iterator[Entry | None]:
    for number, data in enumerate(events, start=1):
        if not is_object(data):
            raise RecordProblem(f"event {number} is not an object")
        event = inner(data)
        match event.get("event"):
            case "user":
                yield Entry("user", (text(event.get("text")),), at=time_of(event))
            case "bot":
                yield Entry("assistant", (_uttered(event),), at=time_of(event))
            case "rewind":
                yield None
            case _:
                pass


def _uttered(event: Object) -> str:
    """What the bot said; where it said nothing, the titles of its buttons."""
    if said := text(event.get("text")):
        return said
    data = inner(event.get("data"))
    buttons = [*items(data.get("buttons")), *items(data.get("quick_replies"))]
    return "\n".join(title for button in buttons if (title := text(inner(button).get("title"))))
