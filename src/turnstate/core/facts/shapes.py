"""The shape of values: read off the name and type of a key, and required of a value."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from typing import Any, Final

from turnstate.core.facts.keys import Scalar, Shape
from turnstate.core.facts.text import word_set
from turnstate.core.values import ValueKind, find

_LAST_WORDS: Final = {
    Shape.EMAIL: word_set("email mail"),
    Shape.PHONE: word_set("phone mobile telephone cell whatsapp cellphone"),
    Shape.POSTCODE: word_set("zip zipcode postcode plz"),
    Shape.DATE: word_set("date birthday birthdate dob"),
    Shape.ID: word_set("id number no num code ref reference pnr sku order invoice booking"),
    Shape.ADDRESS: word_set("address addr"),
    Shape.NAME: word_set("surname nickname firstname lastname fullname"),
}
_PERSON: Final = word_set(
    "first last full given family middle user customer client contact passenger guest caller preferred"
)
_NO_ID: Final = word_set("country language lang currency locale dress ip web")


def shape_of(base: Any, words: tuple[str, ...], options: Mapping[str, Scalar]) -> Shape:
    """What the values of a key look like. The last word of its name says most: an email_address is an e-mail."""
    if options:
        return Shape.CHOICE
    by_type = {
        bool: Shape.YES_NO,
        int: Shape.NUMBER,
        float: Shape.NUMBER,
        Decimal: Shape.NUMBER,
        date: Shape.DATE,
    }
    last, rest = _singular(words[-1]), words[:-1]
    if base in by_type:
        is_id = base is int and last in _LAST_WORDS[Shape.ID] and rest
        return Shape.ID if is_id else by_type[base]
    if last in {"address", "number", "no", "code"}:
        for shape in (Shape.EMAIL, Shape.PHONE, Shape.POSTCODE):
            if (_LAST_WORDS[shape] | ({"postal"} if shape is Shape.POSTCODE else set())) & set(rest):
                return shape
    if last == "name" and set(rest) <= _PERSON:
        return Shape.NAME
    if _NO_ID & set(rest):
        return Shape.TEXT
    return next((shape for shape, known in _LAST_WORDS.items() if last in known), Shape.TEXT)


def _singular(word: str) -> str:
    known = set[str]().union(*_LAST_WORDS.values()) | {"name"}
    return next(
        (form for form in (word, word.removesuffix("s"), word.removesuffix("es")) if form in known), word
    )


_EMAIL_ONLY: Final = re.compile(r"[^\s@]{1,64}@[^\s@.]+(?:\.[^\s@.]+)+")
_POSTCODE_ONLY: Final = re.compile(r"(?=[^\d]*\d)[A-Za-z\d][A-Za-z\d -]{1,9}[A-Za-z\d]")


def misshapen(shape: Shape, text: str) -> str:
    """Why `text` cannot be of this shape, or ""."""
    digits = sum(char.isdecimal() for char in text)
    lettered = any(char.isalpha() for char in text)
    match shape:
        case Shape.EMAIL:
            fits = _EMAIL_ONLY.fullmatch(text) is not None
        case Shape.PHONE:
            fits = 6 <= digits <= 17 and re.fullmatch(r"[\d\s()+./x#-]+", text) is not None
        case Shape.POSTCODE:
            fits = _POSTCODE_ONLY.fullmatch(text) is not None
        case Shape.ID:
            fits = len(text) <= 64 and (digits > 0 or (text.isupper() and " " not in text))
        case Shape.NAME:
            fits = lettered and digits <= 2 and not re.search(r"[@/]", text)
        case Shape.DATE:
            fits = digits > 0 or any(value.kind is ValueKind.DATE for value in find(text))
        case Shape.ADDRESS:
            fits = lettered and "@" not in text
        case _:
            fits = True
    return "" if fits else f"does not look like {_SHAPE_NAMES[shape]}"


_SHAPE_NAMES: Final = {
    Shape.EMAIL: "an e-mail address",
    Shape.PHONE: "a phone number",
    Shape.POSTCODE: "a postal code",
    Shape.ID: "an id",
    Shape.NAME: "a name",
    Shape.DATE: "a date",
    Shape.ADDRESS: "an address",
}
