"""What a question asks for."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, NamedTuple

from turnstate.core.facts import Key, Shape, fold, sentences
from turnstate.core.rules.labels import NUMBER_OF, label_of
from turnstate.core.rules.recognisers.addresses import SENT
from turnstate.core.rules.text import compiled

_LONGEST_QUESTION: Final = 300
_PROMPTS: Final = re.compile(
    r"\b(?:provide|give|share|tell|enter|type|send|need|what|which|confirm|may i have)\b", re.IGNORECASE
)


class Asked(NamedTuple):
    """What a question asks for.

    Attributes:
        sentences: the keys, each with the last sentence that asks for it.
        only: the key that alone is asked for, by the last sentence that asks; free words answer it.
    """

    sentences: Mapping[str, str]
    only: str


def asked_by(question: str, keys: Mapping[str, Key]) -> Asked:
    """What a question asks for; sentences of more than 300 characters ask for nothing."""
    said = [question[slice(*span)] for span in sentences(question)]
    asking = [
        text
        for text in said
        if len(text) <= _LONGEST_QUESTION and (re.search("[?？]", text) or _PROMPTS.search(text))
    ]
    asked = {name: text for text in asking for name, key in keys.items() if _asks_for(text, key)}
    marked = [text for text in asking if re.search("[?？]", text)] or asking
    alone = [name for name, text in asked.items() if len(asked) == 1 and text == marked[-1]]
    return Asked(asked, alone[0] if alone else "")


def _asks_for(sentence: str, key: Key) -> bool:
    if key.ask and fold(key.ask) in fold(sentence):
        return True
    label = label_of(key.words)
    match key.shape:
        case Shape.ID:
            pattern = rf"\b(?:{label})\s+{NUMBER_OF}(?!\w)|\b(?:which|what)\s+(?:{label})\b|\b{NUMBER_OF}\s+(?:of|for)\s+(?:your|the)\s+(?:{label})\b"
        case Shape.ADDRESS:
            pattern = rf"\b(?:{label})\b|\baddress\b|\bwhere\b.*\b{SENT}\b"
        case Shape.NAME:
            pattern = rf"\b(?:{label})\b|\byour name\b|\bwho am i (?:speaking|talking)\b"
        case _:
            pattern = rf"\b(?:{label})\b"
    return compiled(pattern).search(sentence) is not None
