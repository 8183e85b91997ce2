"""A turn of a log as a test: played again from the state that it began with, with the responses that were recorded.

```python
played = await play(assistant, RecordedTurn.from_json(text))
assert (played.reply, played.states) == (recorded.reply, recorded.states)
```

What is compared is what the agents of a team did with the same message, the same states and the same responses.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import asdict, dataclass
from typing import Any, Protocol, cast

from pydantic_ai.models import Model

from turnstate.core.events import (
    Asked,
    Event,
    GuardActed,
    ModelResponded,
    Question,
    Recorded,
    Said,
    StateChanged,
    Trace,
    TurnClosed,
)
from turnstate.core.history import fold
from turnstate.core.messages import (
    ModelResponse,
    dump,
    load,
    response_text,
    text_response,
    user_message,
    user_text,
)
from turnstate.errors import TurnUnknown
from turnstate.ports import Log, Opening
from turnstate.testing.scripted import ScriptedModel

CONVERSATION = "recorded"
"""The conversation that a turn is played in."""


class _Reply(Protocol):
    @property
    def text(self) -> str: ...


class _Conversation(Protocol):
    async def send(self, message: str) -> _Reply: ...
    async def events(self) -> tuple[Recorded, ...]: ...


class _Assistant(Protocol):
    @property
    def log(self) -> Log: ...
    def conversation(self, id: str) -> _Conversation: ...  # noqa: A002


Make = Callable[[Model, str], AbstractAsyncContextManager[Any]]
"""Makes the assistant under test from a model and a store's URL."""


@dataclass(frozen=True, slots=True)
class Value:
    """A state's value.

    Attributes:
        state: its name.
        version: of its schema.
        owner: who wrote it.
        value: as JSON data.
    """

    state: str
    version: int
    owner: str
    value: Any


@dataclass(frozen=True, slots=True)
class RecordedTurn:
    """A turn, with what it began with and what came of it.

    Attributes:
        turn: its number.
        message: what the user said.
        exchanges: what was said before, as pairs of a message and a reply.
        asked: what had been asked, as turn, key, words, and which of several things it was about.
        began: the states as they were.
        responses: the model's responses, as JSON data.
        reply: the reply.
        states: the states as they were afterwards, by name.
    """

    turn: int
    message: str
    exchanges: tuple[tuple[str, str], ...]
    asked: tuple[tuple[int, str, str, str], ...]
    began: tuple[Value, ...]
    responses: tuple[Any, ...]
    reply: str
    states: dict[str, Any]

    def to_json(self) -> str:
        """The turn as JSON text."""
        return json.dumps(asdict(self), ensure_ascii=False, sort_keys=True)

    @staticmethod
    def from_json(text: str) -> RecordedTurn:
        """The turn that `to_json` wrote."""
        data = json.loads(text)
        return RecordedTurn(
            turn=data["turn"],
            message=data["message"],
            exchanges=tuple((said, reply) for said, reply in data["exchanges"]),
            asked=tuple((number, key, words, about) for number, key, words, about in data["asked"]),
            began=tuple(Value(**value) for value in data["began"]),
            responses=tuple(data["responses"]),
            reply=data["reply"],
            states=data["states"],
        )


@dataclass(frozen=True, slots=True)
class Played:
    """What came of a turn that was played again.

    Attributes:
        reply: the reply.
        states: the states afterwards, by name.
    """

    reply: str
    states: dict[str, Any]


def recorded_turn(events: Sequence[Recorded], turn: int) -> RecordedTurn:
    """A turn of a log.

    Args:
        events: those of its conversation, from the first on.
        turn: its number.

    Raises:
        TurnUnknown: there is no such turn, or it has not closed.
    """
    of: dict[int, list[Recorded]] = {}
    for recorded in events:
        of.setdefault(recorded.turn, []).append(recorded)
    found = fold(of.get(turn, ())).turn(turn)
    if found is None or found.status != "closed":
        name = events[0].conversation if events else ""
        raise TurnUnknown(name, turn, "absent" if found is None else found.status)
    began = _states(events, turn)
    own = [recorded.event for recorded in of[turn]]
    earlier = (fold(of.get(number, ())).turn(number) for number in range(1, turn))
    return RecordedTurn(
        turn=turn,
        message=user_text(found.user),
        exchanges=tuple(("", "") if each is None else (user_text(each.user), each.reply) for each in earlier),
        asked=tuple(
            (recorded.turn, question.key, question.text, question.about)
            for recorded in events
            if isinstance(recorded.event, Asked) and recorded.turn < turn
            for question in recorded.event.questions
        ),
        began=tuple(began.values()),
        responses=tuple(dump(response) for response in _responses(own)),
        reply=found.reply,
        states={name: value.value for name, value in _states(events, turn + 1).items()},
    )


def _responses(events: Sequence[Event]) -> Iterator[ModelResponse]:
    """What the model answered, a sentence that a guard had it write again included."""
    for event in events:
        if isinstance(event, ModelResponded):
            yield event.response
        elif isinstance(event, GuardActed) and event.action == "rewritten":
            yield text_response(event.written.strip(), 0)


def _states(events: Sequence[Recorded], before: int) -> dict[str, Value]:
    """The states as they stood when turn `before` opened; those of turns that did not close are left out."""
    closed = {recorded.turn for recorded in events if isinstance(recorded.event, TurnClosed)}
    found: dict[str, Value] = {}
    for recorded in events:
        event = recorded.event
        if isinstance(event, StateChanged) and recorded.turn < before and recorded.turn in closed:
            found[event.state] = Value(event.state, event.version, event.owner, event.value)
    return dict(sorted(found.items()))


async def play(make: Make, recorded: RecordedTurn) -> Played:
    """Play a turn again.

    Args:
        make: from a model and a store's URL to the assistant, unopened.
        recorded: the turn.
    """
    model = ScriptedModel([cast("ModelResponse", load(response)) for response in recorded.responses])
    async with make(model, "memory:") as opened:
        assistant = cast("_Assistant", opened)
        await _seed(assistant.log, recorded)
        conversation = assistant.conversation(CONVERSATION)
        reply = await conversation.send(recorded.message)
        states = _states(await conversation.events(), recorded.turn + 1)
        return Played(reply.text, {name: value.value for name, value in states.items()})


async def _seed(log: Log, recorded: RecordedTurn) -> None:
    """Put what came before on record: the exchanges as they were said, and the states with the last of them."""
    for number, (said, reply) in enumerate(recorded.exchanges, start=1):
        message = user_message(said or "…", number)
        digest = hashlib.sha256(str(number).encode()).hexdigest()
        await log.open(Opening(CONVERSATION, None, None, digest, message, number))
        events: list[Event] = []
        if number == len(recorded.exchanges):
            events += [StateChanged(v.state, v.version, v.owner, {}, v.value) for v in recorded.began]
        put = tuple(Question(*words) for turn, *words in recorded.asked if turn == number)
        events += [Said("recorded", reply or "…"), *([Asked(put)] if put else [])]
        await log.append(CONVERSATION, number, [*events, TurnClosed(None, Trace())], number)


def as_test(recorded: RecordedTurn, conversation: str, make: str) -> str:
    """The source of a pytest module that plays a turn again.

    Args:
        recorded: the turn.
        conversation: where it comes from, for the docstring.
        make: the line that imports what makes the assistant, as `assistant`.
    """
    opened = any(response_text(cast("ModelResponse", load(each))) for each in recorded.responses)
    how = "with the responses that were recorded" if opened else "without a model"
    text = json.dumps(json.loads(recorded.to_json()), ensure_ascii=True, indent=1, sort_keys=True)
    name = f"test_turn_{recorded.turn}"
    return f'''"""Turn {recorded.turn} of conversation {conversation!r}, played again {how}."""

import asyncio

from turnstate.testing.recorded import RecordedTurn, play

{make}

RECORDED = RecordedTurn.from_json(r"""
{text}
""")


def {name}():
    played = asyncio.run(play(assistant, RECORDED))
    assert played.reply == RECORDED.reply
    assert played.states == RECORDED.states
'''
