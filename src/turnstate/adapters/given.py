"""The given messages as turns, each with the pieces of the messages that it stands for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from turnstate.adapters.shapes import Message, Shape
from turnstate.core.context.validity import INTERRUPTED
from turnstate.core.events import Count, Cut, RequestTrace
from turnstate.core.history import Call, Step, Turn
from turnstate.core.messages import (
    ModelRequestPart,
    ModelResponse,
    ModelResponsePart,
    ToolReturnPart,
    UserContent,
    UserPromptPart,
    moment,
    request,
    tool_return,
)

SECOND = 1_000_000
"""Microseconds between turns: dicts do not say when they were written."""

GIVEN = moment(1)
"""The time of the caller's own words, by which they are told from what a plan puts beside them."""

BEGAN = "(the assistant spoke first)"
"""Stands for the user's words where a conversation begins without any."""

Path: TypeAlias = tuple[str | int, ...]
"""Where something stands in a message: keys and indices."""


@dataclass(frozen=True, slots=True)
class Slot:
    """A part and where its text stands in the given message."""

    part: Any
    path: Path


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """A given message, or some blocks of its content.

    Attributes:
        index: its place in the given list; -1 for a message that was made.
        message: the message, with what was healed in it.
        places: the blocks of its content that belong to this piece, by index; None for the whole message.
        slots: the parts that were read from it.
    """

    index: int
    message: Message
    places: tuple[int, ...] | None = None
    slots: tuple[Slot, ...] = ()


@dataclass(slots=True)
class Asked:
    """A call while turns are built.

    Attributes:
        given: its id as given.
        sent: its id as it is sent.
        own: its id among the parts, which is always unique.
        name: the tool's.
        result: what answered it.
        piece: where the answer stands.
    """

    given: str
    sent: str
    own: str
    name: str
    result: ToolReturnPart | None = None
    piece: Piece | None = None


@dataclass(slots=True)
class _Step:
    parts: list[ModelResponsePart]
    piece: Piece
    asked: list[Asked]
    after: list[Piece] = field(default_factory=list[Piece])


@dataclass(slots=True)
class _Exchange:
    said: list[Piece] = field(default_factory=list[Piece])
    steps: list[_Step] = field(default_factory=list[_Step])


@dataclass(frozen=True, slots=True)
class Exchange:
    """A turn with the pieces that it stands for, in the order in which they are sent."""

    turn: Turn
    pieces: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Given:
    """All that was given.

    Attributes:
        shape: the format.
        count: how many messages.
        lead: what stands before the conversation: system messages, which never leave.
        standing: those that came later.
        exchanges: the turns.
        instructions: all system text, for counting.
        system: Anthropic's, with what was moved there.
        notes: what was healed.
    """

    shape: Shape
    count: int
    lead: tuple[Piece, ...]
    standing: frozenset[int]
    exchanges: tuple[Exchange, ...]
    instructions: str
    system: Any
    notes: tuple[str, ...]


class Building:
    """Turns under construction.

    User messages without a response between them are one turn; responses without a user message between them are its
    steps. Each result stands behind its call, each call has one, and ids among the parts are our own.
    """

    def __init__(self) -> None:
        self.notes: list[str] = []
        self._exchanges: list[_Exchange] = []
        self._open: dict[str, list[tuple[_Step, Asked]]] = {}
        self._made = 0

    @property
    def started(self) -> bool:
        """Whether anybody has said anything."""
        return bool(self._exchanges)

    def note(self, text: str) -> None:
        """Say what was healed."""
        self.notes.append(text)

    def user(self, piece: Piece) -> None:
        """Add what the user said."""
        if not self._exchanges or self._exchanges[-1].steps:
            self._exchanges.append(_Exchange())
        self._exchanges[-1].said.append(piece)

    def aside(self, piece: Piece) -> None:
        """Add a system message inside the conversation: it stands where it stood while its turn is in view."""
        exchange = self._exchanges[-1]
        (exchange.steps[-1].after if exchange.steps else exchange.said).append(piece)

    def call(self, given: str, name: str) -> Asked:
        """A call under an id of our own."""
        self._made += 1
        return Asked(given, given, f"c{self._made}", name)

    def response(self, piece: Piece, asked: Sequence[Asked]) -> None:
        """Add a response of the model."""
        if not self._exchanges:
            self._exchanges.append(_Exchange())
        step = _Step([slot.part for slot in piece.slots], piece, list(asked))
        self._exchanges[-1].steps.append(step)
        for call in asked:
            self._open.setdefault(call.given, []).append((step, call))

    def waiting(self, given: str) -> Asked | None:
        """The newest call of this id that has no result; None, with a note, where there is none."""
        waiting = self._open.get(given)
        if not waiting:
            self.note("A tool result without its call was left out.")
            return None
        step, call = waiting.pop()
        exchange = self._exchanges[-1]
        if not exchange.steps or exchange.steps[-1] is not step or step.after:
            self.note("A tool result that came late was put behind its call.")
        return call

    def exchanges(self, shape: Shape) -> tuple[Exchange, ...]:
        """The turns; calls without a result get one that says so."""
        return tuple(
            self._exchange(number, exchange, shape) for number, exchange in enumerate(self._exchanges, start=1)
        )

    def _exchange(self, number: int, exchange: _Exchange, shape: Shape) -> Exchange:
        said: list[ModelRequestPart] = [slot.part for piece in exchange.said for slot in piece.slots]
        pieces = list(exchange.said)
        if not said:
            said = [user_part(BEGAN)]
        steps: list[Step] = []
        for step in exchange.steps:
            pieces.append(step.piece)
            for call in step.asked:
                if call.piece is None:
                    self._interrupt(call, shape)
            pieces.extend(_results(step))
            pieces.extend(step.after)
            steps.append(_step(step, len(steps) + 1))
        turn = Turn(number, number, number * SECOND, request(said), steps=tuple(steps), status="closed")
        return Exchange(turn, tuple(pieces))

    def _interrupt(self, call: Asked, shape: Shape) -> None:
        self.note(f"The interrupted call of {call.name} was given a result that says so.")
        call.result, call.piece = interrupted(call, shape)


def _results(step: _Step) -> Iterator[Piece]:
    """The pieces of the results, in the calls' order; those of one message together where nothing stands between."""
    found: list[Piece] = []
    for call in step.asked:
        piece = call.piece
        if piece is None:
            continue
        last = found[-1] if found else None
        if last is not None and last.index == piece.index >= 0 and last.places and piece.places:
            places = tuple(sorted((*last.places, *piece.places)))
            found[-1] = Piece(last.index, piece.message, places, (*last.slots, *piece.slots))
        else:
            found.append(piece)
    yield from found


def _step(step: _Step, place: int) -> Step:
    response = ModelResponse(parts=step.parts, timestamp=GIVEN)
    calls = tuple(Call(call.own, call_id=call.own, result=call.result) for call in step.asked)
    return Step(response, calls, RequestTrace(place, Count(0, 0), 0, Cut()))


def interrupted(call: Asked, shape: Shape) -> tuple[ToolReturnPart, Piece]:
    """The result of a call that has none."""
    part = tool_return(call.name, INTERRUPTED, call.own, 1, "interrupted")
    if shape is Shape.ANTHROPIC:
        block = {"type": "tool_result", "tool_use_id": call.sent, "content": INTERRUPTED, "is_error": True}
        return part, Piece(-1, {"role": "user", "content": [block]}, (0,))
    if call.sent:
        return part, Piece(-1, {"role": "tool", "tool_call_id": call.sent, "content": INTERRUPTED})
    return part, Piece(-1, {"role": "function", "name": call.name, "content": INTERRUPTED})


def user_part(content: str | Sequence[UserContent]) -> UserPromptPart:
    """The user's words as given."""
    return UserPromptPart(content, timestamp=GIVEN)
