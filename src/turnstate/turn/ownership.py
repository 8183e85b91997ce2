"""What an agent is given of the states, and what of its return is let in: only what it owns, and only as declared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, cast

from pydantic import BaseModel

from turnstate.core.events import Refused, StateChanged
from turnstate.core.history import History, StateHeld, Turn
from turnstate.core.messages import user_text
from turnstate.core.state import (
    Delta,
    Patch,
    Rejected,
    State,
    StateRefused,
    apply,
    declaration,
    name_of,
    read,
    write,
)
from turnstate.turn.agents import Agent
from turnstate.turn.team import Team


class Let(NamedTuple):
    """What became of what an agent proposed.

    Attributes:
        changes: let in.
        refused: not let in.
    """

    changes: tuple[StateChanged, ...] = ()
    refused: tuple[Refused, ...] = ()


@dataclass
class States:
    """The states as they stand in a turn.

    A conversation-scoped state has its value from when the turn opened, unless `closing`: then what changed in the
    turn counts. A turn-scoped one has what was written in the turn, or its defaults.

    Attributes:
        team: whose they are.
        history: the conversation.
        turn: the turn.
        closing: whether the reply is written.
        fresh: what changed and is not on record yet, as JSON data by the state's name.
        notes: what could not be read, one sentence each.
        speaker: who spoke, once the reply is written.
    """

    team: Team
    history: History
    turn: Turn
    closing: bool = False
    fresh: dict[str, Any] = field(default_factory=dict[str, Any])
    notes: list[str] = field(default_factory=list[str])
    speaker: str = ""

    def value(self, state: type[State]) -> State:
        """A copy of a state's value: editing it changes nothing."""
        name = name_of(state)
        if name in self.fresh and (self.closing or declaration(state).scope == "turn"):
            return _apart(read(state, self.fresh[name]))
        held = self._held(state)
        if held is None:
            return _apart(state())
        try:
            return _apart(read(state, held.value, held.version))
        except StateRefused as error:
            # It stays in the log; the conversation goes on with the defaults, and says so.
            self.notes.append(f"{name} of turn {held.turn} does not read ({error}); its defaults were used.")
            return _apart(state())

    def _held(self, state: type[State]) -> StateHeld | None:
        name = name_of(state)
        if self.closing or declaration(state).scope == "turn":
            for held in reversed(self.turn.changed):
                if held.name == name:
                    return held
        if declaration(state).scope == "turn":
            return None
        return next((held for held in self.history.states if held.name == name), None)

    def put(self, changes: Sequence[StateChanged]) -> None:
        """Take changes into account that are recorded later."""
        self.fresh |= {change.state: change.value for change in changes}

    def let_in(self, agent: Agent, returned: object) -> Let:
        """What a function of an agent returned, as far as it is the agent's to write."""
        given = cast("tuple[object, ...]", returned) if isinstance(returned, tuple) else (returned,)
        changes: dict[str, StateChanged] = {}
        refused: list[Refused] = []
        seen: set[type[State]] = set()
        for value in given:
            if value is None or isinstance(value, str):
                continue
            if not isinstance(value, State):
                refused.append(Refused(agent.name, type(value).__name__, "", "", "it is no state"))
                continue
            state, name = type(value), name_of(type(value))
            owner = self._owner(state)
            if state not in agent.owns:
                why = f"it belongs to {owner}" if owner else "nobody owns it"
                why = f"it is of a class of its own, {state.__name__}" if owner == agent.name else why
                refused.append(Refused(agent.name, name, "", owner, why))
            elif state in seen:
                refused.append(Refused(agent.name, name, "", owner, "it was returned twice"))
            else:
                seen.add(state)
                self._write(agent, value, changes, refused)
        return Let(tuple(changes.values()), tuple(refused))

    def _owner(self, state: type[State]) -> str:
        """Who owns a state, or what it passes itself off as: by its name, or by a class that it is derived from."""
        named = self.team.state(name_of(state))
        known = (kind for kind in (state, named, *state.__mro__) if kind in self.team.owners)
        return next((self.team.owner(cast("type[State]", kind)) for kind in known), "")

    def _write(
        self, agent: Agent, value: State, changes: dict[str, StateChanged], refused: list[Refused]
    ) -> None:
        state, name = type(value), name_of(type(value))
        try:
            data = write(value)
        except StateRefused as error:
            refused.append(Refused(agent.name, name, error.field, self.team.owner(state), error.reason))
            return
        before = write(self.value(state))
        # What is given back unchanged is no write.
        changed = {key: item for key, item in data.items() if before.get(key) != item}
        if changed:
            version = declaration(state).version
            changes[name] = StateChanged(name, version, agent.name, changed, data)

    def let_in_patch(self, agent: Agent, patch: Patch) -> Let:
        """What a model proposed, as far as it is its agent's to change."""
        by_state: dict[str, list[Delta]] = {}
        refused: list[Refused] = []
        owned = {name_of(state): state for state in agent.owns}
        for proposed in patch.changes:
            if proposed.state in owned:
                by_state.setdefault(proposed.state, []).append(proposed.delta)
                continue
            state = self.team.state(proposed.state)
            owner = "" if state is None else self.team.owner(state)
            why = f"it belongs to {owner}" if owner else "there is no such state"
            refused.append(Refused(agent.name, proposed.state, proposed.delta.field, owner, why))
        changes: list[StateChanged] = []
        for name, deltas in by_state.items():
            state = owned[name]
            before = self.value(state)
            done = apply(before, deltas, turn=self.turn.number, message=self.message)
            refused += [_rejected(agent, name, each) for each in done.rejected]
            if done.value != before:
                change = [delta.data() for delta in done.made]
                version = declaration(state).version
                changes.append(StateChanged(name, version, agent.name, change, write(done.value)))
        return Let(tuple(changes), tuple(refused))

    @property
    def message(self) -> str:
        """The user's newest message."""
        return user_text(self.turn.user)


def _apart(value: State) -> State:
    """A value that shares nothing with its class: what a field has by default is one object for all who read it."""
    return value if _whole(value) else value.model_copy(deep=True)


def _whole(value: object) -> bool:
    """Whether nothing in a value was filled in by default."""
    if isinstance(value, tuple):
        return all(map(_whole, cast("tuple[object, ...]", value)))
    if not isinstance(value, BaseModel):
        return True
    held = vars(value)
    return value.model_fields_set == held.keys() and all(map(_whole, held.values()))


def _rejected(agent: Agent, state: str, rejected: Rejected) -> Refused:
    return Refused(agent.name, state, rejected.delta.field, agent.name, rejected.reason)
