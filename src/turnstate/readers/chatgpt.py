"""ChatGPT exports: a conversation is a tree of messages, of which the branch up to the current node is read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from turnstate.core.messages import UserContent
from turnstate.readers.fields import Object, as_object, first, inner, is_object, items, moment_of, text
from turnstate.readers.scribe import KEPT_AS_TYPE, Entry, Origin, tool_call, transcribe
from turnstate.readers.transcript import RecordProblem, Transcript

_SILENT = {"thoughts", "reasoning_recap", "model_editable_context"}


def fits_chatgpt(data: object) -> bool:
    """Whether a record is of this format."""
    return "mapping" in inner(data)


def read_chatgpt(data: object, origin: Origin) -> Transcript:
    """One conversation as a transcript: from the current node to the root, in the order of time.

    Other branches are left out, and so are thoughts. What the assistant writes to a tool is a tool call.

    Raises:
        RecordProblem: it is none; the reason names the node.
    """
    around = as_object(data, "is")
    nodes = as_object(around.get("mapping"), "has a 'mapping' that is")
    given_id = first(around, "conversation_id", "id")
    return transcribe(_entries(_branch(around, nodes)), origin, given_id)


def _branch(around: Object, nodes: Object) -> list[Object]:
    """The messages from the root to the current node; to the newest one where none is current."""
    place: Any = around.get("current_node")
    if not isinstance(place, str) or place not in nodes:
        place = max(nodes, key=lambda key: _written(nodes[key]), default=None)
    found: list[Object] = []
    walked: set[str] = set()
    while isinstance(place, str) and place in nodes:
        if place in walked:
            raise RecordProblem(f"has a circle at the node {place!r:.60}")
        walked.add(place)
        node = as_object(nodes[place], f"has a node {place!r:.60} that is")
        if is_object(node.get("message")):
            found.append(inner(node["message"]))
        place = node.get("parent")
    return found[::-1]


def _written(node: object) -> int:
    return moment_of(inner(inner(node).get("message")).get("create_time")) or 0


def _entries(messages: list[Object]) -> Iterator[Entry]:
    for message in messages:
        content, about = inner(message.get("content")), inner(message.get("metadata"))
        kind = text(content.get("content_type"))
        author, at = inner(message.get("author")), moment_of(message.get("create_time"))
        hidden = about.get("is_visually_hidden_from_conversation") is True or message.get("weight") == 0
        if kind in _SILENT or (hidden and author.get("role") != "system"):
            continue
        said, note = _said(content)
        match author.get("role"):
            case "system":
                yield Entry("system", said)
            case "user" if kind == "user_editable_context":
                yield Entry("system", said)
            case "user":
                yield Entry("user", said or ("",), at=at, note=note)
            case "assistant":
                yield _assistant(message, said, at, note)
            case "tool":
                yield Entry("tool", result="\n".join(_texts(said)), tool=text(author.get("name")), at=at)
            case role:
                name = text(message.get("id"))
                raise RecordProblem(f"message {name!r:.60} has the unknown role {role!r:.60}")


def _assistant(message: Object, said: tuple[UserContent, ...], at: int | None, note: str) -> Entry:
    model = text(inner(message.get("metadata")).get("model_slug"))
    recipient = text(message.get("recipient")).strip()
    if recipient and recipient != "all":
        call = tool_call(recipient, "\n".join(_texts(said)))
        return Entry("assistant", calls=(call,), at=at, model=model, note=note)
    return Entry("assistant", said, at=at, model=model, note=note)


def _texts(said: tuple[UserContent, ...]) -> Iterator[str]:
    return (part for part in said if isinstance(part, str))


def _said(content: Object) -> tuple[tuple[UserContent, ...], str]:
    """The texts of a content, and what could not be kept as it was."""
    if content.get("content_type") == "user_editable_context":
        fields = (text(content.get(name)) for name in ("user_profile", "user_instructions"))
        return tuple(said for said in fields if said), ""
    if not items(content.get("parts")):
        said = text(first(content, "text", "result"))
        return ((said,) if said else ()), ""
    found: list[UserContent] = []
    note = ""
    for part in items(content["parts"]):
        if isinstance(part, str):
            found.append(part)
        elif heard := text(inner(part).get("text")):
            found.append(heard)
        elif kind := text(inner(part).get("content_type")):
            found.append(f"({kind})")
            note = KEPT_AS_TYPE
    return tuple(found), note
