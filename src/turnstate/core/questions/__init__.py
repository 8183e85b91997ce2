"""Questions: found in what an assistant says, matched with what was asked before, and whether asking again is legitimate."""

from turnstate.core.questions.find import find_questions
from turnstate.core.questions.keys import KeyMatch, key_of, match_key
from turnstate.core.questions.ledger import Outgoing, repetition
from turnstate.core.questions.similarity import SAME, similarity
from turnstate.core.questions.types import (
    Answer,
    AskedQuestion,
    Asks,
    Exchange,
    Question,
    QuestionKind,
    Reason,
    Verdict,
)

__all__ = [
    "SAME",
    "Answer",
    "AskedQuestion",
    "Asks",
    "Exchange",
    "KeyMatch",
    "Outgoing",
    "Question",
    "QuestionKind",
    "Reason",
    "Verdict",
    "find_questions",
    "key_of",
    "match_key",
    "repetition",
    "similarity",
]
