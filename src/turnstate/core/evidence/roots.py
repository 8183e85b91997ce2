"""What a word has in common with its other forms: "cancel" and "cancellation", "kündigen" and "Kündigung"."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final

from turnstate.core.evidence.lexicon import Language

_ENGLISH: Final = (
    "abilities", "ability", "ibility", "ations", "ation", "ements", "ement", "ments", "ment", "ings", "ing", "ions", "ion", "ally",
    "able", "ible", "ies", "ied", "ers", "ors", "ive", "al", "ly", "ed", "es", "er", "or", "s", "e", "y",
)  # fmt: skip
_GERMAN: Final = (
    "ierungen", "ierung", "ierbar", "ierten", "ierte", "ieren", "iert", "barkeit", "igkeit", "lichkeit", "ungen", "ung", "heiten", "heit",
    "keiten", "keit", "lichen", "liche", "lich", "baren", "bare", "bar", "enden", "ende", "innen", "in", "ern", "ten", "tes", "ter", "tem", "te", "est", "en", "er",
    "es", "em", "et", "st", "e", "n", "s", "t",
)  # fmt: skip
_NUMBERS: Final = {
    "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9", "ten": "10", "eleven": "11",
    "twelve": "12", "zwei": "2", "drei": "3", "vier": "4", "fünf": "5", "sechs": "6", "sieben": "7", "acht": "8", "neun": "9",
    "zehn": "10", "elf": "11", "zwölf": "12",
}  # fmt: skip
_PARTICIPLE: Final = re.compile(r"^(|ab|an|auf|aus|bei|ein|frei|her|hoch|mit|nach|um|vor|weg|zu)ge(?=\w{4})")
_WEEKDAYS: Final = frozenset(
    {"montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag", "sonntag"}
)
_GROUPED: Final = re.compile(r"\d{1,3}(?:[.,\u00a0\u202f'’]\d{3})+(?!\d)")


def number(word: str) -> str:
    """A number without the signs that group its digits, whatever it was written in; "" for what is none."""
    if word.casefold() in _NUMBERS:
        return _NUMBERS[word.casefold()]
    if _GROUPED.fullmatch(word):
        return re.sub(r"\D", "", word)
    return word.replace(",", ".") if word[:1].isdigit() else ""


def bare(word: str) -> str:
    """A word folded, without its accents; "ß" is "ss"."""
    parts = unicodedata.normalize("NFD", unicodedata.normalize("NFKC", word).casefold())
    return "".join(sign for sign in parts if not unicodedata.combining(sign))


@lru_cache(maxsize=16_384)
def root(word: str, language: Language) -> str:
    """The root of a folded, bare word: the same for its forms, and seldom for another word."""
    if len(word) < 4:
        return word
    if language == "de":
        return _german(word)
    return _english(word)


def _english(word: str) -> str:
    for _ in range(2):
        ending = next((end for end in _ENGLISH if word.endswith(end) and len(word) - len(end) >= 4), "")
        if not ending and word.endswith(("ment", "ments", "ing", "ed", "s", "er", "ers")):
            ending = next(
                (
                    end
                    for end in ("ments", "ment", "ing", "ers", "ed", "er", "s")
                    if word.endswith(end) and len(word) - len(end) == 3
                ),
                "",
            )
            if word.endswith(("ss", "us", "is")):
                ending = ""
        word = word.removesuffix(ending) if ending else word
    return word[:-1] if len(word) > 4 and word[-1] == word[-2] and word[-1] not in "aeious" else word


def _german(word: str) -> str:
    if word.removesuffix("s") in _WEEKDAYS:  # "donnerstags" is every one, "am Donnerstag" is one
        return word
    if word.endswith(("t", "en")) and len(word) >= 7:
        word = _PARTICIPLE.sub(r"\1", word)
    for least in (4, 5):
        ending = next((end for end in _GERMAN if word.endswith(end) and len(word) - len(end) >= least), "")
        word = word.removesuffix(ending) if ending else word
    return word
