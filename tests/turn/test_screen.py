"""What is between a model's sentences and their readers: order is kept, and what was released is never changed."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acceptance.doors import run
from turn.views import view
from turnstate.turn.guards import Guard, Mode, Objection, View
from turnstate.turn.screen import Screen


class Words:
    """Objects to sentences that hold a word."""

    def __init__(self, modes: Mapping[str, Mode], name: str = "words") -> None:
        self.name = name
        self.modes = modes
        self.seen: list[str] = []

    def check(self, sentence: str, view: View) -> Objection | None:
        """The first word that is in it."""
        self.seen.append(view.said)
        if "raise" in sentence:
            raise RuntimeError("broken")
        return next(
            (
                Objection(mode, f"no {word}", "Instead.")
                for word, mode in self.modes.items()
                if word in sentence
            ),
            None,
        )


class Written:
    """What comes when a sentence is to be written again."""

    def __init__(self, again: str | Exception) -> None:
        self.again = again
        self.asked: list[tuple[str, str]] = []

    async def __call__(self, sentence: str, why: str) -> str:
        """The sentence, or the failure."""
        self.asked.append((sentence, why))
        if isinstance(self.again, Exception):
            raise self.again
        return self.again


def screened(
    *sentences: str, guards: tuple[Guard, ...], again: str | Exception = "Again."
) -> tuple[list[str], Screen]:
    """The sentences that come out, and the screen."""
    released: list[str] = []
    screen = Screen(guards, view(), released.append)
    for sentence in sentences:
        screen.feed(sentence)
    run(screen.settle(Written(again)))
    return released, screen


MODES: dict[str, Mode] = {"van": "regenerate", "car": "block", "bus": "observe", "bike": "off"}


@pytest.mark.parametrize(
    ("sentence", "out", "action"),
    [
        ("A truck. ", "A truck. ", None),
        ("A bike. ", "A bike. ", None),
        ("A bus. ", "A bus. ", "flagged"),
        ("A van. ", "Again. ", "rewritten"),
        ("\n\nA car. ", "\n\nInstead. ", "blocked"),
        ("To raise. ", "To raise. ", "flagged"),
    ],
)
def test_a_sentence_is_sent_as_the_objection_says(sentence: str, out: str, action: str | None) -> None:
    """With the white space that stood around it; a guard that fails lets through, and it is recorded."""
    released, screen = screened(sentence, guards=(Words(MODES),))
    assert released == [out]
    assert [act.action for act in screen.acts] == ([] if action is None else [action])


@pytest.mark.parametrize("again", ["", "  ", ConnectionError("down")])
def test_a_sentence_that_cannot_be_written_again_is_sent_and_flagged(again: str | Exception) -> None:
    """The reply is not held up by it."""
    released, screen = screened("A van. ", "Bye.", guards=(Words(MODES),), again=again)
    assert released == ["A van. ", "Bye."]
    assert [(act.mode, act.action) for act in screen.acts] == [("regenerate", "flagged")]


def test_nothing_overtakes_a_sentence_that_is_held_back() -> None:
    """What stands behind it waits for the end of the response; what stood before it was released at once."""
    released: list[str] = []
    screen = Screen((Words(MODES),), view(), released.append)
    for sentence in ("One. ", "A van. ", "Two."):
        screen.feed(sentence)
    assert released == ["One. "]
    written = Written("Three.")
    run(screen.settle(written))
    assert released == ["One. ", "Three. ", "Two."]
    assert written.asked == [("A van.", "no van")]


def test_the_guard_that_stops_decides_before_one_that_only_notes() -> None:
    """Whatever their order."""
    for guards in ((Words({"x": "observe"}, "a"), Words({"x": "block"}, "b")), (Words({"x": "block"}, "b"),)):
        released, screen = screened("x ", guards=guards)
        assert released == ["Instead. "]
        assert [act.guard for act in screen.acts] == ["b"]


def test_a_guard_sees_what_was_let_through_and_not_what_was_written() -> None:
    """A sentence that was stopped is no part of what was said."""
    guard = Words({"car": "block"})
    screened("One. ", "A car. ", "Two.", guards=(guard,))
    assert guard.seen[-1] == "One. Instead. "


@given(st.lists(st.sampled_from(["One. ", "A van. ", "A car. ", "A bus. ", "\n", "To raise. "]), max_size=8))
def test_the_acts_say_how_the_reply_became_what_was_sent(sentences: list[str]) -> None:
    """What was released is the response, with each act's sentence in place of what it stood for."""
    released, screen = screened(*sentences, guards=(Words(MODES),))
    text = "".join(sentences)
    for act in screen.acts:
        if act.action != "flagged":
            text = text.replace(act.sentence, act.written, 1)
    assert "".join(released).split() == text.split()
