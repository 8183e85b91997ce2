"""Remembering by rules: what is new is put beside what was on record, and only a correction takes its place."""

from __future__ import annotations

import pytest
from hypothesis import given

from apps.sales.pictures import (
    all_scores,
    found_out,
    heard,
    mention,
    messages,
    remembered,
    score,
    scored,
    turns,
)
from turnstate.apps.sales.remembering import OUT, POINTS, TOPICS, remember
from turnstate.apps.sales.states import (
    DIMENSIONS,
    Dimension,
    Heard,
    Memory,
    Mention,
    Research,
    Scores,
    Source,
)

NOTHING = Research()


@given(remembered, scored, messages, found_out, turns)
def test_what_was_on_record_is_never_lost(
    memory: Memory, scores: Scores, said: Heard, found: Research, turn: int
) -> None:
    """Pains, objections and commitments are added to, topics too; a score changes only by a mention of its own."""
    after, scored_after = remember(memory, scores, said, found, turn)
    for name in ("pain_points", "objections", "commitments", "topics"):
        before, now = getattr(memory, name), getattr(after, name)
        assert now[: len(before)] == before
    assert after.next_step == memory.next_step
    told = {each.kind for each in said.mentions}
    for name in DIMENSIONS:
        old, new = getattr(scores, name), getattr(scored_after, name)
        if name not in told:
            assert new == old
        elif new != old:
            assert (new.turn, new.said) in {(turn, each.said) for each in said.mentions if each.kind == name}
    if "industry" not in told:
        assert after.industry == memory.industry


@given(remembered, scored, messages, found_out, turns)
def test_a_score_that_was_heard_stays_heard(
    memory: Memory, scores: Scores, said: Heard, found: Research, turn: int
) -> None:
    """No message makes a dimension unknown again, and every mention of an unknown one is put down."""
    _, after = remember(memory, scores, said, found, turn)
    for name in DIMENSIONS:
        known = getattr(scores, name).turn or any(each.kind == name for each in said.mentions)
        assert bool(getattr(after, name).turn) == bool(known)


@given(remembered, scored, found_out, turns)
def test_a_message_that_says_nothing_changes_nothing(
    memory: Memory, scores: Scores, found: Research, turn: int
) -> None:
    """The very same values come back; only what is missing on record leaves a promise to answer."""
    after, scored_after = remember(memory, scores, Heard(thanks=True, asks=True), found, turn)
    if found.level == "MISSING":
        assert after.commitments[-1].text == f"answer by e-mail: {found.gap}"
        assert after.model_copy(update={"commitments": memory.commitments}) == memory
    else:
        assert after is memory
    assert scored_after is scores


@pytest.mark.parametrize(
    ("name", "value", "corrects", "counts"),
    [
        ("budget", 20, False, True),
        ("budget", 90, False, True),
        ("timeline", 90, False, False),
        ("timeline", 20, True, True),
        ("need", 90, False, True),
        ("need", 60, False, False),
        ("need", 60, True, True),
        ("authority", OUT, False, True),
        ("fit", OUT + 1, False, False),
        ("fit", 80, False, True),
    ],
)
def test_which_words_take_the_place_of_others(
    name: Dimension, value: int, corrects: bool, counts: bool
) -> None:
    """Of budgets the last; a date stands until it is taken back; of the others the strongest, or what rules out."""
    said = heard(mention(name, "new", value, corrects=corrects))
    _, after = remember(Memory(), all_scores(80), said, NOTHING, 7)
    assert (getattr(after, name).said == "new") == counts
    assert getattr(after, name).turn == (7 if counts else 1)


def test_what_is_put_down_has_its_words_and_its_turn() -> None:
    """An objection also where its answer stands."""
    said = heard(
        mention("pain", "late vans"),
        mention("pain", "retyping"),
        mention("objection", "too dear"),
        mention("promise", "send the list"),
        mention("topic", "pricing"),
        mention("topic", "pricing"),
        mention("industry", "freight"),
    )
    found = Research(evidence=(Source(source="pricing.md, Price", text="…"),))
    memory, _ = remember(Memory(topics=("security",)), Scores(), said, found, 4)
    assert [(each.id, each.text, each.turn) for each in memory.pain_points] == [
        ("4.1", "late vans", 4),
        ("4.2", "retyping", 4),
    ]
    assert (memory.objections[0].text, memory.objections[0].handled) == ("too dear", "pricing.md, Price")
    assert (memory.commitments[0].by, memory.commitments[0].text) == ("buyer", "send the list")
    assert memory.topics == ("security", "pricing")
    assert memory.industry == "freight"


def test_memory_is_bounded() -> None:
    """A conversation may be long: the newest are kept."""
    memory, scores = Memory(), Scores(need=score())
    for turn in range(1, 60):
        said = Heard(
            mentions=tuple(
                Mention(kind=kind, said=f"{kind} {turn}") for kind in ("pain", "topic", "objection")
            )
        )
        memory, scores = remember(memory, scores, said, NOTHING, turn)
    assert [each.turn for each in memory.pain_points] == list(range(60 - POINTS, 60))
    assert len(memory.objections) == POINTS
    assert memory.topics[-1] == "topic 59"
    assert len(memory.topics) == TOPICS
