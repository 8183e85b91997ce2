"""The questions of a text: what is one, where it stands, and what it is for."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnstate.core.questions import Question, QuestionKind, find_questions

ASKED = {
    "What's your budget?": "What's your budget?",
    "Great, thanks. Could you tell me your order number.": "Could you tell me your order number.",
    "I'd need to know how many seats you plan for.": "I'd need to know how many seats you plan for.",
    "That helps. And the timeline?": "And the timeline?",
    "Please give me your order number": "Please give me your order number",
    "Right, and your PIN as well please.": "Right, and your PIN as well please.",
    "It would help to know who signs off on this.": "It would help to know who signs off on this.",
    "I was wondering which tools you use today.": "I was wondering which tools you use today.",
    "What is your name": "What is your name",
    "Dr. Smith is in. What time suits you?": "What time suits you?",
    "Could you confirm your order number?": "Could you confirm your order number?",
    "Bitte nennen Sie mir Ihre Bestellnummer.": "Bitte nennen Sie mir Ihre Bestellnummer.",
    "Wie hoch ist Ihr Budget?": "Wie hoch ist Ihr Budget?",
    "¿Cuál es su presupuesto?": "¿Cuál es su presupuesto?",
    "Pourriez-vous me donner votre adresse": "Pourriez-vous me donner votre adresse",
    "请提供您的订单号": "请提供您的订单号",
    "您的预算是多少？": "您的预算是多少？",
    "ご予算はいくらですか。": "ご予算はいくらですか。",
    "ما هي ميزانيتك؟": "ما هي ميزانيتك؟",
    "Ποιος είναι ο προϋπολογισμός σας\u037e": "Ποιος είναι ο προϋπολογισμός σας\u037e",
}

NOT_ASKED = [
    "",
    "Your order has shipped.",
    "What I can do is refund you.",
    "When you arrive, call us.",
    "Let me know if you have any questions.",
    "How it works: you press the button.",
    "> What is your budget?",
    "```\nwhat is x?\n```",
]

KINDS = {
    "Anything else I can help with?": QuestionKind.COURTESY,
    "Does that make sense?": QuestionKind.COURTESY,
    "How can I help you today?": QuestionKind.COURTESY,
    "Is there anything else that I can do for you?": QuestionKind.COURTESY,
    "还有什么可以帮您？": QuestionKind.COURTESY,
    "Kann ich Ihnen sonst noch helfen?": QuestionKind.COURTESY,
    "So that's order 12345, right?": QuestionKind.CONFIRM,
    "You're flying to Boston?": QuestionKind.CONFIRM,
    "Just to confirm, you need it by March?": QuestionKind.CONFIRM,
    "Is the order number 12345 correct?": QuestionKind.CONFIRM,
    "Can you confirm that your budget is 20k?": QuestionKind.CONFIRM,
    "Die Nummer ist 12345, richtig?": QuestionKind.CONFIRM,
    "订单号是12345，对吗？": QuestionKind.CONFIRM,
    "Shall I book it for you?": QuestionKind.OFFER,
    "Would you like me to send the case study?": QuestionKind.OFFER,
    "Does Tuesday at ten work?": QuestionKind.ASK,
    "Would you like to pay by card or cash?": QuestionKind.ASK,
    "We have several rooms, do you have a price range in mind?": QuestionKind.ASK,
}


@pytest.mark.parametrize("text", ASKED)
def test_a_question_is_found_in_its_own_words(text: str) -> None:
    """Direct, indirect, elliptic and imperative questions are found, with and without a sign, in several languages."""
    assert [question.text for question in find_questions(text)] == [ASKED[text]]


@pytest.mark.parametrize("text", NOT_ASKED)
def test_what_states_or_quotes_is_no_question(text: str) -> None:
    """Statements that open like questions, standing invitations, quotes and code ask for nothing."""
    assert find_questions(text) == ()


@pytest.mark.parametrize("text", KINDS)
def test_a_question_is_told_by_what_it_is_for(text: str) -> None:
    """Courtesies, read-backs and offers are told from what wants to know something."""
    assert [question.kind for question in find_questions(text)] == [KINDS[text]]


def test_two_questions_in_one_sentence_are_two() -> None:
    """A sentence that asks two things is split where the second question begins."""
    found = find_questions("And what's your budget, and when do you need it?")
    assert [question.text for question in found] == ["And what's your budget", "when do you need it?"]


def test_a_place_is_that_of_the_words() -> None:
    """The offsets of a question lead to its words in the text."""
    text = "**Great!** Thanks.\n\n- What is your budget?\n- When do you start?"
    assert [text[question.start : question.end] for question in find_questions(text)] == [
        "What is your budget?",
        "When do you start?",
    ]


WORDS = st.lists(
    st.sampled_from(
        [
            "what",
            "when",
            "your",
            "budget",
            "is",
            "the",
            "?",
            ".",
            "!",
            ",",
            "and",
            "please",
            "tell",
            "me",
            "could",
            "you",
            ";",
            "\n",
            "right",
            "```",
            ">",
            "吗",
            "？",
            "…",
            "no",
            "I'd",
            "need",
            "to",
            "know",
        ]
    )
).map(" ".join)


@given(st.text() | WORDS)
def test_any_text_has_questions_in_order(text: str) -> None:
    """No text raises, and what is found stands in it, in order, without overlap."""
    found = find_questions(text)
    assert all(question.text == text[question.start : question.end] for question in found)
    assert all(question.text.strip() for question in found)
    assert all(one.end <= other.start for one, other in itertools.pairwise(found))


@pytest.mark.parametrize(
    "piece",
    ["?", " ", ".", "what ", " and what ", ", ", "please ", "your - ", "``` ", "so ", "if ", "🙂", "a" * 50],
)
def test_hostile_text_is_read_to_its_end(piece: str) -> None:
    """A hundred thousand characters of one kind are read without a blow-up."""
    text = piece * (100_000 // len(piece)) + " What is your budget?"
    assert all(isinstance(question, Question) for question in find_questions(text))
