"""Search in one conversation: what is found, in what order, and within what bounds."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from turnstate.core.search import Hit, Index, Said

SPEAKERS = ("user", "assistant", "tool")
TALK = st.lists(
    st.tuples(
        st.integers(0, 2),
        st.sampled_from(SPEAKERS),
        st.lists(
            st.sampled_from(
                ["bus", "date", "ORD-77", "paris", "ticket", "我的订单", "friday", "ok", "?", "the"]
            ),
            max_size=8,
        ).map(" ".join),
    ),
    max_size=25,
)
QUERY = st.one_of(
    st.text(max_size=40),
    st.sampled_from(
        ["What was the date of the bus?", "ORD-77", "remind me about paris", "我的订单号是什么？", ""]
    ),
)


def count(text: str) -> int:
    """A token is a word here."""
    return len(text.split())


def said(talk: list[tuple[int, str, str]]) -> list[Said]:
    """The messages of a generated conversation; turns never run backwards."""
    turn, messages = 1, list[Said]()
    for step, speaker, text in talk:
        turn += step
        messages.append(Said(turn, turn * 1_000, speaker, text))
    return messages


def indexed(*messages: Said) -> Index:
    """An index of these messages."""
    index = Index()
    for message in messages:
        index.add(message)
    return index


def talk(*texts: str) -> Index:
    """An index of two messages a turn."""
    return indexed(*(Said(1 + n // 2, n, SPEAKERS[n % 2], text) for n, text in enumerate(texts)))


def found(
    index: Index, query: str, *, before: int = 99, tokens: int = 100, asked: bool = True
) -> tuple[Hit, ...]:
    """What is found, for whoever asked."""
    return index.find(query, before=before, tokens=tokens, measure=count, asked=asked)


FILLER = [f"We talked about topic{number} for a while and it went well" for number in range(40)]


def test_the_message_that_has_the_words_comes_first() -> None:
    """The rarer its words, the better it fits."""
    index = talk(*FILLER[:10], "The bus leaves on March 3rd", "Thanks", *FILLER[10:])
    assert found(index, "When does the bus leave?")[0].text == "The bus leaves on March 3rd"


def test_an_answer_is_found_by_the_words_of_its_question() -> None:
    """It has none of them itself; what stands beside it has."""
    index = talk(*FILLER[:11], "What is your confirmation number?", "Sure, 83-XK", "Noted", *FILLER[12:])
    texts = [hit.text for hit in found(index, "confirmation number please")]
    assert texts[0] == "What is your confirmation number?"
    assert "Sure, 83-XK" in texts[:3]


def test_only_turns_before_are_searched() -> None:
    """What is in view need not be found."""
    index = talk("a red bus", "fine", "a blue bus", "fine", "a green bus", "fine")
    assert {hit.turn for hit in found(index, "bus", before=3)} <= {1, 2}
    assert found(index, "bus", before=1) == ()


def test_a_long_message_is_quoted_where_it_matches() -> None:
    """Not from its beginning."""
    text = "Nothing of note. " * 200 + "The password hint is walrus. " + "Nothing of note. " * 200
    (hit, *_) = found(talk(text, "ok", *FILLER), "walrus hint", tokens=500)
    assert "The password hint is walrus." in hit.text
    assert len(hit.text) < 1_300


def test_recall_is_silent_when_nothing_is_asked() -> None:
    """And speaks when it is: by a question, a cue, or an id that was named before."""
    index = talk(*FILLER[:20], "My order number is 4471290 for the walrus lamp", "Noted", *FILLER[20:])
    silent = ("Thanks, that is great!", "ok", "I had pasta today.", "", "What?", "The walrus lamp is nice.")
    speaking = (
        "What was the order number of the walrus lamp?",
        "Remind me of the walrus lamp order.",
        "It is about 4471290.",
    )
    assert [found(index, query, asked=False) for query in silent] == [()] * len(silent)
    assert all(found(index, query, asked=False) for query in speaking)
    assert found(index, "The walrus lamp is nice.", asked=True)


def test_a_stretch_that_does_not_follow_has_no_neighbours() -> None:
    """What was left out between two messages is not jumped over."""
    index = Index()
    index.add(Said(1, 1, "user", "the zebra"))
    index.add(Said(9, 9, "assistant", "yes"), follows=False)
    assert [hit.turn for hit in found(index, "zebra")] == [1]
    index = indexed(Said(1, 1, "user", "the zebra"), Said(9, 9, "assistant", "yes"))
    assert [hit.turn for hit in found(index, "zebra")] == [1, 9]


@given(TALK, QUERY, st.integers(-1, 30), st.integers(0, 60), st.booleans())
def test_what_is_found_keeps_its_bounds(
    messages: list[tuple[int, str, str]], query: str, before: int, tokens: int, asked: bool
) -> None:
    """It was said before, by whom it says, each once, best first, within the tokens; and is the same each time."""
    heard = said(messages)
    index = indexed(*heard)
    hits = found(index, query, before=before, tokens=tokens, asked=asked)
    assert hits == found(indexed(*heard), query, before=before, tokens=tokens, asked=asked)
    assert all(Said(hit.turn, hit.at, hit.speaker, hit.text) in heard for hit in hits)
    assert all(hit.turn < before and hit.score > 0 for hit in hits)
    assert sum(count(hit.text) for hit in hits) <= tokens
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


@given(TALK, TALK, QUERY, st.booleans())
def test_what_is_said_later_changes_nothing(
    earlier: list[tuple[int, str, str]], later: list[tuple[int, str, str]], query: str, asked: bool
) -> None:
    """A turn is answered from what stood before it, also when it is answered again."""
    before = said(earlier)
    turn = before[-1].turn + 1 if before else 1
    behind = [Said(one.turn + turn, one.at, one.speaker, one.text) for one in said(later)]
    assert found(indexed(*before, *behind), query, before=turn, asked=asked) == found(
        indexed(*before), query, before=turn, asked=asked
    )
