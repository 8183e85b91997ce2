"""Teams through the front door: what is not an agent's own is never written, and every order of acting gives one log."""

from __future__ import annotations

import asyncio
import json
import random
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple, cast

import pytest
from pydantic_ai.exceptions import ModelHTTPError

from acceptance.doors import assert_gapless, kinds, recorded, run
from turnstate import Assistant, InTurn, Item, OneOf, State, Team, UserMessage, Verbatim, speaker, thinker
from turnstate.core.events import (
    AgentActed,
    GuardActed,
    ModelResponded,
    Recorded,
    Refused,
    StateChanged,
    TurnFailed,
)
from turnstate.core.history import fold
from turnstate.core.messages import response_text, user_text
from turnstate.errors import AgentFailed
from turnstate.testing.scripted import Answer, Asked, Call, ScriptedModel
from turnstate.turn.agents import AgentReply
from turnstate.turn.guards import Mode, Objection, View

SAID = "The nightly export is slow, and we start in six weeks."
ORDERS = 100


class Pain(Item):
    """What hurts."""

    text: str = ""
    quote: Verbatim = ""
    turn: InTurn = 0


class Memory(State):
    """What is known; the speaker owns it."""

    timeline: str = ""
    pains: tuple[Pain, ...] = (Pain(id="0.1", text="slow exports"),)


class Score(State):
    """How it stands; the judge at the close owns it."""

    points: int = 0


class Notes(State):
    """What an intruder owns."""

    lines: tuple[str, ...] = ()


class Fat(Memory):
    """A class of its own that looks like Memory."""


class Mask(Memory, name="Memory"):
    """A class of its own that takes Memory's name."""


class FatNotes(Notes):
    """A class of its own that looks like what the intruder owns."""

    more: str = ""


MINE = "the intruder's"


def _edited(memory: Memory, edit: Callable[[Memory], object]) -> Memory:
    edit(memory)
    return memory


def _held(value: object) -> dict[str, Any]:
    return vars(value)


def _silently(memory: Memory, edit: Callable[[Memory], object]) -> None:
    edit(memory)


def _with_key() -> Notes:
    notes = Notes(lines=("a",))
    _held(notes)["secret"] = MINE
    return notes


def _with_extra() -> Notes:
    notes = Notes(lines=("a",))
    object.__setattr__(notes, "__pydantic_extra__", {"secret": MINE})
    return notes


def _without_key() -> Notes:
    notes = Notes(lines=("a",))
    _held(notes).clear()
    return notes


def _disguised(memory: Memory) -> State:
    object.__setattr__(memory, "__class__", Notes)
    return memory


@dataclass(frozen=True)
class Attack:
    """A way to write what is not one's own, or not as it is declared.

    Attributes:
        play: from a copy of Memory to what the agent returns.
        state: what the refusal is about.
        owner: who owns that, or "" for nobody.
    """

    play: Callable[[Memory], object]
    state: str = "Memory"
    owner: str = "talk"


def _own(play: Callable[[Memory], object]) -> Attack:
    """An attack on the intruder's own state: not as it is declared."""
    return Attack(play, "Notes", "intruder")


ATTACKS: dict[str, Attack] = {
    "returns a foreign state": Attack(lambda m: Memory(timeline=MINE)),
    "returns it beside its own": Attack(lambda m: (Notes(lines=("a",)), Memory(timeline=MINE))),
    "returns a copy of it": Attack(lambda m: m.model_copy(update={"timeline": MINE})),
    "constructs it": Attack(lambda m: Memory.model_construct(timeline=MINE, pains=())),
    "returns a state that the close owns": Attack(lambda m: Score(points=99), "Score", "judge"),
    "edits a field": Attack(lambda m: _silently(m, lambda v: object.__setattr__(v, "timeline", MINE))),
    "edits the dict": Attack(lambda m: _silently(m, lambda v: _held(v).update(timeline=MINE))),
    "empties the dict": Attack(lambda m: _silently(m, lambda v: _held(v).clear())),
    "edits an item": Attack(lambda m: _silently(m, lambda v: object.__setattr__(v.pains[0], "text", MINE))),
    "edits an item's dict": Attack(lambda m: _silently(m, lambda v: _held(v.pains[0]).update(text=MINE))),
    "edits and returns it": Attack(lambda m: _edited(m, lambda v: object.__setattr__(v, "timeline", MINE))),
    "returns a subclass": Attack(lambda m: Fat(timeline=MINE), "Fat", "talk"),
    "returns a subclass of its name": Attack(lambda m: Mask(timeline=MINE)),
    "returns a subclass of its own": Attack(lambda m: FatNotes(more=MINE), "FatNotes", "intruder"),
    "returns it as another class": _own(_disguised),
    "returns JSON data": Attack(lambda m: {"Memory": {"timeline": MINE}}, "dict", ""),
    "returns a list of states": Attack(lambda m: [Memory(timeline=MINE)], "list", ""),
    "smuggles a list": _own(lambda m: Notes.model_construct(lines=cast("Any", ["a"]))),
    "smuggles another type": _own(lambda m: Notes.model_construct(lines=cast("Any", 3))),
    "copies another type in": _own(lambda m: Notes(lines=("a",)).model_copy(update={"lines": 3})),
    "copies a foreign record in": _own(lambda m: Notes().model_copy(update={"lines": (m.pains[0],)})),
    "adds a key": _own(lambda m: _with_key()),
    "adds an extra": _own(lambda m: _with_extra()),
    "drops a key": _own(lambda m: _without_key()),
    "returns it twice": _own(lambda m: (Notes(lines=("a",)), Notes(lines=("b",)))),
    "writes what UTF-8 cannot hold": _own(lambda m: Notes(lines=("\ud800",))),
    "writes too much": _own(lambda m: Notes(lines=("x" * 70_000,))),
}
LAWFUL = {"returns it beside its own", "returns it twice"}
"""Attacks that also return something that is the agent's own and as declared: that is let in."""

Door = Literal["thinks", "at the close", "as rules", "speaks"]
DOORS: tuple[Door, ...] = ("thinks", "at the close", "as rules", "speaks")


def _judge(score: Score) -> Score:
    return Score(points=score.points + 1)


_judge.__name__ = "judge"


def _invaded(attack: Attack, door: Door) -> Team:
    """A team in which one agent attacks, from where the door leads in."""

    def intruder(memory: Memory, notes: Notes) -> Notes | None:
        return cast("Notes | None", attack.play(memory))

    def spoken(memory: Memory, notes: Notes) -> tuple[str, Notes | None]:
        played = attack.play(memory)
        return cast(
            "tuple[str, Notes | None]", ("Noted.", *(played if isinstance(played, tuple) else [played]))
        )

    spoken.__name__ = "intruder"

    def keep(message: UserMessage) -> Memory:
        return Memory(timeline=message.text[-10:])

    talk = speaker("talk", reads=[Memory], owns=[Memory], role="Talk.")
    if door == "speaks":
        keep.__name__ = "talk"  # the owner has another place, and keeps its name
        return Team(keep, spoken, at_close=[_judge])
    if door == "at the close":
        return Team(talk, at_close=[intruder, _judge])
    if door == "as rules":
        scout = thinker("intruder", reads=[Memory], owns=[Notes], role="Look.", rules=intruder)
        return Team(scout, talk, at_close=[_judge])
    return Team(intruder, talk, at_close=[_judge])


def _answer(asked: Asked) -> Answer:
    """The speaker records the timeline; a thinker records nothing, so that its rules take over."""
    if "<user_message>" in asked.prompt:
        return "Nothing to record."
    change = {"state": "Memory", "field": "timeline", "op": "set", "value": "six weeks"}
    return ["Noted.", Call("record", {"changes": [change]})]


def _refused(events: Sequence[Recorded]) -> list[Refused]:
    return [each for found in events if isinstance(found.event, AgentActed) for each in found.event.refused]


def _written(events: Sequence[Recorded]) -> list[StateChanged]:
    return [found.event for found in events if isinstance(found.event, StateChanged)]


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("attack", ATTACKS.values(), ids=ATTACKS.keys())
def test_code_writes_nothing_that_is_not_its_own(store: str, attack: Attack, door: Door) -> None:
    """From wherever it acts: refused with agent, state and owner, and the conversation goes on."""

    async def scenario() -> None:
        async with Assistant(ScriptedModel(_answer), team=_invaded(attack, door), store=store) as shop:
            chat = shop.conversation("c")
            for text in (SAID, "And then?"):
                assert (await chat.send(text)).text == "Noted."
            events = await chat.events()
            assert not [change for change in _written(events) if MINE in json.dumps(change.value)]
            by_intruder = [change for change in _written(events) if change.owner == "intruder"]
            assert {change.state for change in by_intruder} <= {"Notes"}
            assert all(isinstance(line, str) for change in by_intruder for line in change.value["lines"])
            refusals = [
                each for each in _refused(events) if (each.state, each.owner) == (attack.state, attack.owner)
            ]
            assert len(refusals) >= 2, "one in each turn"
            assert {each.agent for each in _refused(events)} == {"intruder"}
            assert all(each.reason for each in refusals)
            # What the owners wrote stands, beside whatever was refused.
            assert (await chat.state(Score)).points == 2
            assert (await chat.state(Memory)).pains == Memory().pains
            assert (await chat.state(Memory)).timeline in {"six weeks", "And then?"}

    run(scenario())


def test_of_all_attacks_none_gets_through() -> None:
    """Counted over every way and every door, from the log alone: 0 of N."""

    async def through(attack: Attack, door: Door, lawful: bool) -> int:
        async with Assistant(ScriptedModel(_answer), team=_invaded(attack, door), store="memory:") as shop:
            chat = shop.conversation("c")
            await chat.send(SAID)
            changed = _written(await chat.events())
        owners = {"Memory": "talk", "Score": "judge", "Notes": "intruder"}
        foreign = [each for each in changed if owners.get(each.state) != each.owner]
        bad = [each for each in changed if each.state == "Notes" and not lawful]
        return len(foreign) + len(bad)

    async def scenario() -> None:
        tried: list[tuple[str, Attack, Door]] = [
            (name, attack, door) for name, attack in ATTACKS.items() for door in DOORS
        ]
        got = [await through(attack, door, name in LAWFUL) for name, attack, door in tried]
        assert (sum(got), len(tried)) == (0, len(ATTACKS) * len(DOORS))

    run(scenario())


def test_what_an_agent_keeps_of_an_earlier_turn_is_a_copy() -> None:
    """Edited later, it changes nothing that anybody reads."""
    kept: list[Memory] = []

    def intruder(memory: Memory) -> None:
        for old in kept:
            object.__setattr__(old, "timeline", MINE)
            object.__setattr__(old.pains[0], "text", MINE)
        kept.append(memory)

    async def scenario() -> None:
        team = Team(intruder, speaker("talk", reads=[Memory], owns=[Memory], role="Talk."))
        async with Assistant(ScriptedModel(_answer), team=team, store="memory:") as shop:
            chat = shop.conversation("c")
            for text in ("one", "two", "three"):
                await chat.send(text)
            value = await chat.state(Memory)
            object.__setattr__(value, "timeline", MINE)
            assert await chat.state(Memory) == Memory(timeline="six weeks")
            assert MINE not in repr(await chat.events())

    run(scenario())


class Proposal(NamedTuple):
    """What a model proposes that may not be.

    Attributes:
        args: the arguments of its `record` call.
        state: what the refusal is about.
        field: which field.
        owner: who owns the state.
    """

    args: dict[str, Any]
    state: str
    field: str
    owner: str


def _change(state: str, field: str, op: str, value: object = None, **more: str) -> dict[str, Any]:
    return {"changes": [{"state": state, "field": field, "op": op, "value": value, **more}]}


PROPOSALS: dict[str, Proposal] = {
    "a foreign state": Proposal(_change("Score", "points", "set", 99), "Score", "points", "judge"),
    "a foreign state in short": Proposal({"Score": {"points": 99}}, "Score", "points", "judge"),
    "a foreign state as one name": Proposal(
        {"changes": [{"state": "Score.points", "op": "set", "value": 99}]}, "Score", "points", "judge"
    ),
    "an unknown state": Proposal(_change("Budget", "amount", "set", 99), "Budget", "amount", ""),
    "an unknown field": Proposal(_change("Own", "secret", "set", MINE), "Own", "secret", "model"),
    "the declaration": Proposal(
        _change("Own", "turnstate_declaration", "set", MINE), "Own", "turnstate_declaration", "model"
    ),
    "a dunder": Proposal(_change("Own", "__dict__", "set", {"line": MINE}), "Own", "__dict__", "model"),
    "an unknown item": Proposal(
        _change("Own", "pains", "amend", {"text": MINE}, id="9.9", reason="it changed"),
        "Own",
        "pains",
        "model",
    ),
    "an item to retract that is not there": Proposal(
        _change("Own", "pains", "retract", id="9.9", reason="wrong"), "Own", "pains", "model"
    ),
    "no reason": Proposal(
        _change("Own", "pains", "amend", {"text": MINE}, id="0.1"), "Own", "pains", "model"
    ),
    "all items at once": Proposal(_change("Own", "pains", "set", []), "Own", "pains", "model"),
    "an unknown key of an item": Proposal(
        _change("Own", "pains", "append", {"text": "x", "secret": MINE}), "Own", "pains", "model"
    ),
    "no item": Proposal(_change("Own", "pains", "append", MINE), "Own", "pains", "model"),
    "words that were not said": Proposal(
        _change("Own", "pains", "append", {"text": "x", "quote": MINE}), "Own", "pains", "model"
    ),
    "another type": Proposal(_change("Own", "line", "set", {"a": MINE}), "Own", "line", "model"),
    "another scalar": Proposal(_change("Own", "level", "set", MINE), "Own", "level", "model"),
    "nothing": Proposal(_change("Own", "line", "set", None), "Own", "line", "model"),
    "an operation that is for several": Proposal(
        _change("Own", "line", "append", MINE), "Own", "line", "model"
    ),
    "too much": Proposal(_change("Own", "line", "set", "x" * 70_000), "Own", "line", "model"),
}


class Own(State):
    """What the model that proposes may change."""

    line: str = ""
    level: int = 0
    pains: tuple[Pain, ...] = (Pain(id="0.1", text="slow exports"),)


def _spoken_to() -> str:
    return "Noted."


@pytest.mark.parametrize("part", ["speaker", "thinker"])
@pytest.mark.parametrize("proposal", PROPOSALS.values(), ids=PROPOSALS.keys())
def test_a_model_changes_nothing_that_is_not_its_own(store: str, proposal: Proposal, part: str) -> None:
    """Its delta is refused with agent, state, field and owner; what it proposes beside it stands, and so does the reply."""
    fine = {"state": "Own", "field": "level", "op": "set", "value": 7}
    args = {**proposal.args, "changes": [*proposal.args.get("changes", []), fine]}

    async def scenario() -> None:
        if part == "speaker":
            team = Team(speaker("model", reads=[Own], owns=[Own], role="Talk."), at_close=[_judge])
        else:
            team = Team(
                thinker("model", reads=[Own], owns=[Own], role="Look."), _spoken_to, at_close=[_judge]
            )
        model = ScriptedModel([["Noted.", Call("record", args)], ["Noted.", Call("record", {"changes": []})]])
        async with Assistant(model, team=team, store=store) as shop:
            chat = shop.conversation("c")
            for text in (SAID, "And then?"):
                assert (await chat.send(text)).text == "Noted."
            events = await chat.events()
            expected = ("model", proposal.state, proposal.field, proposal.owner)
            assert [(each.agent, each.state, each.field, each.owner) for each in _refused(events)] == [
                expected
            ]
            assert await chat.state(Own) == Own(level=7)
            assert (await chat.state(Score)).points == 2

    run(scenario())


# Orders of acting


class Routing(State, scope="turn"):
    """Who speaks."""

    next_agent: Literal["talk", "closer"] = "talk"


class Research(State, scope="turn"):
    """What was found."""

    found: str = ""


class Review(State, scope="turn"):
    """What is thought of it."""

    good: bool = False


class Log(State):
    """One line for each turn."""

    lines: tuple[str, ...] = ()


def _ordered(dice: random.Random) -> tuple[Team, ScriptedModel]:
    """A team of six that think, whose members take their time as the dice say."""

    async def pause() -> None:
        for _ in range(dice.randrange(12)):
            await asyncio.sleep(0)

    async def look(message: UserMessage) -> Research:
        await pause()
        return Research(found=message.text[:12])

    async def route(memory: Memory) -> Routing:
        await pause()
        return Routing(next_agent="closer" if memory.timeline else "talk")

    async def note(notes: Notes, message: UserMessage) -> Notes:
        await pause()
        return Notes(lines=(*notes.lines, message.text))

    async def review(research: Research, notes: Notes) -> Review:
        await pause()
        return Review(good=len(research.found) > len(notes.lines))

    async def intrude(research: Research, routing: Routing) -> Own:
        await pause()
        return cast("Own", (Own(line=research.found + routing.next_agent), Score(points=9)))

    def chronicle(log: Log, review: Review, reply: AgentReply, notes: Notes) -> Log:
        return Log(lines=(*log.lines, f"{reply.agent} {review.good} {len(notes.lines)} {reply.text}"))

    async def answer(asked: Asked) -> Answer:
        await pause()
        if "<user_message>" in asked.prompt:
            return Call("record", {"Extra": {"text": asked.prompt[-30:]}})
        return ["Fine. ", "Go on.", Call("record", {"Memory": {"timeline": "six weeks"}}, id="r")]

    extra = thinker("extra", reads=[Research], owns=[Extra], role="Look.")
    seat = OneOf(
        speaker("talk", reads=[Memory, Research], owns=[Memory], role="Talk."),
        speaker("closer", reads=[Memory, Review], owns=[Memory], role="Close."),
        chosen_by=Routing,
    )
    team = Team(look, route, note, review, intrude, extra, seat, at_close=[_judge, chronicle])
    return team, ScriptedModel(answer)


class Extra(State):
    """What a thinking model recorded."""

    text: str = ""


def test_every_order_of_acting_gives_the_same_log_and_the_same_states() -> None:
    """A hundred random orders of two turns: equal events in equal order, and states equal to the byte."""

    async def played(seed: int) -> str:
        team, model = _ordered(random.Random(seed))
        async with Assistant(model, team=team, store="memory:", clock=lambda: 1_700_000_000_000_000) as shop:
            chat = shop.conversation("c")
            for text in (SAID, "And then?"):
                await chat.send(text)
            states = [(await chat.state(state)).model_dump_json() for state in team.states]
            events = await chat.events()
            assert_gapless(events)
            return "\n".join([*states, *(repr(found) for found in events)])

    async def scenario() -> None:
        first = await played(0)
        assert "six weeks" in first
        assert "closer" in first
        for seed in range(1, ORDERS):
            assert (await played(seed)).encode() == first.encode(), f"order {seed}"

    run(scenario())


# An agent that fails


class Ran:
    """Counts who ran, and fails where it is told to."""

    def __init__(self, *failing: str) -> None:
        self.names: list[str] = []
        self.failing = set(failing)
        self.hook: Callable[[], None] | None = None

    def __call__(self, name: str) -> None:
        """One has run."""
        self.names.append(name)
        if name in self.failing:
            raise ConnectionError(f"{name} is down")
        if name == "second" and self.hook is not None:
            self.hook()


def _staged(ran: Ran) -> Team:
    """Two stages: two agents side by side, then two more."""

    async def first(message: UserMessage) -> Research:
        ran("first")
        return Research(found=message.text)

    def beside(notes: Notes, message: UserMessage) -> Notes:
        ran("beside")
        return Notes(lines=(*notes.lines, message.text))

    async def second(research: Research) -> Review:
        ran("second")
        return Review(good=bool(research.found))

    async def other(research: Research) -> Own:
        ran("other")
        await asyncio.sleep(0)
        return Own(line=research.found)

    talk = speaker("talk", reads=[Memory], owns=[Memory], role="Talk.")
    return Team(first, beside, second, other, talk, at_close=[_judge])


def test_what_an_agent_raises_comes_out_as_one_error(store: str) -> None:
    """Not as a group; the message is kept, the same key goes on, and no stage on record is run again."""

    async def scenario() -> None:
        ran = Ran("second")
        async with Assistant(ScriptedModel(_answer), team=_staged(ran), store=store) as shop:
            chat = shop.conversation("c")
            with pytest.raises(AgentFailed) as failed:
                await chat.send(SAID, key="k")
            assert (failed.value.agent, failed.value.retry) == ("second", True)
            assert "ConnectionError: second is down" in failed.value.reason
            assert isinstance(failed.value.__cause__, ConnectionError)
            events = await chat.events()
            assert user_text(cast("Any", events[1].event).message) == SAID
            (failure,) = await recorded(chat, TurnFailed)
            assert (failure.reason, failure.retry) == ("internal", True)
            assert "second" in failure.message
            assert kinds(events).count("ModelResponded") == 0
            assert await chat.state(Notes) == Notes(), "what a failed turn wrote is not in force"
            ran.failing.clear()
            assert (await chat.send(SAID, key="k")).text == "Noted."
            assert ran.names.count("first") == ran.names.count("beside") == 1
            assert ran.names.count("second") == 2
            assert await chat.state(Notes) == Notes(lines=(SAID,))
            assert (await chat.send(SAID, key="k")).replayed
            assert ran.names.count("second") == 2

    run(scenario())


def test_two_agents_that_fail_side_by_side_are_one_error_too() -> None:
    """One of them says enough; the other one's is not lost in a group."""

    async def scenario() -> None:
        async with Assistant(
            ScriptedModel(_answer), team=_staged(Ran("second", "other")), store="memory:"
        ) as shop:
            with pytest.raises(AgentFailed) as failed:
                await shop.conversation("c").send(SAID)
            assert failed.value.agent in {"second", "other"}

    run(scenario())


def test_a_turn_that_failed_for_good_leaves_no_state(store: str) -> None:
    """The next message begins from what was in force before it."""

    async def scenario() -> None:
        ran = Ran("second")
        async with Assistant(ScriptedModel(_answer), team=_staged(ran), store=store) as shop:
            chat = shop.conversation("c")
            with pytest.raises(AgentFailed):
                await chat.send("lost", key="k")
            ran.failing.clear()
            await chat.send("kept")
            assert await chat.state(Notes) == Notes(lines=("kept",))
            assert (await chat.state(Score)).points == 1
        if not store.startswith("sqlite"):
            return
        async with Assistant(ScriptedModel(_answer), team=_staged(ran), store=store) as shop:
            assert await shop.conversation("c").state(Notes) == Notes(lines=("kept",))

    run(scenario())


def test_after_the_process_died_the_turn_goes_on_from_the_stage_on_record(tmp_path: Path) -> None:
    """What a stage wrote is durable before the next one begins; another process does not run it again."""
    alive, dead = tmp_path / "alive.db", tmp_path / "dead.db"

    def dies() -> None:
        # What stands in the file now is what a process that dies here leaves.
        if not dead.exists():
            with closing(sqlite3.connect(alive)) as source, closing(sqlite3.connect(dead)) as target:
                source.backup(target)

    async def scenario() -> None:
        ran = Ran()
        ran.hook = dies
        async with Assistant(ScriptedModel(_answer), team=_staged(ran), store=f"sqlite:///{alive}") as shop:
            await shop.conversation("c").send(SAID, key="k")
            whole = await shop.conversation("c").events()
        again = Ran()
        async with Assistant(ScriptedModel(_answer), team=_staged(again), store=f"sqlite:///{dead}") as shop:
            chat = shop.conversation("c")
            before = await chat.events()
            assert kinds(before)[-1] == "StateChanged"
            assert await chat.state(Notes) == Notes(), "the turn has not closed"
            reply = await chat.send(SAID, key="k")
            assert (reply.text, reply.turn) == ("Noted.", 1)
            assert sorted(again.names) == ["other", "second"]
            assert kinds(await chat.events()) == kinds(whole)
            assert await chat.state(Notes) == Notes(lines=(SAID,))

    run(scenario())


# Guards between a stream and its reader


class NoVans:
    """Objects to vans."""

    name = "no vans"

    def __init__(self, mode: Mode) -> None:
        self.mode: Mode = mode

    def check(self, sentence: str, view: View) -> Objection | None:
        """Whether a van is in it."""
        return Objection(self.mode, "no vans", "A truck.") if "van" in sentence else None


def _guarded(mode: Mode) -> Team:
    return Team(
        speaker("talk", reads=[Memory], owns=[Memory], role="Talk.", rules=None), guards=[NoVans(mode)]
    )


TALK = "Hello there.  It is a van.\n\nThe van is red! Bye."


@pytest.mark.parametrize(
    ("mode", "sent", "acted"),
    [
        ("off", TALK, []),
        ("observe", TALK, ["flagged", "flagged"]),
        ("regenerate", "Hello there.  It is a lorry.\n\nIt is a lorry. Bye.", ["rewritten", "rewritten"]),
        ("block", "Hello there.  A truck.\n\nA truck. Bye.", ["blocked", "blocked"]),
    ],
)
def test_what_was_released_is_the_reply_in_every_mode(
    mode: Mode, sent: str, acted: list[str], store: str
) -> None:
    """The joined sentences are what the turn closed with and what later requests show; nothing released changes."""

    def answer(asked: Asked) -> Answer:
        if "cannot be sent" in asked.prompt:
            return "It is a lorry."
        return TALK if len(asked.messages) == 1 else "Fine."

    async def scenario() -> None:
        model = ScriptedModel(answer)
        async with Assistant(model, team=_guarded(mode), store=store) as shop:
            chat = shop.conversation("c")
            stream, released = chat.stream("What is it?"), ""
            async for sentence in stream:
                released += sentence
                assert sent.startswith(released)
            assert released == sent == (await stream.reply()).text
            (responded,) = await recorded(chat, ModelResponded)
            assert response_text(responded.response) == TALK, "the log has what the model wrote"
            assert [turn.reply for turn in fold(await chat.events()).turns] == [sent]
            assert [act.action for act in await recorded(chat, GuardActed)] == acted
            await chat.send("And?")
            said = "\n".join(model.requests[-1].said)
            assert sent in said
            assert mode in {"off", "observe"} or "a van" not in said
        assert sum("cannot be sent" in asked.prompt for asked in model.requests) == (
            2 if mode == "regenerate" else 0
        )

    run(scenario())


@pytest.mark.parametrize("again", ["", "It is the van again.", "down"])
def test_a_sentence_that_cannot_be_written_again_is_sent_and_flagged(again: str) -> None:
    """Where the model fails or says nothing; what it does write is sent, and the log has both."""

    def answer(asked: Asked) -> Answer:
        if "cannot be sent" not in asked.prompt:
            return TALK
        return ModelHTTPError(500, "m", "down") if again == "down" else again

    async def scenario() -> None:
        async with Assistant(ScriptedModel(answer), team=_guarded("regenerate"), store="memory:") as shop:
            chat = shop.conversation("c")
            stream = chat.stream("What is it?")
            released = "".join([sentence async for sentence in stream])
            acts = await recorded(chat, GuardActed)
            written = again not in {"", "down"}
            assert [act.action for act in acts] == (["rewritten"] * 2 if written else ["flagged"] * 2)
            assert released == (await stream.reply()).text
            if not written:
                assert released == TALK

    run(scenario())
