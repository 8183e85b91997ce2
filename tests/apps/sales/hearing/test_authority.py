"""Who decides, as buyers put it."""

from __future__ import annotations

import pytest

from turnstate.apps.sales.hearing import hear
from turnstate.apps.sales.states import Mention

DECIDES = (
    "I decide",
    "I sign off on it",
    "I run operations and I sign off on it myself.",
    "it's my call",
    "That's my decision to make.",
    "I make the final decisions here",
    "I'm the decision maker.",
    "I have the final say.",
    "I'm the owner, so it's up to me.",
    "I'm the CEO",
    "I'm the founder and MD",
    "The buck stops with me.",
    "I hold the budget for software",
    "Nobody else needs to approve it.",
    "i dont need anyone's approval",
    "I can approve it myself",
    "I sign the contracts",
    "It's down to me, really.",
    "I'm the one who decides",
    "It's my company, I decide.",
    "im the managing director btw",
    "As the owner I call the shots.",
    "my boss looks at it, but I decide",
    "Ich entscheide das selbst.",
)

LEADS = (
    "I'm the CTO",
    "I'm the head of operations",
    "I'm VP of Logistics here",
    "i am the operations director",
    "I'm in charge of purchasing",
)

OTHERS = (
    "my boss has to approve",
    "it's a committee",
    "I'll have to run it past finance",
    "Our CFO signs off on everything.",
    "I need to check with my manager first",
    "the board makes the final decision",
    "It goes through procurement",
    "the decision lies with our CEO",
    "It's up to my director.",
    "I need sign-off from finance",
    "our CTO decides",
    "management will decide",
    "That would have to go to the board.",
    "I'd need my boss's approval",
    "Head office has the final say",
    "I look at it first, then my boss decides",
)  # fmt: skip

NO_POWER = (
    "I don't decide.",
    "it's not my decision",
    "I'm not the decision maker",
    "that's above my pay grade",
    "I can't sign that off myself",
    "I'm just an intern",
)

SHARED = (
    "my partner and I decide together",
    "We decide together as a team.",
    "my co-founder and I both have to agree",
    "It's a joint decision.",
    "I decide together with our CFO",
)

APPROVED = (
    "my boss has already approved it",
    "The board has signed off on this project.",
    "I've got the green light from finance",
    "our CFO gave us the go-ahead",
)

SILENT = (
    "Who decides on your side?",
    "We lose ten hours a week.",
    "if I were the CEO I would buy it",
    "A friend of mine is the CEO of a shipping company",
    "Finance approved more: the budget is $55,000 now.",
    "I decided to write to you.",
    "Do you need my boss's signature?",
    "I am in logistics",
    "we run a small courier firm",
    "I manage to do it by hand.",
    "our customers decide when we deliver",
    "I would like to know more",
    "I'm looking for a better planner",
    "Sign me up for the newsletter",
    "I like it",
)

BARE = (
    ("me", "me", 90),
    ("Me.", "Me", 90),
    ("I do.", "I do", 90),
    ("yes, I can sign", "I can sign", 90),
    ("That would be me", "That would be me", 90),
    ("just me :)", "just me", 90),
    ("Myself.", "Myself", 90),
    ("my boss", "my boss", 40),
    ("The CFO.", "The CFO", 40),
    ("our board", "our board", 40),
    ("finance does", "finance does", 40),
    ("me and my partner", "me and my partner", 60),
    ("my wife and I", "my wife and I", 60),
    ("Both of us", "Both of us", 60),
    ("Yeah, that's me.", "that's me", 90),
    ("I do, why?", "I do", 90),
)


def _one(text: str, expecting: tuple[str, ...] = ()) -> Mention | None:
    found = [mention for mention in hear(text, expecting=expecting).mentions if mention.kind == "authority"]
    assert len(found) <= 1
    return found[0] if found else None


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *((text, 90) for text in DECIDES),
        *((text, 80) for text in LEADS),
        *((text, 75) for text in APPROVED),
        *((text, 60) for text in SHARED),
        *((text, 40) for text in OTHERS),
        *((text, 30) for text in NO_POWER),
    ],
)
def test_the_score_says_who_decides(text: str, value: int) -> None:
    """The buyer alone, with others, with leave, or somebody else."""
    found = _one(text)
    assert found is not None
    assert found.value == value
    assert found.said in text


@pytest.mark.parametrize("text", SILENT)
def test_other_sentences_say_nothing_about_who_decides(text: str) -> None:
    """Questions, other people and other senses of the words are no authority."""
    assert _one(text) is None


@pytest.mark.parametrize(("text", "said", "value"), BARE)
def test_a_bare_answer_says_who_decides(text: str, said: str, value: int) -> None:
    """A word or two answer the question of who signs."""
    found = _one(text, ("authority",))
    assert found is not None
    assert (found.said, found.value) == (said, value)


def test_a_correction_of_who_decides_is_one() -> None:
    """A text like "Actually, my boss has to sign" takes back what was said before."""
    found = _one("Actually, it turns out my boss has to sign that.")
    assert found is not None
    assert (found.value, found.corrects) == (40, True)
