"""Teams: what does not fit is refused while building, with agent, state, owner and fix; the order follows from reads."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple

import pytest

from turnstate import Brief, OneOf, State, Team, UserMessage, speaker, thinker
from turnstate.errors import TeamError
from turnstate.turn.agents import Agent


class Memory(State):
    """What is known."""

    timeline: str = ""


class Score(State):
    """How it stands."""

    points: int = 0


class Plain(State, scope="turn"):
    """Of the turn, and chooses nobody."""

    found: str = ""


class Routing(State, scope="turn"):
    """Of the turn: who is next."""

    next_agent: Literal["discovery", "closer"] = "discovery"


class Research(State, scope="turn"):
    """Of the turn: what was found."""

    found: str = ""


class Review(State, scope="turn"):
    """Of the turn: what is thought of it."""

    good: bool = False


class Twin(State, name="Memory"):
    """Has the name of another one."""

    text: str = ""


def talk(memory: Memory) -> tuple[str, Memory]:
    """Speaks, and owns Memory."""
    return "Hello.", memory


def chat(message: UserMessage) -> str:
    """Speaks, and owns nothing."""
    return message.text


def chat_late(review: Review) -> str:
    """Speaks when Review is there."""
    return str(review.good)


def talk_turn() -> tuple[str, Research]:
    """Speaks, and owns a state of the turn."""
    return "Hello.", Research()


def grab() -> Memory:
    """Owns Memory too."""
    return Memory()


def twin() -> Twin:
    """Owns a state of the same name."""
    return Twin()


def route(memory: Memory, message: UserMessage) -> Routing:
    """Chooses."""
    return Routing(next_agent="closer" if memory.timeline and message.text else "discovery")


def look(message: UserMessage) -> Research:
    """Finds."""
    return Research(found=message.text)


def look_again(review: Review) -> Research:
    """Finds, once it was reviewed."""
    return Research(found=str(review.good))


def review(research: Research) -> Review:
    """Thinks of what was found."""
    return Review(good=bool(research.found))


def judge(score: Score) -> Score:
    """Owns Score."""
    return score


def judge_turn() -> Review:
    """Owns a state of the turn, at the close."""
    return Review()


def curious(score: Score) -> Research:
    """Reads Score."""
    return Research(found=str(score.points))


def _named(name: str, *owns: type[State], reads: tuple[type[State], ...] = ()) -> Agent:
    return speaker(name, reads=reads, owns=owns, role="Talk.")


class Wrong(NamedTuple):
    """A team that cannot be built, and what is said of it."""

    build: Callable[[], object]
    agent: str
    state: str
    owner: str
    problem: str
    fix: str


WRONG = {
    "two owners": Wrong(
        lambda: Team(talk, grab), "grab", "Memory", "talk", "owns Memory, which 'talk' owns already", "OneOf"
    ),
    "two owners, one at the close": Wrong(
        lambda: Team(talk, at_close=[grab]), "grab", "Memory", "talk", "owns already", "drop Memory"
    ),
    "two owners, one of them in a seat": Wrong(
        lambda: Team(
            route, OneOf(_named("discovery", Memory), _named("closer", Score), chosen_by=Routing), grab, judge
        ),
        "grab",
        "Memory",
        "discovery",
        "owns already",
        "drop Memory",
    ),
    "two states of one name": Wrong(
        lambda: Team(talk, twin), "twin", "Memory", "", "owns a second state named 'Memory'", "name="
    ),
    "a state that nobody owns": Wrong(
        lambda: Team(curious, chat), "curious", "Score", "", "reads Score, which nobody owns", "returns Score"
    ),
    "a choice that nobody makes": Wrong(
        lambda: Team(OneOf(_named("discovery"), _named("closer"), chosen_by=Routing)),
        "discovery",
        "Routing",
        "",
        "reads Routing, which nobody owns",
        "returns Routing",
    ),
    "a circle": Wrong(
        lambda: Team(look_again, review, chat),
        "review",
        "Research",
        "look_again",
        "circle of turn-scoped states: look_again -> review -> look_again",
        "scope conversation",
    ),
    "waiting for the one who speaks": Wrong(
        lambda: Team(review, talk_turn),
        "review",
        "Research",
        "talk_turn",
        "waits for Research, which 'talk_turn' writes when it speaks",
        "at_close=",
    ),
    "waiting in the turn for the close": Wrong(
        lambda: Team(look_again, chat, at_close=[judge_turn]),
        "look_again",
        "Review",
        "judge_turn",
        "waits in the turn for Review, which 'judge_turn' writes at the close",
        "scope conversation",
    ),
    "speaking waits for the close": Wrong(
        lambda: Team(chat_late, at_close=[judge_turn]),
        "chat_late",
        "Review",
        "judge_turn",
        "writes at the close",
        "let an agent of the turn own it",
    ),
    "nobody speaks": Wrong(lambda: Team(look), "team", "", "", "has nobody who speaks", "Add a speaker(...)"),
    "nobody at all": Wrong(Team, "team", "", "", "has nobody who speaks", "Add a speaker(...)"),
    "two speak": Wrong(
        lambda: Team(chat, talk), "talk", "", "", "speaks, and so does 'chat'", "Seat them in OneOf"
    ),
    "one name twice": Wrong(
        lambda: Team(chat, _named("chat", Memory)), "chat", "", "", "is in the team twice", "another name"
    ),
    "one name twice, one at the close": Wrong(
        lambda: Team(judge, chat, at_close=[judge]), "judge", "", "", "is in the team twice", "another name"
    ),
    "a seat for one": Wrong(
        lambda: OneOf(chat, chosen_by=Routing), "chat", "", "", "has a seat of its own", "two agents or more"
    ),
    "a seat for nobody": Wrong(
        lambda: OneOf(chosen_by=Routing), "OneOf", "", "", "has a seat of its own", "two agents or more"
    ),
    "a seat for one who speaks and one who thinks": Wrong(
        lambda: OneOf(chat, grab, chosen_by=Routing), "chat", "", "", "does not speak", "Seat them apart"
    ),
    "a choice without a name": Wrong(
        lambda: OneOf(chat, talk, chosen_by=Plain),
        "chat",
        "Plain",
        "",
        "is chosen by Plain, which has no field 'next_agent'",
        'next_agent: str = "chat"',
    ),
}


@pytest.mark.parametrize("wrong", WRONG.values(), ids=WRONG.keys())
def test_what_does_not_fit_is_refused_while_building(wrong: Wrong) -> None:
    """With the agent, the state, its owner and what to write instead, as attributes and in the message."""
    with pytest.raises(TeamError) as raised:
        wrong.build()
    refused = raised.value
    assert (refused.agent, refused.state, refused.owner) == (wrong.agent, wrong.state, wrong.owner)
    assert wrong.problem in refused.problem
    assert wrong.fix in refused.fix
    for said in (refused.agent, refused.state, refused.owner, refused.problem, refused.fix):
        assert said in str(refused)


def _names(team: Team) -> list[list[str]]:
    return [[seat.name for seat in stage] for stage in team.stages]


def test_what_may_run_side_by_side_follows_from_what_is_read() -> None:
    """Only a turn-scoped read waits for its owner; the order in which the agents are given does not matter."""
    assert _names(Team(look, route, talk)) == [["look", "route"]]
    assert _names(Team(review, look, talk)) == [["look"], ["review"]]
    assert _names(Team(chat_late, review, look)) == [["look"], ["review"]]
    assert _names(Team(curious, judge, chat)) == [["curious", "judge"]]
    assert _names(Team(chat)) == []
    assert [seat.stage for stage in Team(review, look, talk).stages for seat in stage] == [0, 1]


def test_a_conversation_scoped_circle_is_none() -> None:
    """Each reads the other's value of when the turn opened."""

    def ahead(score: Score) -> Memory:
        return Memory(timeline=str(score.points))

    def behind(memory: Memory) -> Score:
        return Score(points=len(memory.timeline))

    assert _names(Team(ahead, behind, chat)) == [["ahead", "behind"]]


def test_an_agent_may_read_its_own_state_of_the_turn() -> None:
    """It waits for nobody: it is given the defaults."""

    def think(review: Review) -> Review:
        return review

    assert _names(Team(think, chat)) == [["think"]]


def test_what_runs_at_the_close_may_read_all_that_the_turn_wrote() -> None:
    """It runs after everybody."""

    def close(research: Research, score: Score) -> Score:
        return Score(points=score.points + len(research.found))

    team = Team(look, chat, at_close=[close])
    assert [closer.name for closer in team.closers] == ["close"]
    assert [agent.name for agent in team.agents] == ["look", "chat", "close"]


def test_agents_of_one_seat_may_own_the_same_state() -> None:
    """Exactly one of them acts in a turn; the owner of a state is the seat, and nobody else may own it."""
    seat = OneOf(_named("discovery", Memory), _named("closer", Memory, Score), chosen_by=Routing)
    team = Team(route, seat)
    assert (team.owner(Memory), team.owner(Score), team.owner(Routing)) == (
        "discovery | closer",
        "closer",
        "route",
    )
    assert team.owner(Research) == ""
    assert team.recorded == (Memory, Score)
    assert (team.state("Score"), team.state("Research")) == (Score, None)
    assert team.states == (Routing, Memory, Score)
    assert team.speaking.chosen_by is Routing


def test_thinkers_of_one_seat_take_turns_too() -> None:
    """A seat need not speak."""
    seat = OneOf(
        thinker("discovery", owns=[Research], role="Look."),
        thinker("closer", owns=[Research], role="Look."),
        chosen_by=Routing,
    )
    assert _names(Team(seat, route, talk)) == [["route"], ["discovery"]]


def test_a_state_that_only_rules_write_is_not_on_offer_to_the_model() -> None:
    """`record` is one list for the team; who leaves recording to the rules is not in it."""

    def rules(message: UserMessage) -> Memory:
        return Memory(timeline=message.text)

    silent = speaker("talk", reads=[], owns=[Memory], role="Talk.", rules=rules, record="rules")
    assert Team(silent).recorded == ()


def test_what_a_function_of_an_agent_takes_it_reads() -> None:
    """Also where only its brief takes what it owns."""

    def brief(memory: Memory) -> Brief:
        return Brief(goal=memory.timeline)

    agent = speaker("talk", reads=[], owns=[Memory], role="Talk.", brief=brief)
    assert Team(agent).speaking.reads == (Memory,)
