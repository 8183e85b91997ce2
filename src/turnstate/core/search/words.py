"""The words that a text is found by: folded, lightly stemmed, ids whole and in parts, unspaced scripts in pairs."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

LONGEST: Final = 40
"""Characters of a word; what is longer is found by its beginning."""

# Vowels and tones of many scripts are marks, which Python does not count among the letters.
_SIGN: Final = (
    r"(?:[^\W_]|[\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1-\u05c7\u0610-\u061a\u064b-\u065f\u0670"
    r"\u06d6-\u06ed\u0900-\u0963\u0966-\u0dff\u0e31-\u0e3a\u0e47-\u0e4e\u0eb1-\u0ece\u0f18-\u0fbc\u102b-\u103e"
    r"\u17b4-\u17d3\u3099\u309a])"
)
_TOKEN: Final = re.compile(rf"{_SIGN}+(?:[-_./@:#'’]{_SIGN}+)*")
_PART: Final = re.compile(rf"{_SIGN}+")
_UNSPACED: Final = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f]+"
)
_APOSTROPHE: Final = re.compile(r"['’](?:s|re|ve|ll|d|m|t)\b|['’]")
_VOWEL: Final = re.compile(r"[aeiouy]")

STOP: Final = frozenset(
    [
        "a",
        "about",
        "after",
        "again",
        "all",
        "also",
        "am",
        "an",
        "and",
        "any",
        "are",
        "aren",
        "as",
        "at",
        "be",
        "because",
        "been",
        "before",
        "being",
        "below",
        "between",
        "both",
        "but",
        "by",
        "can",
        "cannot",
        "could",
        "couldn",
        "did",
        "didn",
        "do",
        "does",
        "doesn",
        "doing",
        "don",
        "down",
        "during",
        "each",
        "few",
        "for",
        "from",
        "further",
        "get",
        "give",
        "go",
        "got",
        "had",
        "hadn",
        "has",
        "hasn",
        "have",
        "haven",
        "having",
        "he",
        "her",
        "here",
        "hers",
        "herself",
        "him",
        "himself",
        "his",
        "how",
        "i",
        "if",
        "in",
        "into",
        "is",
        "isn",
        "it",
        "its",
        "itself",
        "just",
        "kind",
        "know",
        "let",
        "like",
        "ll",
        "made",
        "make",
        "many",
        "may",
        "me",
        "mean",
        "might",
        "more",
        "most",
        "much",
        "mustn",
        "my",
        "myself",
        "need",
        "no",
        "nor",
        "not",
        "now",
        "of",
        "off",
        "on",
        "once",
        "one",
        "only",
        "or",
        "other",
        "our",
        "ours",
        "ourselves",
        "out",
        "over",
        "own",
        "please",
        "re",
        "really",
        "s",
        "same",
        "say",
        "said",
        "shan",
        "she",
        "should",
        "shouldn",
        "so",
        "some",
        "such",
        "sure",
        "t",
        "tell",
        "than",
        "thank",
        "thanks",
        "that",
        "the",
        "their",
        "theirs",
        "them",
        "themselves",
        "then",
        "there",
        "these",
        "they",
        "thing",
        "things",
        "think",
        "this",
        "those",
        "through",
        "to",
        "too",
        "under",
        "until",
        "up",
        "us",
        "use",
        "ve",
        "very",
        "want",
        "was",
        "wasn",
        "way",
        "we",
        "well",
        "were",
        "weren",
        "what",
        "when",
        "where",
        "which",
        "while",
        "who",
        "whom",
        "why",
        "will",
        "with",
        "won",
        "would",
        "wouldn",
        "yes",
        "yet",
        "you",
        "your",
        "yours",
        "yourself",
        "yourselves",
        "ok",
        "okay",
        "oh",
        "hey",
        "hi",
        "hello",
    ]
)
"""English words that say nothing of what is looked for; they are left out of questions, never out of what is searched."""


def words(text: str) -> tuple[str, ...]:
    """The search words of `text`, in order, repeated as often as they stand in it."""
    return tuple(_words(unicodedata.normalize("NFKC", text).casefold()))


def asked_words(text: str) -> tuple[str, ...]:
    """The words of a question, each once, without those that say nothing."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return tuple(dict.fromkeys(word for raw in _tokens(folded) if raw not in STOP for word in _forms(raw)))


def vocabulary(text: str) -> frozenset[str]:
    """The search words of `text`, each once."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return frozenset[str]().union(*map(_known, set(_TOKEN.findall(folded))))


def _words(folded: str) -> Iterator[str]:
    for raw in _TOKEN.findall(folded):
        yield from _known(raw)


def _tokens(folded: str) -> Iterator[str]:
    for found in _TOKEN.finditer(folded):
        token = _APOSTROPHE.sub("", found[0])
        if token:
            yield token


def _known(raw: str) -> tuple[str, ...]:
    """The words of what stands between blanks; of a usual word they are looked up."""
    return _again(raw) if len(raw) <= LONGEST else _of(raw)


def _of(raw: str) -> tuple[str, ...]:
    token = _APOSTROPHE.sub("", raw)
    return tuple(_forms(token)) if token else ()


_again = lru_cache(maxsize=16_384)(_of)


def _forms(token: str) -> Iterator[str]:
    """One word; of an id its parts as well, of an unspaced text its pairs of signs."""
    if not token.isascii() and _UNSPACED.search(token):
        yield from _pairs(token)
        return
    parts = _PART.findall(token)
    if len(parts) > 1:
        yield token[:LONGEST]
        yield from (stem(part) for part in parts[:8])
    elif parts:
        yield stem(parts[0])


def _pairs(token: str) -> Iterator[str]:
    place = 0
    for run in _UNSPACED.finditer(token):
        if rest := token[place : run.start()]:
            yield stem(rest)
        signs = run[0]
        if len(signs) == 1:
            yield signs
        yield from (signs[at : at + 2] for at in range(len(signs) - 1))
        place = run.end()
    if rest := token[place:]:
        yield stem(rest)


@lru_cache(maxsize=16_384)
def stem(word: str) -> str:
    """An English word without its commonest endings; everything else as it is, at most `LONGEST` signs of it.

    "painting", "painted", "paints" and "paint" are one word. It need not be a word of English, only always the same.
    """
    word = word[:LONGEST]
    if len(word) < 4 or not word.isascii() or not word.isalpha():
        return word
    for ending, least, instead in (
        ("ies", 2, "y"),
        ("sses", 2, "ss"),
        ("ied", 2, "y"),
        ("ing", 3, ""),
        ("ed", 3, ""),
        ("es", 3, "e"),
        ("s", 3, ""),
    ):
        if word.endswith(ending):
            root = word[: -len(ending)]
            if len(root) < least or (ending == "s" and root[-1] in "su") or not _VOWEL.search(root):
                continue
            return _bare(root + instead)
    return _bare(word)


def _bare(root: str) -> str:
    """A root without a doubled last letter or a silent e: "runn" and "run", "bake" and "bak" are one."""
    if len(root) > 3 and root[-1] == root[-2] and root[-1] not in "aeiouls":
        return root[:-1]
    if len(root) > 3 and root[-1] == "e":
        return root[:-1]
    return root
