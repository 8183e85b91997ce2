"""What a question is, what a key asks for, and what was asked and answered before."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal


class QuestionKind(StrEnum):
    """What a question is for.

    `ask` wants to know something; `offer` proposes to do something ("Shall I book it?"); `confirm` reads back what is
    known ("So that's order 12345, right?"); `courtesy` wants nothing in particular ("Anything else I can help with?").
    """

    ASK = "ask"
    OFFER = "offer"
    CONFIRM = "confirm"
    COURTESY = "courtesy"


@dataclass(frozen=True, slots=True)
class Question:
    """A question as it stands in a text.

    Attributes:
        text: its words, exactly `source[start:end]`.
        start: first code point.
        end: one past the last code point.
        kind: what it is for.
    """

    text: str
    start: int
    end: int
    kind: QuestionKind = QuestionKind.ASK


@dataclass(frozen=True, slots=True)
class Asks:
    """What a key asks for, as its owner declares it.

    Attributes:
        label: what it is called, as a noun: "budget", "order number".
        words: words or phrases of which one in a question is enough: ("budget", "spend").
        examples: questions that ask for it.
        lasting: holds for the whole conversation, whichever thing is talked of: a person's name, unlike a day of arrival.
        required: may always be asked again: consent, safety, a read-back.
    """

    label: str
    words: tuple[str, ...] = ()
    examples: tuple[str, ...] = ()
    lasting: bool = False
    required: bool = False


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    """A question that was put to the user.

    Attributes:
        key: what it asked for; "" where nothing says.
        text: its words.
        turn: the turn whose reply asked it.
        entity: which of several things it was about, such as an order; "" for the only one.
    """

    key: str
    text: str
    turn: int
    entity: str = ""


@dataclass(frozen=True, slots=True)
class Exchange:
    """A turn as it was said.

    Attributes:
        turn: its number; the user speaks first in it.
        user: the user's message.
        assistant: the reply; "" where it is not yet there.
    """

    turn: int
    user: str
    assistant: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """What the user said for a key, as it is on record in a state or a fact.

    Attributes:
        key: what it answers.
        turn: when it was said.
        quote: the user's words.
        valid: it was accepted; False where it was refused, as a date in the past.
        current: it still holds; False where it was retracted or changed since.
        entity: which of several things it is about; "" for the only one.
    """

    key: str
    turn: int
    quote: str
    valid: bool = True
    current: bool = True
    entity: str = ""


class Reason(StrEnum):
    """Why a question counts as new, as legitimate, as repeated, or cannot be judged."""

    NEVER_ASKED = "it was not asked before"
    NOT_A_QUESTION = "it asks for nothing"
    REQUIRED = "it may always be asked again"
    CONFIRMS = "it reads back what is known"
    PROPOSES = "it proposes an answer"
    NOT_ANSWERED = "it was not answered"
    UNKNOWN_TO_USER = "the user did not know or did not want to say"
    INVALID = "the answer was not accepted"
    CHANGED = "what was answered has changed since"
    OTHER_ENTITY = "it is about something else"
    USER_ASKED = "the user asked for it"
    ANSWERED = "it was asked and answered"
    VOLUNTEERED = "the user said it without being asked"
    CANNOT_DECIDE = "nothing tells whether it was answered"


Kind = Literal["new", "legitimate", "repeated", "undecided"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether asking a question is asking again, and whether that is legitimate.

    Attributes:
        kind: "new", "legitimate" (asked before, with a reason to ask again), "repeated" (asked and answered), or
            "undecided" (then it is sent).
        reason: why.
        by: how it was matched with what was asked: "key", or "paraphrase" of its words; "" where nothing matched.
        likeness: how alike the two questions are, 0 to 1; 1 for the same key.
        earlier: the question that was asked before; None where there was none.
        answer: the user's words that answered it; "" where nothing did.
        answered_in: the turn of these words; None where nothing answered.
    """

    kind: Kind
    reason: Reason
    by: Literal["key", "paraphrase", ""] = ""
    likeness: float = 0.0
    earlier: AskedQuestion | None = None
    answer: str = ""
    answered_in: int | None = None
