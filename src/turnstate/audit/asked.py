"""The questions of an agent that can be asked again, and which of the earlier ones ask the same."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from typing import Final, Literal, NamedTuple, TypeAlias

from turnstate.core.facts.text import word_set
from turnstate.core.questions import Question, QuestionKind, find_questions, hindsight, similarity
from turnstate.core.questions.profile import Profile, profile
from turnstate.core.questions.similarity import alike_wanted

ALIKE: Final = 0.4
"""From which likeness on an earlier question is looked at; what can be answered by yes or no alone has to be nearly the same."""
_ALIKE_YES_NO: Final = 0.9
_SAME: Final = 0.98

_NEAREST: Final = 4
"""Earlier questions that are looked at, the most alike."""

MEASURED: Final = word_set("date time when howmany howlong timeline")
"""What is asked with a value of the asker's own: "On May 5th?" asks for the date."""
_ASKS_WHICH: Final = re.compile(
    r"\b(?:any|specific|particular|preferen\w+|prefer\w*|in mind|or)\b", re.IGNORECASE
)
_POINTS: Final = re.compile(r"\b(?:this|that|these|those|it|them|they|one)\b", re.IGNORECASE)
"""What a question of yes or no points at: each time another thing."""
_OPEN_LIST: Final = re.compile(
    r"\b(?:what|which) (?:type|kind|sort|category|style)s?\b|\bor (?:\w+ )?(?:something|anything|some|any|other|another)\b",
    re.IGNORECASE,
)
"""Values in a question that are examples of what may be answered, and no proposal."""
_DOES: Final = re.compile(
    r"\b(?:book|reserv\w+|buy|purchase|schedul\w+|order (?:it|this|that|them|one)|make|see|hear|more|proceed|continue|know)\b",
    re.IGNORECASE,
)
"""What an offer is to do: it may be made again."""


_TELLS: Final = re.compile(
    r"(?:\w+,? ){0,2}(?:i|we)(?:['’](?:ve|ll)| will)? (?:have|found|got)\b[^?]*$", re.IGNORECASE
)
"""What looks like a request without a sign and tells what there is: "I have the …"."""
_HELPS: Final = re.compile(r"\b(?:help|assist\w*|need|do for you)\b", re.IGNORECASE)
_INVITES: Final = re.compile(
    r"\bwhat (?:would|do|did|can) (?:you|i) (?:like|want|need|do)(?: for you| to (?:know|do|ask|talk|hear))",
    re.IGNORECASE,
)
_CHOICE: Final = re.compile(r"\bwhich\b", re.IGNORECASE)
_SUGGESTS: Final = re.compile(r"\b(?:how|what) about\b|\bwhich (?:one|of)\b", re.IGNORECASE)
"""What offers a choice of what was found."""


class Put(NamedTuple):
    """A question as the agent put it, with the whole reply that it stands in."""

    question: Question
    turn: int
    step: int
    reply: str

    @property
    def text(self) -> str:
        """Its words."""
        return self.question.text

    @property
    def about(self) -> Profile:
        """What it asks."""
        return profile(self.text)


Manner: TypeAlias = Literal["open", "bare", "free"]
"""How a question asks: for something, for yes or no alone, or so that it may be asked any number of times."""


def puts(turn: int, replies: Sequence[str]) -> Iterator[Put]:
    """The questions of a turn's replies that want something, in order."""
    for step, reply in enumerate(replies, start=1):
        for question in find_questions(reply):
            if not _TELLS.match(question.text) and not _is_courtesy(question):
                yield Put(question, turn, step, reply)


def _is_courtesy(question: Question) -> bool:
    """Whether a question wants nothing; one that names examples does: "Music, theater or something else?"."""
    asks = _OPEN_LIST.search(question.text) and not _HELPS.search(question.text)
    courtesy = question.kind is QuestionKind.COURTESY or _INVITES.search(question.text) is not None
    return courtesy and not asks


def manner_of(put: Put, heard: AbstractSet[str]) -> Manner:
    """How a question asks; free is what reads back, offers, or points at what there is.

    Args:
        put: the question.
        heard: the user's words so far, in small letters.
    """
    text, about = put.text, put.about
    proposes = not _OPEN_LIST.search(text) and any(word not in heard for word in hindsight.exact(text))
    which = about.wanted and not proposes and _ASKS_WHICH.search(text)
    bare = about.yes_no and not proposes and not which
    offers = put.question.kind is QuestionKind.OFFER and not proposes and _DOES.search(text)
    chooses = ("name" in about.wanted and _CHOICE.search(text)) or _SUGGESTS.search(text)
    if put.question.kind is QuestionKind.CONFIRM or (proposes and not about.wanted & MEASURED):
        return "free"
    if offers or chooses or (bare and _POINTS.search(text)):
        return "free"
    return "bare" if bare else "open"


def alike(put: Put, asked: Sequence[Put], *, bare: bool) -> Sequence[tuple[float, Put]]:
    """The earlier questions that ask the same, the most alike first.

    Args:
        put: the question.
        asked: what was asked before.
        bare: whether it can be answered by yes or no alone; then the other one has to be nearly the same.
    """
    about = put.about
    least = (_SAME if _DOES.search(put.text) else _ALIKE_YES_NO) if bare else ALIKE
    scored = (
        (likeness, earlier)
        for earlier in asked
        if _comparable(about, profile(earlier.text), bare=bare)
        and (likeness := similarity(put.text, earlier.text)) >= least
    )
    return sorted(scored, key=lambda pair: (-pair[0], -pair[1].turn))[:_NEAREST]


def _comparable(one: Profile, other: Profile, *, bare: bool) -> bool:
    """Whether two questions can be the same: what they want, and what they count, does not differ."""
    if bare and not (other.yes_no and (one.things | one.words) & other.meaning):
        return False
    if one.wanted and other.wanted and not alike_wanted(one.wanted, other.wanted):
        return False
    mine, others = _counted(one.wanted), _counted(other.wanted)
    return not (mine and others and mine.isdisjoint(others))


def _counted(wanted: AbstractSet[str]) -> frozenset[str]:
    return frozenset(word for word in wanted if word.startswith("howmany "))
