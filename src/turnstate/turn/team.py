"""A team: seats for agents, checked when it is built, with the order that follows from the signatures."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from turnstate.core.questions import Asks
from turnstate.core.state import State, declaration, name_of
from turnstate.errors import TeamError
from turnstate.turn.agents import Agent, Given, agent_of
from turnstate.turn.guards import Guard

CHOSEN: Final = "next_agent"
"""The field of the state that chooses among the agents of a seat."""


class OneOf:
    """A seat that several agents share: exactly one of them acts in a turn, so they may own the same states.

    Args:
        *agents: the agents; the first one acts where no other is chosen.
        chosen_by: a state with a field `next_agent`, which holds the name of one of them.

    Raises:
        TeamError: the agents are not of one kind, or the state cannot choose.
    """

    def __init__(self, *agents: Given, chosen_by: type[State]) -> None:
        self.agents = tuple(agent_of(each) for each in agents)
        self.chosen_by = chosen_by
        first = self.agents[0].name if self.agents else "OneOf"
        if len(self.agents) < 2:
            raise TeamError(first, "has a seat of its own, and OneOf", "Give OneOf two agents or more.")
        if len({agent.part for agent in self.agents}) > 1:
            raise TeamError(first, "shares a seat with an agent that does not speak", "Seat them apart.")
        if CHOSEN not in chosen_by.model_fields:
            raise TeamError(
                first,
                f"is chosen by {name_of(chosen_by)}, which has no field {CHOSEN!r}",
                f'Add `{CHOSEN}: str = "{first}"` to it.',
                state=name_of(chosen_by),
            )


@dataclass(frozen=True, slots=True)
class Seat:
    """A place in the team.

    Attributes:
        agents: who may sit there; the first one where nothing chooses.
        chosen_by: the state that chooses among them, or None.
        stage: when it acts, from 0; seats of one stage act side by side.
    """

    agents: tuple[Agent, ...]
    chosen_by: type[State] | None = None
    stage: int = 0

    @property
    def name(self) -> str:
        """The name of its first agent."""
        return self.agents[0].name

    @property
    def owns(self) -> tuple[type[State], ...]:
        """What its agents own together."""
        return tuple(dict.fromkeys(state for agent in self.agents for state in agent.owns))

    @property
    def reads(self) -> tuple[type[State], ...]:
        """What its agents read together, and what chooses among them."""
        chooser = () if self.chosen_by is None else (self.chosen_by,)
        return tuple(
            dict.fromkeys((*(state for agent in self.agents for state in reads_of(agent)), *chooser))
        )


def reads_of(agent: Agent) -> tuple[type[State], ...]:
    """What an agent is given: what it declares, and what it owns itself as far as its functions take it."""
    codes = (agent.code, agent.brief, agent.rules, agent.gate)
    taken = (state for code in codes if code is not None for state in code.reads)
    return tuple(dict.fromkeys((*agent.reads, *taken)))


class Team:
    """Agents that share a conversation, each with states of its own.

    What may run side by side follows from what they read: reading a conversation-scoped state gives its value when
    the turn opened; reading a turn-scoped one waits for its owner. Exactly one seat speaks, after all who think.

    Args:
        *seats: functions, `speaker(...)`, `thinker(...)`, and `OneOf` of them.
        at_close: plain functions that run when the reply is written, one after the other, and see what changed in
            the turn. They own states like any other agent.
        guards: what looks at each sentence of a reply before it is released.
        asks: what replies can ask for, by key: a state's field, or a fact's key. Every question is recorded with what
            it asks for.

    Raises:
        TeamError: two owners of one state, a state that nobody owns, a circle, no agent that speaks, or two: said
            before any token is spent, with the agent, the state, its owner and what to do.
    """

    def __init__(
        self,
        *seats: Given | OneOf,
        at_close: Sequence[Callable[..., Any]] = (),
        guards: Sequence[Guard] = (),
        asks: Mapping[str, Asks] | None = None,
    ) -> None:
        placed = [
            Seat(each.agents, each.chosen_by) if isinstance(each, OneOf) else Seat((agent_of(each),))
            for each in seats
        ]
        self.closers = tuple(agent_of(each, part="closer") for each in at_close)
        self.guards = tuple(guards)
        self.asks: Mapping[str, Asks] = dict(asks or {})
        everybody = [*placed, *(Seat((closer,)) for closer in self.closers)]
        _check_names(everybody)
        self.owners = _owners(everybody)
        _check_reads(everybody, self.owners)
        _check_closed(placed, self.closers)
        self.speaking = _speaking(placed)
        thinking = [seat for seat in placed if seat is not self.speaking]
        self.stages = _stages(thinking, self.speaking)
        self.states: tuple[type[State], ...] = tuple(self.owners)

    @property
    def agents(self) -> tuple[Agent, ...]:
        """Everybody, in the order of the turn."""
        seated = (agent for stage in self.stages for seat in stage for agent in seat.agents)
        return (*seated, *self.speaking.agents, *self.closers)

    @property
    def recorded(self) -> tuple[type[State], ...]:
        """The states that a speaking model may record: one list for the team, so that every prefix is the same."""
        recording = (agent for agent in self.speaking.agents if agent.modelled and agent.records)
        return tuple(dict.fromkeys(state for agent in recording for state in agent.owns))

    def owner(self, state: type[State]) -> str:
        """Who owns a state: an agent's name, or those of a seat; "" for nobody."""
        seat = self.owners.get(state)
        return "" if seat is None else " | ".join(agent.name for agent in seat.agents if state in agent.owns)

    def state(self, name: str) -> type[State] | None:
        """The state of this name in the log."""
        return next((state for state in self.states if name_of(state) == name), None)


def _check_names(seats: Iterable[Seat]) -> None:
    known: set[str] = set()
    for agent in (agent for seat in seats for agent in seat.agents):
        if agent.name in known:
            raise TeamError(agent.name, "is in the team twice", "Give one of the two another name.")
        known.add(agent.name)


def _owners(seats: Sequence[Seat]) -> dict[type[State], Seat]:
    owners: dict[type[State], Seat] = {}
    names: dict[str, type[State]] = {}
    for seat in seats:
        for state in seat.owns:
            name, agent = name_of(state), next(each.name for each in seat.agents if state in each.owns)
            if names.setdefault(name, state) is not state:
                raise TeamError(
                    agent,
                    f"owns a second state named {name!r}",
                    'Write class ...(State, name="other").',
                    state=name,
                )
            if state in owners:
                owner = owners[state].name
                raise TeamError(
                    agent,
                    f"owns {name}, which {owner!r} owns already",
                    f"Let one of them own it: drop {name} from what {agent!r} returns, or seat both in OneOf(...).",
                    state=name,
                    owner=owner,
                )
            owners[state] = seat
    return owners


def _check_reads(seats: Sequence[Seat], owners: dict[type[State], Seat]) -> None:
    for seat in seats:
        for state in seat.reads:
            if state not in owners:
                raise TeamError(
                    _reader(seat, state),
                    f"reads {name_of(state)}, which nobody owns",
                    f"Add an agent that returns {name_of(state)}.",
                    state=name_of(state),
                )


def _reader(seat: Seat, state: type[State]) -> str:
    return next((agent.name for agent in seat.agents if state in reads_of(agent)), seat.name)


def _check_closed(seats: Sequence[Seat], closers: Sequence[Agent]) -> None:
    late = {
        state: closer.name
        for closer in closers
        for state in closer.owns
        if declaration(state).scope == "turn"
    }
    for seat in seats:
        for state in seat.reads:
            if state in late:
                raise TeamError(
                    _reader(seat, state),
                    f"waits in the turn for {name_of(state)}, which {late[state]!r} writes at the close",
                    f"Give {name_of(state)} the scope conversation, or let an agent of the turn own it.",
                    state=name_of(state),
                    owner=late[state],
                )


def _speaking(seats: Sequence[Seat]) -> Seat:
    speaking = [seat for seat in seats if seat.agents[0].part == "speaker"]
    if not speaking:
        raise TeamError(
            "team", "has nobody who speaks", "Add a speaker(...), or a function that returns str."
        )
    if len(speaking) > 1:
        raise TeamError(
            speaking[1].name,
            f"speaks, and so does {speaking[0].name!r}",
            "Seat them in OneOf(..., chosen_by=...): one agent speaks in a turn.",
        )
    return speaking[0]


def _stages(thinking: Sequence[Seat], speaking: Seat) -> tuple[tuple[Seat, ...], ...]:
    """The seats that think, by when they may act: as soon as the turn-scoped states that they read are there."""
    writer = {
        state: seat
        for seat in (*thinking, speaking)
        for state in seat.owns
        if declaration(state).scope == "turn"
    }
    stages: list[tuple[Seat, ...]] = []
    left = list(thinking)
    done: list[Seat] = []
    while left:
        ready = [seat for seat in left if all(before in done for before in _before(seat, writer))]
        if not ready:
            raise _circle(left, writer, speaking)
        stages.append(tuple(Seat(seat.agents, seat.chosen_by, len(stages)) for seat in ready))
        done += ready
        left = [seat for seat in left if seat not in ready]
    return tuple(stages)


def _before(seat: Seat, writer: dict[type[State], Seat]) -> list[Seat]:
    return [writer[state] for state in seat.reads if state in writer and writer[state] is not seat]


def _circle(left: Sequence[Seat], writer: dict[type[State], Seat], speaking: Seat) -> TeamError:
    for seat in left:
        for state in seat.reads:
            if writer.get(state) is speaking:
                return TeamError(
                    seat.name,
                    f"waits for {name_of(state)}, which {speaking.name!r} writes when it speaks",
                    "Let it run at the close (at_close=), or give the state the scope conversation.",
                    state=name_of(state),
                    owner=speaking.name,
                )
    seat, way = left[0], [left[0]]
    while (seat := next(each for each in _before(seat, writer) if each in left)) not in way:
        way.append(seat)
    names = " -> ".join(each.name for each in (*way[way.index(seat) :], seat))
    state = next(s for s in way[-1].reads if writer.get(s) is seat)
    return TeamError(
        way[-1].name,
        f"is in a circle of turn-scoped states: {names}",
        f"Give {name_of(state)} the scope conversation: then it is read as it was when the turn opened.",
        state=name_of(state),
        owner=seat.name,
    )
