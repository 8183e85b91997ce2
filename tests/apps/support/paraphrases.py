"""The demo's questions in other words, with what must come of each: nothing in it is answered by its wording."""

from __future__ import annotations

from typing import NamedTuple


class Said(NamedTuple):
    """A message of a visit.

    Attributes:
        text: the message.
        calls: the tools that must be called for it, in order.
        reply: what the reply must contain.
    """

    text: str
    calls: tuple[str, ...] = ()
    reply: str = ""


VISIT: tuple[Said, ...] = (
    Said("Good morning, my name is Ana Lopes. It's about order 20533.", ("get_order",), "processing"),
    Said("any clue what day that'll be with me?", ("get_order",), "2026-12-01"),
    Said(
        "hmm ok. I'd prefer to get it at work, can u send it to 40 Rose Lane, Porto",
        ("change_address",),
        "40 Rose Lane, Porto",
    ),
    Said("who's the courier", ("get_order",), "Parcelbird"),
    Said("and remind me what was in it", ("get_order",), "Cork serving tray"),
    Said("whats the price for express delivery?", (), "12.90 EUR"),
    Said("would you ship to Switzerland as well", (), "14.50 EUR"),
    Said(
        "I bought a planter from you in september, order 19876. it has a big crack now",
        (),
        "Shall I request the refund of order 19876",
    ),
    Said("yes, go ahead", ("refund",), "52.00 EUR"),
    Said("how soon will i see the money", (), "five working days"),
    Said("and is the refund registered?", ("get_order",), "R-19876"),
    Said("my mail btw: ana@lopes.example", (), "ana@lopes.example"),
    Said("can i pay with mastercard next time", (), "Mastercard"),
    Said("do your trays have a guarantee", (), "one year"),
    Said("Which order did I mention first?", (), "20533"),
    Said("where are you sending the tray now", ("get_order",), "40 Rose Lane, Porto"),
    Said(
        "oops, wrong street number. Please make it 44 Rose Lane, Porto for the tray",
        (),
        "44 Rose Lane, Porto",
    ),
    Said("yep", ("change_address",), "44 Rose Lane, Porto"),
    Said("cancel the tray please", (), "can't cancel order 20533"),
    Said("what's my e-mail on your side?", (), "ana@lopes.example"),
    Said("Do you offer gift wrapping?", (), "can't verify"),
    Said("thanks a bunch, bye bye", (), "Goodbye"),
)
"""Another customer, in other words, with other orders."""

RETURN: tuple[Said, ...] = (
    Said("hey, me again", (), "Ana"),
    Said("did the tray go out yet?", ("get_order",), "Order 20533"),
    Said("to what address, just to be sure?", ("get_order",), "Order 20533 goes to"),
    Said("what email have you got for me", (), "ana@lopes.example"),
)
"""The same customer later, who repeats nothing."""
