"""Words as the rules compare them: case, apostrophes, short forms and typing errors taken out."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from turnstate.models.offline.families import CONTRACTIONS, FAMILIES, NO_SLIP, OFTEN_MISTYPED, vocabulary

_WORD: Final = re.compile(r"§\w+|[^\W_]+(?:'[^\W_]+)*")
_APOSTROPHES: Final = str.maketrans({"’": "'", "‘": "'", "`": "'", "´": "'", "ʼ": "'"})
_ENDINGS: Final = (
    ("n't", " not"),
    ("'re", " are"),
    ("'ve", " have"),
    ("'ll", " will"),
    ("'d", " would"),
    ("'m", " am"),
)
_IS: Final = vocabulary("where what when how who it that there here which he she everything")
_LIKE: Final = re.compile(r"\bid (?=(?:like|love|want|rather|prefer|appreciate)\b)")
_E_MAIL: Final = re.compile(r"\be[- ]mail\b")
_REPEATED: Final = re.compile(r"([^\W\d_])\1{2,}")
_DOUBLED: Final = re.compile(r"([^\W\d_])\1")
_STEMS: Final = ("ing", "ies", "ed", "es", "s", "e", "y")

_FAMILIES_OF: Final[dict[str, frozenset[str]]] = {
    word: frozenset(name for name, words in FAMILIES.items() if word in words)
    for words in FAMILIES.values()
    for word in words
}
_MISTYPED: Final[dict[str, tuple[str, ...]]] = {
    letter: tuple(sorted(word for word in OFTEN_MISTYPED if word[0] == letter))
    for letter in sorted({word[0] for word in OFTEN_MISTYPED})
}


def words(text: str) -> tuple[str, ...]:
    """The words of `text` in lower case, short forms written out, stretched letters made one."""
    folded = _LIKE.sub("i would ", _E_MAIL.sub("email", text.translate(_APOSTROPHES).casefold()))
    found: list[str] = []
    for token in _WORD.findall(folded):
        found.extend(_expanded(token))
    return tuple(found)


def _expanded(token: str) -> list[str]:
    if (known := CONTRACTIONS.get(token)) is not None:
        return known.split()
    for ending, full in _ENDINGS:
        if token.endswith(ending) and len(token) > len(ending):
            return [token.removesuffix(ending), full.strip()]
    if token.endswith("'s"):
        return [token[:-2], "is"] if token[:-2] in _IS else [corrected(token[:-2])]
    plain = _REPEATED.sub(r"\1", token)
    return CONTRACTIONS[plain].split() if plain in CONTRACTIONS else [corrected(plain)]


def families(word: str) -> frozenset[str]:
    """The families of a word."""
    return _FAMILIES_OF.get(word, frozenset())


@lru_cache(maxsize=8192)
def corrected(word: str) -> str:
    """The word that was meant, where `word` is one slip from a word that is often mistyped; else `word`."""
    if word in _FAMILIES_OF or word in NO_SLIP or not (5 <= len(word) <= 16 and word.isalpha()):
        return word
    undoubled = _DOUBLED.sub(r"\1", word)
    if undoubled != word and undoubled in _FAMILIES_OF:
        return undoubled
    # A wrong first letter is usually another word.
    return next((meant for meant in _MISTYPED.get(word[0], ()) if _one_slip(word, meant)), word)


def _one_slip(one: str, two: str) -> bool:
    """Whether two words differ by one letter added, left out, changed, or swapped with its neighbour."""
    short, long = sorted((one, two), key=len)
    start = 0
    while start < len(short) and short[start] == long[start]:
        start += 1
    if len(short) < len(long):
        return short[start:] == long[start + 1 :]
    swapped = (
        short[start : start + 2] == long[start : start + 2][::-1] and short[start + 2 :] == long[start + 2 :]
    )
    return swapped or short[start + 1 :] == long[start + 1 :]


@lru_cache(maxsize=8192)
def stem(word: str) -> str:
    """`word` without its English ending, for comparing what two texts speak of."""
    for ending in _STEMS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            bare = word.removesuffix(ending)
            # "shipping" and "ship", "shipped" and "ships".
            return bare[:-1] if len(bare) > 3 and bare[-1] == bare[-2] and bare[-1] not in "aeils" else bare
    return word
