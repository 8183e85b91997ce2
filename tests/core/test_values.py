"""Exact values: what is found in a text, what it means, and when two of them are the same."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnstate.core.values import (
    FINDERS,
    Value,
    ValueKind,
    ascii_digits,
    find,
    invented,
    missing,
    number,
    numbers,
    plain,
    same,
)

ANY_TEXT = st.text(st.characters(), max_size=200)
WORDY = st.lists(
    st.sampled_from(
        [
            "order",
            "#12345",
            "ORD-2024-001",
            "$1,200.50",
            "€",
            "12",
            "kg",
            "March",
            "11th",
            "2026-03-11",
            "7:30",
            "pm",
            "a@b.com",
            "https://x.io/y",
            "15%",
            "six",
            "weeks",
            '"quoted',
            'words"',
            "+1",
            "555",
            "123",
            "4567",
            "/var/log/a.log",
            "v1.2.3",
            "the",
            "6th",
            "noon",
            ",",
            ".",
            "(",
            ")",
            "1.",
            "-",
        ]
    ),
    max_size=30,
).map(" ".join)


def kinds(text: str) -> list[tuple[str, str, str]]:
    """What `find` says, in short."""
    return [(value.kind.value, value.text, value.norm) for value in find(text)]


def only(text: str) -> Value:
    """The one value of a text."""
    (value,) = find(text)
    return value


@pytest.mark.parametrize(
    ("text", "norm"),
    [
        ("Where is order 12345?", "12345"),
        ("order #12345", "12345"),
        ("Order no. 12345", "12345"),
        ("my order number is 12345", "12345"),
        ("#A12", "a12"),
        ("ORD-2024-001", "ord-2024-001"),
        ("A1B2-77", "a1b2-77"),
        ("ZFA04Y", "zfa04y"),
        ("the reservation UNRVBD", "unrvbd"),
        ("confirmation code is QWERTY", "qwerty"),
        ("I am mia_li_3668", "mia_li_3668"),
        ("on HAT136", "hat136"),
        ("flight 123", "123"),
        ("invoice: INV-9", "inv-9"),
        ("case number 00123", "00123"),
        ("credit_card_9879898", "credit_card_9879898"),
        ("latte-0371", "latte-0371"),
        ("123e4567-e89b-12d3-a456-426614174000", "123e4567-e89b-12d3-a456-426614174000"),
        ("at 9fceb02d0ae598e95dc970b74767f19372d61af8", "9fceb02d0ae598e95dc970b74767f19372d61af8"),
        ("it is 12345", "12345"),
        ("192.168.0.1 answers", "192.168.0.1"),
        ("gate B12", "b12"),
        ("seat 14C", "14c"),
        ("room 204", "204"),
        ("订单号12345在哪里", "12345"),
        ("طلب ١٢٣٤٥", "12345"),
        ("注文番号 ABC-9911", "abc-9911"),
        ("Bestellung 40012", "40012"),
        ("4111 1111 1111 1111", "4111111111111111"),
    ],
)
def test_ids_are_found(text: str, norm: str) -> None:
    """Numbers and codes that identify something are ids, with or without the word for what they identify."""
    value = only(text)
    assert (value.kind, value.norm) == (ValueKind.ID, norm)


@pytest.mark.parametrize(
    "text",
    [
        "in 2024",
        "the 1990s",
        "3 bags",
        "order 2 pizzas",
        "a 5-star hotel",
        "1st class",
        "mp3",
        "ticket to Rome",
        "and/or",
        "1/2",
    ],
)
def test_years_and_counts_are_not_values(text: str) -> None:
    """What nobody would look up is left alone."""
    assert find(text) == ()


@pytest.mark.parametrize(
    ("text", "norm"),
    [
        ("$1,200.00", "1200 USD"),
        ("1200 USD", "1200 USD"),
        ("USD 1200", "1200 USD"),
        ("1.200,50 €", "1200.5 EUR"),
        ("€1.234", "1234 EUR"),
        ("1 200 €", "1200 EUR"),
        ("12,50 EUR", "12.5 EUR"),
        ("US$5", "5 USD"),
        ("CA$5", "5 CAD"),
        ("£3.99", "3.99 GBP"),
        ("¥1,000", "1000 JPY"),
        ("$5k", "5000 USD"),
        ("$1.5 million", "1500000 USD"),
        ("161 bucks", "161 USD"),
        ("eighty five bucks", "85 USD"),
        ("two hundred and five dollars", "205 USD"),
        ("50 cents", "0.5 USD"),
        ("100 元", "100 CNY"),
    ],
)
def test_money_is_found(text: str, norm: str) -> None:
    """Symbols and codes on either side, separators of either style, figures and words."""
    value = only(text)
    assert (value.kind, value.norm) == (ValueKind.MONEY, norm)


@pytest.mark.parametrize(
    ("text", "norm"),
    [
        ("March 11th", "????-03-11"),
        ("11th of March", "????-03-11"),
        ("11 March 2026", "2026-03-11"),
        ("March 11, 2026", "2026-03-11"),
        ("Mar. 3", "????-03-03"),
        ("May 20", "????-05-20"),
        ("March 2026", "2026-03-??"),
        ("2026-03-11", "2026-03-11"),
        ("3/11/2026", "2026-03|11"),
        ("24/12/2025", "2025-12-24"),
        ("11.03.2026", "2026-03-11"),
        ("the 13th", "????-??-13"),
        ("6th of this month", "????-??-06"),
        ("2026年3月11日", "2026-03-11"),
        ("11 mars 2026", "2026-03-11"),
        ("11. März 2026", "2026-03-11"),
        ("11 de marzo de 2026", "2026-03-11"),
        ("march the eleventh", "????-03-11"),
    ],
)
def test_dates_are_found(text: str, norm: str) -> None:
    """A date keeps what was said, and leaves open what was not: the year, the month, the order of the figures."""
    value = only(text)
    assert (value.kind, value.norm) == (ValueKind.DATE, norm)


def test_a_verb_is_not_a_month() -> None:
    """Lower-case "may" before a number is no date, and a day that does not exist is none."""
    assert kinds("it may 20 times over") == []
    assert kinds("February 31") == []
    assert kinds("the 2nd time") == []


@pytest.mark.parametrize(
    ("text", "norm"),
    [
        ("7:30 pm", "19:30"),
        ("7.30 PM", "19:30"),
        ("19:30", "19:30"),
        ("07:30", "07:30"),
        ("7:30", "07:30?"),
        ("7 pm", "19:00"),
        ("5 p.m.", "17:00"),
        ("12 am", "00:00"),
        ("12 pm", "12:00"),
        ("noon", "12:00"),
        ("2 o'clock in the afternoon", "14:00"),
        ("7 in the evening", "19:00"),
        ("morning 11:30", "11:30"),
        ("half past 7 pm", "19:30"),
        ("quarter to 8 in the evening", "19:45"),
        ("three in the afternoon", "15:00"),
        ("19h30", "19:30"),
        ("8 Uhr", "08:00"),
    ],
)
def test_times_are_found(text: str, norm: str) -> None:
    """Clock times in figures and words; without am or pm they keep a question mark."""
    value = only(text)
    assert (value.kind, value.norm) == (ValueKind.TIME, norm)


def test_a_timestamp_is_a_date_and_a_time() -> None:
    """The T between them belongs to neither."""
    assert kinds("2024-05-01T09:08:54Z") == [
        ("date", "2024-05-01", "2024-05-01"),
        ("time", "09:08:54Z", "09:08"),
    ]


@pytest.mark.parametrize(
    ("text", "kind", "norm"),
    [
        ("six weeks", "duration", "3628800 s"),
        ("3-5 business days", "duration", "3-5 workday"),
        ("3 to 5 days", "duration", "259200-432000 s"),
        ("24-hour", "duration", "86400 s"),
        ("two nights", "duration", "2 night"),
        ("1 year", "duration", "12 month"),
        ("1.5kg", "quantity", "1500 g"),
        ("30 cm", "quantity", "300 mm"),
        ("16GB", "quantity", "16 GB"),
        ("27-inch", "quantity", "27 in"),
        ("12 oz", "quantity", "12 oz"),
        ("500 ml", "quantity", "500 ml"),
        ("72 degrees Fahrenheit", "quantity", "72 F"),
        ("12,345", "quantity", "12345"),
        ("4.5", "quantity", "4.5"),
        ("15%", "percent", "15%"),
        ("fifteen percent", "percent", "15%"),
        ("3.5 per cent", "percent", "3.5%"),
        ("a@Example.COM", "email", "a@example.com"),
        ("https://Example.com/a?b=1", "url", "example.com/a?b=1"),
        ("www.example.com/", "url", "example.com"),
        ("db-3.internal.example.com", "url", "db-3.internal.example.com"),
        ("(555) 123-4567", "phone", "5551234567"),
        ("+1 555 123 4567", "phone", "+15551234567"),
        ("06 12 34 56 78", "phone", "0612345678"),
        ("/var/log/app.log", "path", "/var/log/app.log"),
        ("src/app/main.py", "path", "src/app/main.py"),
        ("report.pdf", "path", "report.pdf"),
        ("C:\\data\\a.txt", "path", "C:\\data\\a.txt"),
        ("v2.3.1", "version", "2.3.1"),
        ("1.2.3-rc1", "version", "1.2.3-rc1"),
        ("the song “Yellow  Submarine”", "quoted", "yellow submarine"),
    ],
)
def test_other_kinds_are_found(text: str, kind: str, norm: str) -> None:
    """Each kind has one spelling for what it means."""
    value = only(text)
    assert (value.kind, value.norm) == (kind, norm)


def test_the_longest_and_most_specific_wins() -> None:
    """A date inside a path is the path's, an id inside quotation marks is an id, a host inside an address is not a URL."""
    assert [value.kind for value in find("/var/2026-03-11/a.log")] == [ValueKind.PATH]
    assert kinds('he said "order 12345"') == [("id", "order 12345", "12345")]
    assert [value.kind for value in find("a@example.com")] == [ValueKind.EMAIL]


def test_strings_of_json_are_not_quotations() -> None:
    """In tool output quotation marks are syntax; what stands between them is found for itself."""
    text = json.dumps({"order_id": "12345", "status": "on its way", "items": ["red shoes", "socks"]})
    assert [value.text for value in find(text) if value.kind is ValueKind.ID] == ["12345"]
    assert '"order_id"' not in [value.text for value in find(text)]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("$1,200.00", "1200 USD"),
        ("$161", "161 bucks"),
        ("$12.50", "12.5"),
        ("50 pounds", "£50"),
        ("50 pounds", "50 lbs"),
        ("7:30 pm", "19:30"),
        ("7:30", "7:30 am"),
        ("March 11th", "2026-03-11"),
        ("11th of March", "march 11"),
        ("the 11th", "March 11th"),
        ("3/11/2026", "March 11, 2026"),
        ("3/11/2026", "11 March 2026"),
        ("#12345", "order 12345"),
        ("ORD-2024-001", "ord 2024-001".replace(" ", "-")),
        ("A1B2-77", "a1b277"),
        ("a@EXAMPLE.com", "a@example.com"),
        ("(555) 123-4567", "555-123-4567"),
        ("+1 555 123 4567", "(555) 123-4567"),
        ("+49 30 1234567", "030 1234567"),
        ("5551234567", "555-123-4567"),
        ("2 weeks", "fourteen days"),
        ("1.5 kg", "1500 g"),
        ("15%", "15 percent"),
        ("https://www.example.com/", "example.com"),
        ("six weeks", "6 weeks"),
    ],
)
def test_the_same_value_said_differently(one: str, other: str) -> None:
    """A faithful restatement is no drift."""
    assert same(only(one), only(other))
    assert same(only(other), only(one))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("$1,200", "€1,200"),
        ("$1,200", "$1,200.50"),
        ("7:30 pm", "7:30 am"),
        ("March 11th", "March 12th"),
        ("2026-03-11", "2025-03-11"),
        ("March 2026", "March 11, 2026"),
        ("order 12345", "order 12346"),
        ("+1 555 123 4567", "+44 555 123 4567"),
        ("3 days", "3 weeks"),
        ("3 days", "3-5 days"),
        ("15%", "$15"),
        ("a@example.com", "b@example.com"),
        ("the 3rd", "March 12th"),
        ("the 12th", "December 3rd"),
    ],
)
def test_different_values_are_not_the_same(one: str, other: str) -> None:
    """What differs in a digit, a unit or a currency differs."""
    assert not same(only(one), only(other))


def test_real_restatements_compare(shared_data: Path) -> None:
    """On recorded pairs of a user's and an agent's wording: every found pair is judged rightly, as the labels say."""
    wrong: list[str] = []
    judged = 0
    said = int(datetime(2019, 3, 1, tzinfo=UTC).timestamp()) * 1_000_000
    for line in (
        (shared_data / "sgd_value_equivalence" / "pairs.jsonl").read_text(encoding="utf-8").splitlines()
    ):
        pair = json.loads(line)
        user, agent = find(pair["user"], at=said), find(pair["agent"], at=said)
        if len(user) == len(agent) == 1:
            judged += 1
            if same(user[0], agent[0]) != pair["same"]:
                wrong.append(f"{pair['user']} / {pair['agent']}")
    assert judged > 1_300
    assert wrong == []


def test_missing_values_are_named_once_in_order() -> None:
    """What a summary lost, however often it was said."""
    source = "Order 12345 costs $59.90. Again: order #12345. Ship by March 11th to a@example.com."
    lost = missing(source, "The customer asked about order 12345; a@example.com.")
    assert [value.text for value in lost] == ["$59.90", "March 11th"]
    assert missing(source, source) == ()


def test_invented_values_are_found_out() -> None:
    """A value of a summary that stands nowhere in its source; another wording of one that does is fine."""
    source = "I paid 1200 USD for order 12345 on 2026-03-11 at 19:30. It took two weeks."
    assert invented("Paid $1,200.00 for #12345 on March 11th, 7:30 pm, after 14 days", source) == ()
    assert [value.text for value in invented("Order 12346 cost $1,300", source)] == ["Order 12346", "$1,300"]


def test_a_piece_of_a_number_is_an_invention() -> None:
    """Standing inside a longer number or code does not count as standing in the source."""
    assert [value.text for value in invented("order 2345", "order 12345")] == ["order 2345"]
    assert invented("ref 7731", "refs: x7731 and 7731.") == ()


def test_values_survive_in_json_tool_output() -> None:
    """A reply's amounts and ids are compared with what a tool returned, whose numbers have no currency."""
    result = json.dumps({"id": "W-5531", "total": 54.99, "eta": "2026-03-11"})
    assert invented("Order W-5531 for $54.99 arrives on March 11th.", result) == ()
    assert [value.text for value in invented("That is $55.99.", result)] == ["$55.99"]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1,234.5", "1234.5"),
        ("1.234,5", "1234.5"),
        ("1,234", "1234"),
        ("1.234", "1.234"),
        ("12,5", "12.5"),
        ("1'000", "1000"),
        ("1,234,567", "1234567"),
        ("forty-two", "42"),
        ("two thousand and five", "2005"),
        ("a hundred", None),
        ("١٢", "12"),
        ("twelve 3", None),
        ("", None),
    ],
)
def test_numbers_are_read(text: str, value: str | None) -> None:
    """Separators of either style, and English words."""
    assert number(text) == (None if value is None else Decimal(value))


def test_numbers_in_a_text() -> None:
    """Every number of a text, in figures or words, with its place."""
    text = "two bags of 1.5 kg and 3"
    assert [(str(found.value), text[found.start : found.end]) for found in numbers(text)] == [
        ("2", "two"),
        ("1.5", "1.5"),
        ("3", "3"),
    ]


@given(ANY_TEXT | WORDY)
def test_any_text_is_searched(text: str) -> None:
    """Every value is the text it claims, in order, without overlaps, whatever Unicode comes."""
    end = 0
    for value in find(text):
        assert end <= value.start < value.end
        assert text[value.start : value.end] == value.text
        assert value.norm
        end = value.end


@given(ANY_TEXT | WORDY)
def test_a_value_is_the_same_as_itself(text: str) -> None:
    """Comparing is reflexive, so that a text misses and invents nothing of itself."""
    assert all(same(value, value) for value in find(text))
    assert missing(text, text) == ()
    assert invented(text, text) == ()


@given(WORDY, WORDY)
def test_sameness_is_symmetric(one: str, other: str) -> None:
    """It does not matter which of two values is asked about the other."""
    assert all(same(a, b) == same(b, a) for a in find(one) for b in find(other))


@given(WORDY, WORDY)
def test_what_is_missing_is_not_there(one: str, other: str) -> None:
    """Joining both texts leaves nothing missing of either."""
    assert missing(one, f"{other}\n{one}") == ()


@given(st.decimals(allow_nan=False, allow_infinity=False, places=2, min_value=0, max_value=10**9))
def test_amounts_have_one_spelling(amount: Decimal) -> None:
    """However an amount is written, it normalises to the plain number."""
    assert only(f"${amount:,.2f}").norm == f"{plain(amount)} USD"
    assert number(f"{amount:,.2f}") == amount


@given(st.text(st.characters(categories=["Nd", "L", "P"]), max_size=50))
def test_digits_of_any_script_become_ascii(text: str) -> None:
    """The length stays, and no other digit is left."""
    plain_text = ascii_digits(text)
    assert len(plain_text) == len(text)
    assert not any(char.isdecimal() and not char.isascii() for char in plain_text)


@pytest.mark.parametrize(
    "piece",
    [
        "1",
        "a@",
        "1,",
        "1,111",
        "a.",
        "a-",
        "a1-",
        "+1 ",
        "/a",
        '"a',
        "one ",
        "order ",
        "order #",
        "1 ",
        "1.",
        "1:",
        "1/",
        "0 ",
        "the 1st ",
        "$",
        "http://",
        "www.",
        "_",
        "-",
        " ",
        "#1",
        "v1.",
        "C:\\a",
        "￼T",
        "(",
        "é",
    ],
)
def test_long_texts_take_linear_time(piece: str) -> None:
    """A hundred kilobytes of a pattern's favourite food come back at once; a quadratic pattern would take minutes."""
    text = piece * (100_000 // len(piece))
    assert all(value.text in text for value in find(text)[:3])
    assert missing(text[:10_000], text[:10_000]) == ()


@pytest.mark.parametrize("word", ["order", "march", "evening", "1", "the", "call", "version"])
def test_long_blanks_take_linear_time(word: str) -> None:
    """Blanks without end after a word that a pattern waits for."""
    assert find(word + " " * 100_000 + "x") == ()


def test_odd_characters_are_no_obstacle() -> None:
    """NUL and lone surrogates are ordinary characters."""
    assert [value.text for value in find("\x00order 12345\ud800 #77\udfff")] == ["order 12345", "#77"]


def test_the_table_is_the_order_of_specificity() -> None:
    """Addresses come before dates, dates before numbers, quotations last."""
    assert len(FINDERS) > 20
    assert FINDERS[0].words == ("://", "www.")
    assert '"' in FINDERS[-1].words
