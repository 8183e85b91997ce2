"""The words that a passage is found by, as tokens of the index."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator

from turnstate.core.evidence import search_words
from turnstate.core.search.words import asked_words, words

END = 5
"""Letters of a long word by which it is found too: "Kündigung" by what it has in common with "kündigen", and
"Rückgabefrist" by its last part."""

MOST = 96
"""Words of one question that are looked for."""

_SPECIAL = re.compile(r"[^0-9a-z\x80-\ud7ff\ue000-\U0010ffff]")


def token(word: str) -> str:
    """A word as one token: letters, digits and whatever is not ASCII; all else by its code."""
    return _SPECIAL.sub(lambda sign: f"_{ord(sign[0]):02x}_", word)


def indexed(text: str) -> str:
    """The tokens of a text, in order."""
    return " ".join(_tokens(words(text)))


def asked(query: str) -> list[str]:
    """The tokens of a question, each once."""
    found = asked_words(search_words(query)) or asked_words(query) or words(query)
    return list(dict.fromkeys(_tokens(found)))[:MOST]


def _tokens(found: Iterable[str]) -> Iterator[str]:
    for word in found:
        yield token(word)
        if len(word) > END and word.isalpha():
            bare = _bare(word)
            yield f"_p_{token(bare[:END])}"
            yield f"_s_{token(bare[-END:])}"


def _bare(word: str) -> str:
    return "".join(sign for sign in unicodedata.normalize("NFD", word) if not unicodedata.combining(sign))
