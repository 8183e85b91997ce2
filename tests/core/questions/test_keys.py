"""Which key a question asks for."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnstate.core.questions import Asks, Question, QuestionKind, find_questions, key_of, match_key

KEYS = {
    "budget": Asks("budget", ("how much", "spend"), ("What is your budget?",)),
    "authority": Asks("decision maker", ("sign off", "who decides"), ("Who makes the decision?",)),
    "timeline": Asks("timeline", ("go live", "deadline"), ("When do you need it by?",)),
    "order_number": Asks("order number"),
    "phone_number": Asks("number", ("phone",)),
}


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("What's your budget?", "budget"),
        ("How much could you spend?", "budget"),
        ("And who has to sign off?", "authority"),
        ("And the timeline?", "timeline"),
        ("When do you hope to go live?", "timeline"),
        ("When do you need this by?", "timeline"),
        ("Could you give me the order number?", "order_number"),
        ("What is the number?", "phone_number"),
        ("What's your favourite colour?", None),
        ("", None),
    ],
)
def test_a_question_is_matched_by_the_words_of_a_key_and_then_by_its_examples(
    text: str, key: str | None
) -> None:
    """A key's own words decide, the longest first; then a question like its examples; else none."""
    assert key_of(text, KEYS) == key


def test_a_courtesy_asks_for_no_key() -> None:
    """A courtesy has no key, whatever words stand in it."""
    (question,) = find_questions("Any other questions about your budget?")
    assert question.kind is QuestionKind.COURTESY
    assert key_of(question, KEYS) is None


def test_without_keys_there_is_none() -> None:
    """No declared key, no key."""
    assert key_of("What's your budget?", {}) is None


@given(st.text(), st.dictionaries(st.text(max_size=8), st.builds(Asks, st.text(max_size=12)), max_size=4))
def test_any_text_has_a_declared_key_or_none(text: str, keys: dict[str, Asks]) -> None:
    """No text and no declaration raises, and what is found was declared."""
    found = key_of(Question(text, 0, len(text)), keys)
    assert found is None or found in keys


def test_a_match_says_whether_the_key_was_named() -> None:
    """A key that is named is told from one that only an example suggests."""
    named, guessed = match_key("And the budget?", KEYS), match_key("When do you need this by?", KEYS)
    assert named is not None
    assert (named.key, named.by, named.likeness) == ("budget", "key", 1.0)
    assert guessed is not None
    assert (guessed.key, guessed.by) == ("timeline", "paraphrase")
    assert guessed.likeness < 1.0
