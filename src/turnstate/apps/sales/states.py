"""What the sales assistant knows, in parts; who owns which is said by the agents' signatures in `agents.py`."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from pydantic import Field

from turnstate.core.state import InTurn, Item, Record, State, Verbatim

Dimension: TypeAlias = Literal["budget", "authority", "need", "timeline", "fit"]
"""What a buyer is scored on."""

DIMENSIONS: Final[tuple[Dimension, ...]] = ("budget", "authority", "need", "timeline", "fit")

Phase: TypeAlias = Literal["discovery", "qualification", "asset sharing", "close"]
"""Where a sale stands."""

PHASES: Final[tuple[Phase, ...]] = ("discovery", "qualification", "asset sharing", "close")

Verdict: TypeAlias = Literal["IN_PROGRESS", "QUALIFIED", "UNQUALIFIED"]
Level: TypeAlias = Literal["NOTHING ASKED", "ACCURATE", "PARTIAL", "MISSING"]
"""How far the knowledge base answers what was asked."""

Specialist: TypeAlias = Literal["discovery", "consultant", "presenter", "closer", "farewell"]
"""Who speaks."""


class Score(Record):
    """One score of a buyer, with the words that it rests on.

    Attributes:
        value: from 0 (rules the buyer out) to 100 (settled in our favour).
        said: the value itself, as short as the buyer put it: "six weeks", "$55,000".
        quote: the buyer's words.
        turn: when they were said; 0 for not yet.
    """

    value: int = Field(default=0, ge=0, le=100)
    said: str = ""
    quote: Verbatim = ""
    turn: InTurn = 0


class PainPoint(Item):
    """Something that costs the buyer time or money today."""

    text: str = ""
    quote: Verbatim = ""
    turn: InTurn = 0


class Objection(Item):
    """Something that speaks against buying, and how it was handled."""

    text: str = ""
    quote: Verbatim = ""
    handled: str = ""
    turn: InTurn = 0


class Promise(Item):
    """Something that either side will do."""

    by: Literal["buyer", "us"] = "us"
    text: str = ""
    turn: InTurn = 0
    kept: bool = False


class Memory(State):
    """The contextual memory; the seated specialist owns it."""

    industry: str = Field(default="", description="what business the buyer is in")
    pain_points: tuple[PainPoint, ...] = ()
    topics: tuple[str, ...] = Field(default=(), description="what was talked about, one word each")
    objections: tuple[Objection, ...] = ()
    commitments: tuple[Promise, ...] = ()
    next_step: str = Field(default="", description="what is to happen next, in a few words")


class Scores(State):
    """How well the buyer fits, dimension by dimension; the seated specialist owns it."""

    budget: Score = Score()
    authority: Score = Score()
    need: Score = Score()
    timeline: Score = Score()
    fit: Score = Score()


class Mention(Record):
    """One thing of interest in the newest message.

    Attributes:
        kind: a dimension, "industry", "pain", "objection", "topic", "promise" or "back".
        said: the value, short and normalised only in its white space: "six weeks", "$55,000".
        quote: the buyer's words, verbatim.
        value: for a dimension its score, from 0 to 100.
        corrects: whether it takes an earlier value back.
    """

    kind: str = ""
    said: str = ""
    quote: str = ""
    value: int = Field(default=0, ge=0, le=100)
    corrects: bool = False


class Heard(State, scope="turn"):
    """What the newest message says and does; by rules, before anybody plans an answer."""

    mentions: tuple[Mention, ...] = ()
    asks: bool = False
    thanks: bool = False
    declines: bool = False
    digresses: bool = False


class Language(State):
    """The language that the user writes, as an ISO 639-1 code."""

    code: str = "en"


class Source(Record):
    """A passage that may be used as a fact."""

    source: str = ""
    text: str = ""


class Research(State, scope="turn"):
    """What the knowledge base holds on the newest message."""

    level: Level = "NOTHING ASKED"
    evidence: tuple[Source, ...] = ()
    gap: str = ""


class Routing(State, scope="turn"):
    """What the orchestrator proposes; guards over the scores decide at the close."""

    next_agent: Specialist = "discovery"
    phase: Phase = "discovery"
    reason: str = ""


class Qualification(State):
    """Whether the buyer is one for us."""

    is_qualified: Verdict = "IN_PROGRESS"
    reason: str = ""
    turn: int = 0


class Progress(State):
    """Where the conversation stands on its way.

    Attributes:
        phase: now.
        previous_phase: before the last change, or "".
        since: the turn of the last change.
        reason: why it changed.
        idle: turns in a row that brought nothing new.
        hops: changes of phase so far.
    """

    phase: Phase = "discovery"
    previous_phase: Phase | Literal[""] = ""
    since: int = 0
    reason: str = ""
    idle: int = 0
    hops: int = 0


class Shared(Item):
    """An asset that was shared, or another of the business's functions that was used."""

    name: str = ""
    turn: int = 0


class Offered(State):
    """What the buyer has been shown."""

    shared: tuple[Shared, ...] = ()


class Answer(Item):
    """What an agent said."""

    agent: str = ""
    turn: int = 0
    text: str = ""


class Answers(State):
    """The last replies, by agent; for audit, not for reasoning."""

    last: tuple[Answer, ...] = ()


class Asking(Item):
    """A dimension that was asked for; its id is the dimension's name."""

    turn: int = 0
    times: int = 0


class Questions(State):
    """What the buyer was asked for, dimension by dimension."""

    asked: tuple[Asking, ...] = ()
