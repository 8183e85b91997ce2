"""How people speak of a key."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from turnstate.core.facts.text import word_set

NUMBER_OF: Final = r"(?:id|number|num|no\.?|nr\.?|code|ref(?:erence)?|#)"
GENERIC: Final = word_set("id number num no nr code ref reference date address is has of")
_ALIASES: Final[Mapping[str, str]] = {
    "order": "orders?|purchase",
    "booking": "bookings?|reservations?|confirmation",
    "reservation": "reservations?|bookings?|confirmation",
    "ticket": "tickets?|cases?",
    "invoice": "invoices?|bills?",
    "email": "e-?mails?|mail",
    "phone": "(?:tele)?phone|mobile|cell(?:phone)?|whatsapp",
    **dict.fromkeys(("birthday", "birthdate", "dob"), "birthday|birth ?date|date of birth|dob|born"),
    "departure": "depart(?:ure|ing|s)?|leav(?:e|ing)",
    "return": r"return(?:ing)?|com(?:e|ing)\s+back",
    "arrival": "arriv(?:al|e|ing)",
    "delivery": "deliver(?:y|ed)?",
    **dict.fromkeys(
        ("zip", "postal", "postcode", "zipcode"), r"zip(?: ?code)?|postal(?: code)?|post ?code|plz"
    ),
    "user": "user(?:name)?",
    "account": "account|customer|client",
    "customer": "customer|client|account",
}
IS: Final = r"(?:\s+(?:is|are|was|will be|would be|should be|to|ist|lautet|est|es)\b|['’]s\b|\s*[:=])\s*"


@lru_cache(maxsize=512)
def label_of(words: tuple[str, ...]) -> str:
    """A pattern for how people name a key: by the words that tell it from others, in the singular or plural."""
    telling = [word for word in words if word not in GENERIC] or list(words)
    return r"[\s_-]+".join(f"(?:{_ALIASES.get(word) or _either_number(word)})" for word in telling)


def _either_number(word: str) -> str:
    if word.endswith("ies"):
        return f"{re.escape(word[:-3])}(?:y|ies)"
    return f"{re.escape(word.removesuffix('s'))}s?"
