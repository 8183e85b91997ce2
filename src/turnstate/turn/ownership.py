"""What an agent is given of the states, and what of its return is let in: only what it owns, and only as declared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, cast

from pydantic_core import to_json

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


class Known(NamedTuple):
    """A state's value as it stands in a turn.

    Attributes:
        value: the value.
        data: as JSON data.
        text: the same as text.
    """

    value: State
    data: dict[str, Any]
    text: bytes


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
        unread: what is on record and could not be read, one sentence each, by the state's name.
        speaker: who spoke, once the reply is written.
    """

    team: Team
    history: History
    turn: Turn
    closing: bool = False
    fresh: dict[str, Any] = field(default_factory=dict[str, Any])
    unread: dict[str, str] = field(default_factory=dict[str, str])
    speaker: str = ""
    _known: dict[tuple[type[State], bool], Known] = field(
        default_factory=dict["tuple[type[State], bool]", "Known"], init=False, repr=False
    )

    def value(self, state: type[State]) -> State:
        """A copy of a state's value: editing it changes nothing, and it shares nothing with what another is given."""
        # From JSON data that leaves nothing out: what a class has by default is one object for all who read it.
        return state.model_validate_json(self.known(state).text, strict=True)

    def known(self, state: type[State]) -> Known:
        """A state's value as it stands; nobody is given this one."""
        at = (state, self.closing)
        if at not in self._known:
            value = self._read(state)
            data = value.model_dump(mode="json")
            self._known[at] = Known(value, data, to_json(data))
        return self._known[at]

    def _read(self, state: type[State]) -> State:
        name = name_of(state)
        if name in self.fresh and (self.closing or declaration(state).scope == "turn"):
            return read(state, self.fresh[name])
        held = self._held(state)
        if held is None:
            return state()
        try:
            return read(state, held.value, held.version)
        except StateRefused as error:
            # It stays in the log; the conversation goes on with the defaults, and says so.
            self.unread[name] = f"{name} of turn {held.turn} does not read ({error}); its defaults were used."
            return state()

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
        self._known.clear()

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
            if state in agent.owns and state not in seen:
                seen.add(state)
                self._write(agent, value, changes, refused)
                continue
            owner, why = self._owner(state), "it was returned twice"
            if state not in agent.owns:
                why = f"it belongs to {owner}" if owner else "nobody owns it"
                why = f"it is of a class of its own, {state.__name__}" if owner == agent.name else why
            refused.append(Refused(agent.name, name, "", owner, why))
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
        before = self.known(state).data
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


def _rejected(agent: Agent, state: str, rejected: Rejected) -> Refused:
    return Refused(agent.name, state, rejected.delta.field, agent.name, rejected.reason)
