"""Questions as a whole: found in a reply, matched with what was asked, judged by what was answered."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnstate.core.questions import (
    Answer,
    AskedQuestion,
    Asks,
    Exchange,
    Outgoing,
    Reason,
    find_questions,
    key_of,
    repetition,
)

ASKS = {
    "budget": Asks("budget", ("spend",), lasting=True),
    "date": Asks("arrival date", ("arrive",)),
    "consent": Asks("consent", ("agree",), required=True),
}
words = st.lists(
    st.sampled_from(
        [
            "what",
            "is",
            "your",
            "budget",
            "when",
            "do",
            "you",
            "arrive",
            "?",
            ".",
            "I",
            "agree",
            "5",
            "we",
            "spend",
        ]
    ),
    max_size=14,
).map(" ".join)


def judged(reply: str, asked: str, user: str) -> tuple[str, Reason]:
    """The verdict on the first question of a reply, after an earlier one and its answer."""
    question = find_questions(reply)[0]
    key = key_of(question, ASKS) or ""
    before = [AskedQuestion(key_of(asked, ASKS) or "", asked, 1)]
    outgoing = Outgoing(question, key, reply=reply, asks=ASKS.get(key, Asks("")))
    verdict = repetition(outgoing, before, [Exchange(1, "Hello.", asked), Exchange(2, user)])
    return verdict.kind, verdict.reason


@pytest.mark.parametrize(
    ("reply", "asked", "user", "kind"),
    [
        ("Thanks. What is your budget?", "What is your budget?", "It is $500.", "repeated"),
        ("How much can you spend?", "What is your budget?", "About 500 dollars.", "repeated"),
        ("What is your budget?", "What is your budget?", "Where are you located?", "legitimate"),
        ("What is your budget?", "What is your budget?", "I would rather not say.", "legitimate"),
        ("Do you agree?", "Do you agree?", "Yes.", "legitimate"),
        ("When do you arrive?", "What is your budget?", "It is $500.", "new"),
    ],
)
def test_from_a_reply_to_a_verdict(reply: str, asked: str, user: str, kind: str) -> None:
    """Asked and answered, in the same or in other words; not answered; required; another thing."""
    assert judged(reply, asked, user)[0] == kind


def test_what_is_on_record_counts_more_than_what_was_said() -> None:
    """A volunteered answer makes the first asking a repetition; a retracted one does not."""
    outgoing = Outgoing("What is your budget?", "budget", asks=ASKS["budget"])
    known = Answer("budget", 1, "we can spend $500")
    assert repetition(outgoing, [], [], [known]).reason is Reason.VOLUNTEERED
    gone = Answer("budget", 1, "we can spend $500", current=False)
    assert repetition(outgoing, [], [], [gone]).kind == "new"


@given(words, words, words)
def test_any_words_get_a_verdict(reply: str, asked: str, user: str) -> None:
    """Nothing raises, and what cannot be decided is sent."""
    for question in find_questions(reply):
        key = key_of(question, ASKS) or ""
        outgoing = Outgoing(question, key, reply=reply, asks=ASKS.get(key, Asks("")))
        verdict = repetition(
            outgoing, [AskedQuestion("", asked, 1)], [Exchange(1, "", asked), Exchange(2, user)]
        )
        assert verdict.kind in {"new", "legitimate", "repeated", "undecided"}
        assert verdict.kind != "repeated" or verdict.answer or verdict.earlier
