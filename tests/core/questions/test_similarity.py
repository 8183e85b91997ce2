"""How alike two questions are."""

from __future__ import annotations

import csv
import random
from collections import defaultdict
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnstate.core.questions import SAME, similarity
from turnstate.core.questions.profile import profile
from turnstate.core.questions.similarity import FEATURES, features
from turnstate.core.questions.weights import WEIGHTS

SAME_THING = [
    ("What's your budget?", "How much are you planning to spend?"),
    ("What's your budget?", "Do you have a price range in mind?"),
    ("Could you tell me your order number?", "What is the order number, please?"),
    ("How many people will be joining?", "What is the size of your party?"),
    ("When would you like to leave?", "What is your departure date?"),
    ("Where are you flying from?", "What is your departure city?"),
    ("What is your timeline?", "When do you need this by?"),
    ("May I have your name?", "Who am I speaking with?"),
]

OTHER_THING = [
    ("Where are you flying from?", "Where are you flying to?"),
    ("What day would you like to check in?", "What day would you like to check out?"),
    ("What date works for you?", "What time works for you?"),
    ("What's your budget?", "What's your timeline?"),
    ("How many people will be staying?", "How many nights will you stay?"),
    ("What is your email?", "What is your phone number?"),
    ("Which tools do you use today?", "Who signs off on the purchase?"),
    ("Do you need parking?", "Do you need a balcony?"),
]

QUESTIONS = st.lists(
    st.sampled_from(
        [
            "what",
            "when",
            "where",
            "who",
            "how",
            "many",
            "time",
            "date",
            "city",
            "budget",
            "is",
            "your",
            "the",
            "leaving",
            "from",
            "to",
            "flight",
            "hotel",
            "name",
            "?",
            "please",
            "two",
        ]
    ),
    max_size=12,
).map(" ".join)


@pytest.mark.parametrize(("one", "other"), SAME_THING)
def test_other_words_for_the_same_are_alike(one: str, other: str) -> None:
    """Two ways to ask for one thing score higher than either does against any unrelated question."""
    assert similarity(one, other) > max(
        similarity(one, "Do you need parking?"), similarity(other, "Do you need parking?")
    )


@pytest.mark.parametrize(("one", "other"), OTHER_THING)
def test_alike_words_for_other_things_are_not_taken_for_the_same(one: str, other: str) -> None:
    """Questions that differ in what they ask, or in which end of a trip, stay below the threshold."""
    assert similarity(one, other) < SAME


@given(st.text() | QUESTIONS, st.text() | QUESTIONS)
def test_similarity_is_symmetric_and_bounded(one: str, other: str) -> None:
    """No text raises; the order does not matter; the score is between 0 and 1, and 1 for the same text."""
    score = similarity(one, other)
    assert 0.0 <= score <= 1.0
    assert score == similarity(other, one)
    assert similarity(one, one) == 1.0


@given(QUESTIONS)
def test_courtesies_around_a_question_do_not_count(question: str) -> None:
    """What a reply says besides its question does not change what it asks."""
    asked = f"{question} what is your budget?"
    assert profile(f"Thanks, that is noted. {asked}").wanted == profile(asked).wanted


def test_every_figure_has_its_weight() -> None:
    """Figures, their names and their weights go together, and stay few."""
    figures = features(profile("What is your name?"), profile("And the date?"))
    assert len(figures) == len(FEATURES) == len(WEIGHTS) <= 100


def test_hostile_questions_are_compared_in_time() -> None:
    """A question of a hundred thousand characters is read by its end."""
    assert 0.0 <= similarity("what " * 25_000 + "?", "a" * 100_000) <= 1.0


def test_questions_of_unseen_services_are_told_apart(shared_data: Path) -> None:
    """On services that no weight has seen, questions for one slot rank above those for another: area at least 0.90."""
    path = shared_data / "sgd_question_bank" / "questions.tsv"
    if not path.is_file():
        pytest.skip("sgd_question_bank is not among the recorded dialogues")
    slots: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    with path.open(encoding="utf-8") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            slots[row["service"], row["slot"]].append(row["question"])
    draw, names = random.Random(3), sorted(slots)
    same, other = list[float](), list[float]()
    for _ in range(1_500):
        one, two = draw.sample(names, 2)
        first = draw.choice(slots[one])
        same.append(similarity(first, draw.choice([text for text in slots[one] if text != first])))
        other.append(similarity(first, draw.choice(slots[two])))
    ranked = sorted([(score, 1) for score in same] + [(score, 0) for score in other])
    won = below = 0
    for _, alike in ranked:
        won += below * alike
        below += 1 - alike
    assert won / (len(same) * len(other)) >= 0.90
