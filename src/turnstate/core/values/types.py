"""What a value is: its kind, its words, its place in the text and its one spelling."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class ValueKind(StrEnum):
    """What kind of thing a value is."""

    ID = "id"
    EMAIL = "email"
    URL = "url"
    PHONE = "phone"
    MONEY = "money"
    PERCENT = "percent"
    DATE = "date"
    TIME = "time"
    DURATION = "duration"
    QUANTITY = "quantity"
    PATH = "path"
    VERSION = "version"
    QUOTED = "quoted"


@dataclass(frozen=True, slots=True)
class Value:
    """One value as it stands in a text.

    Attributes:
        kind: what it is.
        text: its words, exactly `source[start:end]`.
        start: first code point.
        end: one past the last code point.
        norm: what it means, in one spelling: `12345`, `1200 USD`, `2026-03-11` (`?` for what was not said, `03|11` for
            a day and a month in unknown order, `????-??-?? +1` for tomorrow, `????-??-?? next fri` for next Friday as
            long as the day they are said on is open), `19:30` (`07:30?` without am or pm), `1209600 s`, `1.5 kg` as
            `1500 g`.
        also: what the words may mean besides; only for dates that were read by the time they were said.
    """

    kind: ValueKind
    text: str
    start: int
    end: int
    norm: str
    also: tuple[str, ...] = ()
