"""A turn of a team: who acts when, what each is given, and the events that say what became of it."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, cast

from pydantic_ai.tools import ToolDefinition

from turnstate.core.blocks import block
from turnstate.core.brief import Brief, render
from turnstate.core.events import AgentActed, Asked, Event, Refused, Said, StateChanged
from turnstate.core.history import History, Turn, as_sent
from turnstate.core.messages import calls, response_text, user_message, user_text
from turnstate.core.state import RECORD, Patch, State, described, name_of, read_patch, schema
from turnstate.core.structured import read_json
from turnstate.errors import AgentFailed, ModelFailed
from turnstate.turn.agents import Agent, AgentReply, Code, UserMessage
from turnstate.turn.asking import questions_in
from turnstate.turn.guards import View
from turnstate.turn.ownership import Let, States
from turnstate.turn.speak import Overflow, Speaker, redacted
from turnstate.turn.team import CHOSEN, Seat, Team, reads_of

SHOWN = 12
"""Questions already asked that a brief names: the newest."""


class Acted(NamedTuple):
    """What an agent did.

    Attributes:
        event: for the log.
        changes: what of it was let in.
        text: what it says to the user, or "".
    """

    event: AgentActed
    changes: tuple[StateChanged, ...]
    text: str = ""

    @property
    def events(self) -> tuple[Event, ...]:
        """In the order of the log."""
        return (self.event, *self.changes)


def record_tool(states: Sequence[type[State]]) -> ToolDefinition:
    """The `record` call as models are told about it."""
    return ToolDefinition(name=RECORD, parameters_json_schema=schema(states), description=described(states))


class Scene:
    """Runs a team within a turn. Stateless: all that it needs to know stands in the history.

    Args:
        team: the team.
        mind: the model of an agent, as a speaker without a role.
    """

    def __init__(self, team: Team, mind: Callable[[Agent], Speaker]) -> None:
        self.team = team
        self._mind = mind

    def stage(self, turn: Turn) -> tuple[Seat, ...] | None:
        """The seats that act next, or None when all have."""
        acted = {event.agent for event in turn.acted}
        for stage in self.team.stages:
            if any(acted.isdisjoint(agent.name for agent in seat.agents) for seat in stage):
                return stage
        return None

    async def think(self, stage: Sequence[Seat], history: History, turn: Turn) -> tuple[Event, ...]:
        """Let the seats of a stage act side by side; the events come in declared order, whoever is ready first.

        Raises:
            AgentFailed: an agent's own code raised.
        """
        states = States(self.team, history, turn)
        agents = [self._seated(seat, states) for seat in stage]
        if len(agents) == 1:
            acted = [await self._act(agents[0], stage[0].stage, states)]
        else:
            acted = await self._side_by_side(agents, stage[0].stage, states)
        return tuple(event for each in acted for event in each.events)

    async def _side_by_side(self, agents: Sequence[Agent], stage: int, states: States) -> list[Acted]:
        try:
            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(self._act(agent, stage, states)) for agent in agents]
        except* AgentFailed as failed:
            error = _innermost(failed)
            raise error from error.__cause__
        return [task.result() for task in tasks]

    async def _act(self, agent: Agent, stage: int, states: States) -> Acted:
        if agent.code is None:
            return await self._ask(agent, stage, states)
        returned, edited = await _called(agent, agent.code, states)
        let = states.let_in(agent, returned)
        return _acted(agent, states, stage, "code", let, refused=edited, text=_text(returned))

    async def _ask(self, agent: Agent, stage: int, states: States) -> Acted:
        """A model thinks; where it fails or records nothing that can be used, the rules do."""
        mind = replace(self._mind(agent), instructions=agent.role, tools=[record_tool(agent.owns)])
        brief = render(_brief(agent, states))
        asked = [block("brief", brief)] if brief else []
        asked.append(block("user_message", states.message))
        usage, patch, problem = (0, 0), Patch(), ""
        try:
            response = await mind.speak([user_message("\n".join(asked), states.turn.at)])
            usage = (response.usage.input_tokens, response.usage.output_tokens)
            patch = _patch([call.args for call in calls(response) if call.tool_name == RECORD])
            if not patch.changes:
                patch = _patch(read_json(response_text(response)))
        except (ModelFailed, Overflow) as error:
            problem = error.reason
        let = states.let_in_patch(agent, patch)
        notes = [*patch.problems, *([f"{agent.name}: {problem}"] if problem else [])]
        by = mind.name
        if not let.changes and (problem or not patch.changes or let.refused):
            by, let = self._by_rules(agent, states, let, notes, by)
        return _acted(agent, states, stage, by, let, notes=notes, usage=usage)

    def _by_rules(self, agent: Agent, states: States, let: Let, notes: list[str], by: str) -> tuple[str, Let]:
        """What the rules make of the message, in the place of a record that cannot be used."""
        if agent.rules is None:
            return by, let
        try:
            returned, edited = _call(agent, agent.rules, states)
        except AgentFailed as error:
            notes.append(redacted(str(error)))
            return by, let
        ruled = states.let_in(agent, returned)
        return "rules", Let(ruled.changes, (*let.refused, *edited, *ruled.refused))

    def speaker(self, history: History, turn: Turn) -> Agent:
        """The agent who speaks in this turn."""
        return self._seated(self.team.speaking, States(self.team, history, turn))

    async def own_words(self, history: History, turn: Turn) -> tuple[Event, ...]:
        """What the seated agent says without asking a model, as events; nothing where a model is to speak.

        Raises:
            AgentFailed: its code raised, or said nothing.
        """
        agent, states = self.speaker(history, turn), States(self.team, history, turn)
        if agent.code is not None:
            acted = await self._act(agent, len(self.team.stages), states)
            if not acted.text.strip():
                raise AgentFailed(agent.name, "it said nothing")
            return (*acted.events, Said(agent.name, acted.text.strip()))
        if agent.gate is None:
            return ()
        said, edited = _call(agent, agent.gate, states)
        if edited or not isinstance(said, str) or not said.strip():
            return ()
        return (Said(agent.name, said.strip()),)

    def brief(self, history: History, turn: Turn) -> str:
        """What the seated agent is told, as text."""
        agent, states = self.speaker(history, turn), States(self.team, history, turn)
        brief = _brief(agent, states)
        if not brief.asked:
            put = {(each.question.key or each.question.text): each for each in history.asked}
            asked = tuple(f"turn {each.turn}: {each.question.text}" for each in list(put.values())[-SHOWN:])
            brief = replace(brief, asked=asked)
        return render(brief, agent.role)

    def view(self, history: History, turn: Turn) -> View:
        """What guards may look at."""
        states = States(self.team, history, turn)
        return View(history, turn, user_text(turn.user), states.value)

    def closing(self, history: History, turn: Turn) -> tuple[Event, ...]:
        """What the close records of the speaker and of those who run at the close.

        Args:
            history: the conversation.
            turn: the turn with its last step.
        """
        states = States(self.team, history, turn, closing=False)
        agent = self.speaker(history, turn)
        events: list[Event] = []
        if all(event.agent != agent.name for event in turn.acted) and agent.modelled:
            acted = self._recorded(agent, turn, states)
            events += acted.events
            states.put(acted.changes)
        states.closing, states.speaker = True, agent.name
        for place, closer in enumerate(self.team.closers, start=len(self.team.stages) + 1):
            acted = self._close(closer, place, states)
            events += acted.events
            states.put(acted.changes)
        if asked := questions_in(_reply(turn), self.team.asks, _patch(_records(turn)).asked):
            events.append(Asked(asked))
        return tuple(events)

    def _recorded(self, agent: Agent, turn: Turn, states: States) -> Acted:
        """What the speaker's model recorded with its reply, or what the rules make of the message."""
        found = _records(turn)
        asked = any(step.model for step in turn.steps)
        patch, notes = _patch(found), list(_brief(agent, states).trace if asked else ())
        let = states.let_in_patch(agent, patch)
        notes += patch.problems
        by = next((step.model for step in reversed(turn.steps) if step.model), "rules")
        wanted = agent.records and asked and bool(agent.owns)
        if wanted and not found:
            notes.append(f"{agent.name} recorded nothing with its reply.")
        unusable = not let.changes and (not found or bool(let.refused) or bool(patch.problems))
        if agent.owns and (not wanted or unusable):
            by, let = self._by_rules(agent, states, let, notes, by)
        return _acted(agent, states, len(self.team.stages), by, let, notes=notes)

    def _close(self, closer: Agent, place: int, states: States) -> Acted:
        try:
            returned, edited = _call(closer, cast("Code", closer.code), states)
        except AgentFailed as error:
            # The reply is written and may have been read: what fails here is reported, and costs no turn.
            return _acted(closer, states, place, "code", Let(), notes=[redacted(str(error))])
        return _acted(closer, states, place, "code", states.let_in(closer, returned), refused=edited)

    def _seated(self, seat: Seat, states: States) -> Agent:
        if seat.chosen_by is None:
            return seat.agents[0]
        chosen = getattr(states.value(seat.chosen_by), CHOSEN)
        named = str(getattr(chosen, "value", chosen))
        return next((agent for agent in seat.agents if agent.name == named), seat.agents[0])


def _records(turn: Turn) -> list[Any]:
    """The arguments of the turn's `record` calls."""
    return [call.args for step in turn.steps for call in calls(step.response) if call.tool_name == RECORD]


def _reply(turn: Turn) -> str:
    """The turn's text as it is sent."""
    said = (response_text(step.response).strip() for step in as_sent(turn).steps)
    return "\n\n".join(text for text in said if text)


def _brief(agent: Agent, states: States) -> Brief:
    if agent.brief is not None:
        made, _ = _call(agent, agent.brief, states)
        if isinstance(made, Brief):
            return made
    return Brief(known=tuple(_known(states.value(state)) for state in reads_of(agent)))


def _known(value: State) -> tuple[str, str]:
    data = value.model_dump(mode="json", exclude_defaults=True)
    return name_of(type(value)), ", ".join(f"{name} = {item}" for name, item in data.items()) or "nothing yet"


def _patch(found: Sequence[Any]) -> Patch:
    """The patches of a turn's `record` calls as one."""
    patches = [read_patch(args if isinstance(args, dict) else _read(args)) for args in found]
    return Patch(
        tuple(change for patch in patches for change in patch.changes),
        tuple(key for patch in patches for key in patch.asked),
        tuple(problem for patch in patches for problem in patch.problems),
    )


def _read(args: Any) -> Any:
    found = read_json(args) if isinstance(args, str) else ()
    return found[0] if found else None


async def _called(agent: Agent, code: Code, states: States) -> tuple[object, tuple[Refused, ...]]:
    given = _given(code, states)
    try:
        returned = code.call(**given)
        if inspect.isawaitable(returned):
            returned = await returned
    except Exception as error:
        raise AgentFailed(agent.name, redacted(f"{type(error).__name__}: {error}")) from error
    return cast("object", returned), _edited(agent, given, states)


def _call(agent: Agent, code: Code, states: States) -> tuple[object, tuple[Refused, ...]]:
    given = _given(code, states)
    try:
        returned: object = code.call(**given)
    except Exception as error:
        raise AgentFailed(agent.name, redacted(f"{code.name}(): {type(error).__name__}: {error}")) from error
    return returned, _edited(agent, given, states)


def _given(code: Code, states: States) -> dict[str, Any]:
    turn = states.turn
    return {name: _one_given(kind, turn, states) for name, kind in code.takes}


def _one_given(kind: type[Any], turn: Turn, states: States) -> object:
    if kind is UserMessage:
        return UserMessage(user_text(turn.user), turn.number, turn.at)
    if kind is AgentReply:
        names = {part.tool_call_id: part.tool_name for step in turn.steps for part in calls(step.response)}
        used = (
            names.get(call.tool_call_id, "")
            for step in turn.steps
            for call in step.calls
            if call.result is not None and call.result.outcome == "success"
        )
        return AgentReply(_reply(turn), states.speaker, turn.number, tuple(name for name in used if name))
    return states.value(cast("type[State]", kind))


def _edited(agent: Agent, given: dict[str, Any], states: States) -> tuple[Refused, ...]:
    """The states that a function edited in place: what it did to its copies changes nothing, and is reported."""
    return tuple(
        Refused(agent.name, name_of(kind), "", states.team.owner(kind), "it was edited in place")
        for value in given.values()
        if isinstance(value, State)
        if (kind := type(value)) and value != states.known(kind).value
    )


def _acted(
    agent: Agent,
    states: States,
    stage: int,
    by: str,
    let: Let,
    *,
    refused: Sequence[Refused] = (),
    notes: Sequence[str] = (),
    usage: tuple[int, int] = (0, 0),
    text: str = "",
) -> Acted:
    read = tuple(name_of(state) for state in reads_of(agent))
    used = dict.fromkeys((*read, *(name_of(state) for state in agent.owns))) if states.unread else {}
    unread = [states.unread[name] for name in used if name in states.unread]
    event = AgentActed(
        agent.name,
        agent.part,
        stage,
        by,
        read=read,
        wrote=tuple(change.state for change in let.changes),
        refused=(*refused, *let.refused),
        notes=(*notes, *unread),
        usage=usage,
    )
    return Acted(event, let.changes, text)


def _text(returned: object) -> str:
    given = cast("tuple[object, ...]", returned) if isinstance(returned, tuple) else (returned,)
    return "\n\n".join(each for each in given if isinstance(each, str))


def _innermost(group: BaseExceptionGroup[Any]) -> Exception:
    """The error itself: nobody should have to unwrap a group to see what an agent did."""
    error: BaseException = group
    while isinstance(error, BaseExceptionGroup):
        error = cast("BaseExceptionGroup[BaseException]", error).exceptions[0]
    return cast("Exception", error)
