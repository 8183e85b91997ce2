"""How what a buyer says is scored: the thresholds and the table of scores, in one place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Policy:
    """What a business compares a buyer with.

    Attributes:
        price: what the product costs in a year; a budget from here on is settled.
        near: a budget from this share of the price on may still do.
        tiny: a budget below this share of the price rules the buyer out.
        industries: words for the industries that are sold to.
        smallest: people in the smallest company that is sold to.
        largest: people in the largest.
        soon: days to a start that is soon.
        later: days to a start that is not soon, but planned.
        far: days to the latest start that counts.
    """

    price: int = 48_000
    near: float = 0.7
    tiny: float = 0.05
    industries: tuple[str, ...] = (
        "logistics", "freight", "courier", "haulage", "hauling", "haul", "haulier", "trucking", "delivery", "distribution", "transport",
        "transportation", "shipping", "carrier", "last mile", "fleet", "parcel", "3pl", "supply chain", "forwarding",
        "removals", "dispatch", "lorry", "cargo", "warehousing",
    )  # fmt: skip
    smallest: int = 10
    largest: int = 500
    soon: int = 92
    later: int = 184
    far: int = 366


# From 0 (rules the buyer out) to 100 (settled in our favour). What is unknown stays above 10, so that it rules nobody
# out.
BUDGET: Final = {
    "covers": 90,  # a settled number, the price or more
    "about": 80,  # the same, "about", "up to", "probably"
    "spans": 65,  # a range that the price lies in
    "unsized": 60,  # there is money, and no number
    "near": 45,  # less than the price, and near it
    "open": 30,  # not decided yet
    "below": 25,  # far less
    "tiny": 5,
    "none": 0,
}
TIMELINE: Final = {
    "now": 95,
    "soon": 90,
    "planned": 75,  # a date whose distance nobody said
    "later": 70,
    "far": 55,
    "beyond": 30,
    "whenever": 25,
}
AUTHORITY: Final = {
    "decides": 90,
    "leads": 80,  # a title that usually decides
    "approved": 75,  # another decides, and has said yes
    "shares": 60,
    "reports": 40,  # another decides
    "none": 30,
}
NEED: Final = {"hurts": 90, "suffers": 75, "wants": 60, "looks": 25, "none": 8}
FIT: Final = {
    "both": 95,  # industry and size
    "industry": 80,
    "size": 60,
    "industry, wrong size": 30,
    "open": 40,  # another industry, of a size that is sold to or unknown
    "neither": 5,
}
