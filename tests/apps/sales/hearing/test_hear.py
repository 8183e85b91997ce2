"""Hearing a whole message: one span for one dimension, quotes that stand in it, the buyer's words alone."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from turnstate.apps.sales.hearing import hear
from turnstate.apps.sales.script import BUYER
from turnstate.apps.sales.states import DIMENSIONS, Heard

PIECES = (
    "we have about $40k", "our budget is", "forty thousand dollars", "instead of", "actually", "in six weeks", "before March", "asap",
    "I decide", "my boss has to approve", "it's a committee", "we lose 10 hours a week", "it's killing us", "just looking around",
    "we're a 40-person logistics company", "freight forwarding", "too expensive", "worried about migration", "we already use X",
    "I'll send you the data by Friday", "let's go back to pricing", "not interested", "thanks", "does it integrate with SAP?", "if", "not",
    "a friend", "\n", "  ", ",", ".", "?", "but", "and", "“", "”", "'", "—", "55,000", "me", "six", "40", "Budget?", "\ud83d\ude00", "\u200b",
    "我们", "Wir haben", "> quoted", "```", "\u00a0", "€", "e\u0301",
)  # fmt: skip
MESSAGES = st.one_of(
    st.text(),
    st.lists(st.sampled_from(PIECES), max_size=14).map(" ".join),
    st.lists(st.sampled_from(PIECES)).map("".join),
)
EXPECTING = st.lists(st.sampled_from(DIMENSIONS), max_size=5, unique=True)


def _plain(text: str) -> str:
    return " ".join(text.split())


def _check(text: str, heard: Heard) -> None:
    kinds = [mention.kind for mention in heard.mentions]
    assert all(kinds.count(name) <= 1 for name in (*DIMENSIONS, "industry"))
    for mention in heard.mentions:
        assert mention.quote in text
        assert mention.said
        if mention.kind != "topic":
            assert mention.said in _plain(text)
            assert mention.said in _plain(mention.quote)


@settings(deadline=None)
@given(MESSAGES, EXPECTING)
def test_whatever_is_heard_stands_in_the_message(text: str, expecting: list[str]) -> None:
    """No text makes it raise; every quote is verbatim, every value stands in its quote, a dimension comes once."""
    _check(text, hear(text, expecting=expecting))


@settings(deadline=None)
@given(MESSAGES, EXPECTING)
def test_hearing_twice_is_hearing_once(text: str, expecting: list[str]) -> None:
    """The same message means the same again."""
    assert hear(text, expecting=expecting) == hear(text, expecting=expecting)


@pytest.mark.parametrize("text", BUYER)
def test_the_buyer_of_the_demo_is_heard_verbatim(text: str) -> None:
    """Every message of the script keeps the promises."""
    _check(text, hear(text, expecting=DIMENSIONS))


@pytest.mark.parametrize(
    ("text", "kind", "said"),
    [
        (BUYER[1], "need", "ten hours a week"),
        (BUYER[2], "timeline", "six weeks"),
        (BUYER[3], "fit", "logistics company with 45 people"),
        (BUYER[3], "industry", "logistics"),
        (BUYER[4], "budget", "$40,000"),
        (BUYER[7], "authority", "I sign off on it myself"),
        (BUYER[8], "objection", "The price is too high for us"),
        (BUYER[9], "budget", "$55,000"),
    ],
)
def test_the_buyer_of_the_demo_is_heard_right(text: str, kind: str, said: str) -> None:
    """The values to the word."""
    assert said in [mention.said for mention in hear(text).mentions if mention.kind == kind]


@pytest.mark.parametrize(
    ("text", "expecting", "kinds"),
    [
        ("40", ("budget", "fit", "timeline"), ["budget"]),
        ("40", ("fit", "budget", "timeline"), ["fit"]),
        ("six weeks", ("budget", "timeline"), ["timeline"]),
        ("me", ("authority", "fit"), ["authority"]),
        ("forty thousand", ("budget", "fit"), ["budget"]),
        ("About ten hours a week.", ("need", "timeline", "budget"), ["need"]),
        ("9", ("budget", "need", "fit", "timeline", "authority"), ["budget"]),
    ],
)
def test_one_span_fills_one_dimension(text: str, expecting: tuple[str, ...], kinds: list[str]) -> None:
    """A bare number goes to the dimension that was asked for, and to no other."""
    heard = hear(text, expecting=expecting)
    assert [mention.kind for mention in heard.mentions if mention.kind in DIMENSIONS] == kinds


def test_dimensions_never_share_their_words() -> None:
    """Where a message says everything at once, each dimension has words of its own."""
    text = (
        "We're a 45-person freight company, we lose ten hours a week, we have $50,000, I sign off on it, and we go live in "
        "six weeks."
    )
    said = [
        mention.said for mention in hear(text, expecting=DIMENSIONS).mentions if mention.kind in DIMENSIONS
    ]
    assert len(said) == 5
    assert not [pair for pair in combinations(said, 2) if pair[0] in pair[1] or pair[1] in pair[0]]


@pytest.mark.parametrize(
    "text",
    [
        "> we have a budget of $90,000\nThat was my predecessor's note.",
        'My colleague wrote: "we go live in six weeks"',
        "```\nbudget = 40000\n```",
        "a friend has a budget of $90,000 and went live in six weeks",
        "if we had $100k and six weeks, we would start today",
        "Does it cost $40k and take six weeks?",
    ],
)
def test_only_what_the_buyer_states_counts(text: str) -> None:
    """Quoted lines, others' speech, code, other people, conditions and questions fill nothing."""
    assert not [
        mention for mention in hear(text).mentions if mention.kind in {"budget", "timeline", "authority"}
    ]


@pytest.mark.parametrize(
    ("text", "kind", "said"),
    [
        ("Budget? Forty thousand. Timeline? Six weeks.", "budget", "Forty thousand"),
        ("Budget? Forty thousand. Timeline? Six weeks.", "timeline", "Six weeks"),
        ("Who decides? Me.", "authority", "Me"),
        ("Budget: 40k", "budget", "40k"),
    ],
)
def test_a_buyer_may_repeat_the_question_before_the_answer(text: str, kind: str, said: str) -> None:
    """An echoed question asks nothing; what follows answers it."""
    heard = hear(text)
    assert [mention.said for mention in heard.mentions if mention.kind == kind] == [said]
    assert not heard.asks


@pytest.mark.parametrize(
    "piece",
    [
        "if we have $40k ",
        "not ",
        "a ",
        "$1,",
        "1",
        "we're a ",
        "my boss ",
        "\n",
        "? ",
        "\u4e07",
        "'",
        "from 1 to ",
    ],
)
def test_a_long_message_is_heard_too(piece: str) -> None:
    """Repetitions of a piece are read in one go, and nothing raises."""
    _check(piece * 3000, hear(piece * 3000, expecting=DIMENSIONS))
