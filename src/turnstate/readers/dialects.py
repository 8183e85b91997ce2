"""Which of the ways to write a list of messages a list has, and what it says: chat, Anthropic, LangChain, Responses."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

from turnstate.readers.anthropic_messages import anthropic_entries, offered, speaks_anthropic, system_text
from turnstate.readers.fields import Object, as_list, as_object, inner, is_list, items, objects, text
from turnstate.readers.langchain import langchain_entries, speaks_langchain
from turnstate.readers.openai_chat import chat_entries, tools_of
from turnstate.readers.openai_responses import responses_entries, speaks_responses
from turnstate.readers.scribe import Entry, Origin, Scribe
from turnstate.readers.shapes import is_message
from turnstate.readers.transcript import RecordProblem, Transcript

Entries: TypeAlias = Callable[[list[Any], str], Iterator[Entry]]


def dialect(messages: list[Any]) -> Entries:
    """The reader of a list of messages; that of chat messages where nothing speaks for another."""
    if speaks_langchain(messages):
        return langchain_entries
    if speaks_responses(messages):
        return responses_entries
    return anthropic_entries if speaks_anthropic(messages) else chat_entries


def fits_messages(data: object) -> bool:
    """Whether a record is a list of messages, or an object around one."""
    if is_list(data):
        return not items(data) or any(is_message(item) for item in items(data))
    around = inner(data)
    return "messages" in around or is_list(around.get("input"))


def read_messages(data: object, origin: Origin) -> Transcript:
    """A list of messages, or an object around one, as a transcript.

    Raises:
        RecordProblem: it is none; the message is the reason, and names the message by its number from 1.
    """
    around: Object = {"messages": data} if is_list(data) else as_object(data, "is")
    scribe = Scribe()
    for field in ("system", "instructions"):
        if said := system_text(around.get(field)):
            scribe.add(Entry("system", (said,)))
    for entry in record_entries(around):
        scribe.add(entry)
    tools = tools_of(around, scribe.exchanges.notes)
    if any("input_schema" in tool for tool in tools):
        tools = offered(list(tools))
    return scribe.transcript(origin, around.get("id"), tools)


def record_entries(around: Object) -> Iterator[Entry]:
    """What the messages of a record say: `messages`, or `input` with the `output` behind it.

    Raises:
        RecordProblem: while iterating: a message does not read.
    """
    if "messages" in around:
        messages = as_list(around["messages"], "has 'messages' that are")
    elif is_list(around.get("input")):
        messages = [*items(around["input"]), *items(around.get("output"))]
    else:
        raise RecordProblem("has no 'messages', and is of no other format that is known")
    if len(messages) == 1 and objects(messages[0]):  # a batch of one, as LangChain hands it to a model
        messages = items(messages[0])
    yield from dialect(messages)(messages, text(around.get("model")))
