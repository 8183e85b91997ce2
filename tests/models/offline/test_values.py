"""The values that customers write: found where they are, left where they are not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnstate.models.offline.values import LONGEST, find_values, shortened


def _found(text: str) -> list[tuple[str, str]]:
    return [
        (found.kind, found.text) for found in find_values(text) if found.kind != "other" and not found.refused
    ]


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("Where is order 70011?", "70011"),
        ("my order number is 77", "77"),
        ("order no. 2026 please", "2026"),
        ("it's about #A1B2C3", "A1B2C3"),
        ("ordr 8841 plz", "8841"),
        ("W-1042", "W-1042"),
        ("114-2938475-1234567 is the order", "114-2938475-1234567"),
        ("My purchase reference: ZK-99-1207", "ZK-99-1207"),
        ("70011", "70011"),
        ("it is 70011, not 70012", "70011"),
        ("no, not order 70012 but 70011", "70011"),
        ("70012 is wrong, 70011 is the right one", "70011"),
    ],
)
def test_an_order_number_is_found(text: str, order: str) -> None:
    """With a word for it, a sign, a code's form, or alone."""
    assert [value for kind, value in _found(text) if kind == "order"] == [order]


@pytest.mark.parametrize(
    "text",
    [
        "I ordered 3 lamps 120 days ago for $1500 on 12/03/2026",
        "I bought it in 2025 for 1200 EUR",
        "my zip code is 97201",
        "tracking number 1Z999AA10123456784 says nothing",
        "a text of 2000 words for 5000 people",
        "call me on +46 70 123 45 67",
        "by 5 pm on 12 December",
        "what is your covid-19 policy from mid-2024",
    ],
)
def test_other_numbers_are_no_orders(text: str) -> None:
    """Money, dates, quantities, phones and tracking numbers stay what they are."""
    assert [value for kind, value in _found(text) if kind == "order"] == []


def test_several_orders_in_a_list_are_all_found() -> None:
    """The word stands only before the first."""
    assert _found("orders 1001, 1002 and 1003 please") == [
        ("order", "1001"),
        ("order", "1002"),
        ("order", "1003"),
    ]


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("And can you ship it to 55 Elm St?", "55 Elm St"),
        (
            "My new address is 12 Rose Lane, Leeds LS1 4AB. Also, when does it come?",
            "12 Rose Lane, Leeds LS1 4AB",
        ),
        (
            "send order 77812 to 9 Rue de Rivoli, 75001 Paris, France instead",
            "9 Rue de Rivoli, 75001 Paris, France",
        ),
        ("ship to 55 elm st, portland or 97201 please", "55 elm st, portland or 97201"),
        ("Deliver it to Musterstraße 12a, 10115 Berlin, thanks", "Musterstraße 12a, 10115 Berlin"),
        ("I moved to Flat 3, 10 High Street, York", "Flat 3, 10 High Street, York"),
        ("address: P.O. Box 44, Springfield", "P.O. Box 44, Springfield"),
        ("Send it to The Old Mill, Bridge End 3, Hexham", "The Old Mill, Bridge End 3, Hexham"),
        ("I live at 221B Baker Street London NW1 6XE and wait", "221B Baker Street London NW1 6XE"),
        (
            "to my office at 100 Main Road, Suite 5, Austin, TX 78701?",
            "100 Main Road, Suite 5, Austin, TX 78701",
        ),
        ("sent to 18 Kungsgatan, 111 43 Stockholm", "18 Kungsgatan, 111 43 Stockholm"),
        ("Storgatan 7, 211 42 Malmö", "Storgatan 7, 211 42 Malmö"),
        ("post it to 7 Mill Row Bath BA1 2AB rather than the old one", "7 Mill Row Bath BA1 2AB"),
        (
            "my address is 4 Privet Drive\nLittle Whinging\nSurrey\n\nThanks",
            "4 Privet Drive\nLittle Whinging\nSurrey",
        ),
        ("send order 70011 to 57 Elm St, York.", "57 Elm St, York"),
    ],
)
def test_an_address_is_found_as_far_as_it_goes(text: str, address: str) -> None:
    """From the house or street to the last part of the place, and no further."""
    assert [value for kind, value in _found(text) if kind == "address"] == [address]


@pytest.mark.parametrize(
    "text",
    [
        "deliver it to me by 5 pm",
        "10 days ago I called about the road",
        "move it to 12 December",
        "send it to the same address",
        "change order 70011 to 70012",
        "ship it to my place please",
    ],
)
def test_other_words_are_no_addresses(text: str) -> None:
    """A person, a day or another order is no place."""
    assert [value for kind, value in _found(text) if kind == "address"] == []


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Hi, I'm Priya Raman and I need help", ["Priya Raman"]),
        ("my name is john smith and I need help", ["John Smith"]),
        ("Priya here.", ["Priya"]),
        ("The name's Omar", ["Omar"]),
        ("Where is it?\n\nThanks,\nMaria Lopez", ["Maria Lopez"]),
        ("call me Bob", ["Bob"]),
        ("call me back tomorrow", []),
        ("I'm not sure", []),
        ("IT'S RAINING HERE", []),
        ("this is ridiculous", []),
    ],
)
def test_a_name_is_found_where_one_is_given(text: str, name: list[str]) -> None:
    """People say who they are in a few ways; most sentences with "I'm" say something else."""
    assert [value for kind, value in _found(text) if kind == "name"] == name


def test_mail_and_phone_are_found() -> None:
    """Ways to reach the customer."""
    assert _found("Write to a.b+c@mail.example, or call 555-123-4567.") == [
        ("email", "a.b+c@mail.example"),
        ("phone", "555-123-4567"),
    ]


@given(st.text(max_size=200))
def test_values_stand_where_they_say_and_do_not_overlap(text: str) -> None:
    """Each span is inside the text and after the one before."""
    end = 0
    for found in find_values(text):
        assert end <= found.start < found.end <= len(text)
        end = found.end


@given(st.text(alphabet="ab 1", max_size=50), st.integers(0, 3))
def test_a_very_long_message_is_read_at_both_ends(text: str, times: int) -> None:
    """What is wanted stands before or after what is pasted."""
    long = f"order 70011 {text} {'word ' * 2_000 * times} order 70022"
    short = shortened(long)
    assert len(short) <= LONGEST + 1
    assert {"70011", "70022"} <= {found.text for found in find_values(long)}
