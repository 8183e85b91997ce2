"""What the tests of the sales rules share: states as any conversation could have them."""

from __future__ import annotations

from hypothesis import strategies as st

from turnstate.apps.sales.picture import Picture
from turnstate.apps.sales.policy import read_policy
from turnstate.apps.sales.states import (
    DIMENSIONS,
    PHASES,
    Asking,
    Heard,
    Memory,
    Mention,
    Offered,
    PainPoint,
    Progress,
    Promise,
    Qualification,
    Questions,
    Research,
    Routing,
    Score,
    Scores,
    Shared,
    Source,
)

POLICY = read_policy()
"""The sample."""

KINDS = (*DIMENSIONS, "industry", "pain", "objection", "topic", "promise", "back")

LEVELS = ("NOTHING ASKED", "ACCURATE", "PARTIAL", "MISSING")

words = st.text("abc d$5", min_size=1, max_size=8)
turns = st.integers(1, 30)


def score(value: int = 80, turn: int = 1, said: str = "yes") -> Score:
    """A score that was heard."""
    return Score(value=value, said=said, quote=said, turn=turn)


def all_scores(value: int = 80, **others: Score) -> Scores:
    """Every dimension with this value, but for `others`."""
    return Scores.model_validate({name: score(value) for name in DIMENSIONS} | others)


def heard(*mentions: Mention, **more: bool) -> Heard:
    """What a message says."""
    return Heard.model_validate({"mentions": mentions, **more})


def mention(kind: str, said: str = "so", value: int = 80, *, corrects: bool = False) -> Mention:
    """One thing that a message says."""
    return Mention(kind=kind, said=said, quote=f"it is {said}", value=value, corrects=corrects)


def asked(*names: str, times: int = 1) -> Questions:
    """What was asked for."""
    return Questions(asked=tuple(Asking(id=name, turn=n, times=times) for n, name in enumerate(names, 1)))


def _id(item: PainPoint | Promise) -> str:
    return item.id


mentions = st.builds(
    Mention,
    kind=st.sampled_from(KINDS),
    said=words,
    quote=words,
    value=st.integers(0, 100),
    corrects=st.booleans(),
)
messages = st.builds(
    Heard,
    mentions=st.lists(mentions, max_size=4).map(tuple),
    asks=st.booleans(),
    thanks=st.booleans(),
    declines=st.booleans(),
    digresses=st.booleans(),
)
some_score = st.builds(Score, value=st.integers(0, 100), said=words, quote=words, turn=turns)
scored = st.builds(Scores, **{name: st.just(Score()) | some_score for name in DIMENSIONS})
promises = st.builds(Promise, id=words, text=words, kept=st.booleans())
pains = st.builds(PainPoint, id=words, text=words, turn=turns)
remembered = st.builds(
    Memory,
    industry=st.just("") | words,
    pain_points=st.lists(pains, max_size=3, unique_by=_id).map(tuple),
    topics=st.lists(words, max_size=3, unique=True).map(tuple),
    commitments=st.lists(promises, max_size=3, unique_by=_id).map(tuple),
    next_step=st.just("") | words,
)
sources = st.builds(Source, source=words, text=words)
found_out = st.builds(
    Research,
    level=st.sampled_from(LEVELS),
    evidence=st.lists(sources, max_size=3).map(tuple),
    gap=st.just("") | words,
)
stands = st.builds(
    Progress,
    phase=st.sampled_from(PHASES),
    since=turns,
    reason=words,
    idle=st.integers(0, 6),
    hops=st.integers(0, 14),
)
verdicts = st.builds(
    Qualification,
    is_qualified=st.sampled_from(("IN_PROGRESS", "QUALIFIED", "UNQUALIFIED")),
    reason=words,
    turn=turns,
)
shown = st.builds(
    Offered,
    shared=st.lists(st.sampled_from(tuple(POLICY.assets)), unique=True).map(
        lambda names: tuple(Shared(id=name, name=name, turn=1) for name in names)
    ),
)
questions = st.builds(
    Questions,
    asked=st.lists(st.sampled_from(DIMENSIONS), unique=True).flatmap(
        lambda names: st.integers(1, 3).map(lambda times: asked(*names, times=times).asked)
    ),
)
routes = st.builds(
    Routing,
    next_agent=st.sampled_from(("discovery", "consultant", "presenter", "closer", "farewell")),
    phase=st.sampled_from(PHASES),
    reason=words,
)
pictures = st.builds(
    Picture,
    policy=st.just(POLICY),
    memory=remembered,
    scores=scored,
    heard=messages,
    research=found_out,
    progress=stands,
    found=verdicts,
    offered=shown,
    routing=routes,
    questions=questions,
)
"""Any conversation, also one that no rules would lead to: a model may have recorded it."""
