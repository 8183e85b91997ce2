"""Facts by rules: many wordings, and what is no statement of the user about themselves."""

from __future__ import annotations

import json
import re
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnstate.core.facts import Candidate, Fact, Facts, Many, Scalar, Single, Source, admit, key
from turnstate.core.rules import extract

ANY_TEXT = st.text(st.characters(), max_size=120)


class Customer(Facts):
    """A bit of everything."""

    order_id: Single[str]
    email: Single[str]
    name: Single[str]
    address: Single[str]
    phone: Single[str]
    zip_code: Single[str]
    allergies: Many[str]
    size: Single[int]
    budget: Single[Decimal]
    guests: Single[int]
    birthday: Single[str]
    delivery_date: Single[date]
    plan: Single[Literal["basic", "pro", "pro-plus"]]
    vegan: Single[bool]
    city: Single[str]
    favourite_color: Single[str]
    voucher: Single[str] = key(pattern=r"V-\d{3}")


KEYS = Customer.keys()
ASK_ORDER = "What is your order number?"


def found(message: str, question: str = "") -> dict[str, list[object]]:
    """What the rules find, by key."""
    values: dict[str, list[object]] = {}
    for candidate in extract(message, KEYS, question=question):
        values.setdefault(candidate.key, []).append(candidate.value)
    return values


def learned(message: str, question: str = "") -> dict[str, list[Scalar]]:
    """What becomes a fact of it."""
    values: dict[str, list[Scalar]] = {}
    for candidate in extract(message, KEYS, question=question):
        fact = admit(candidate, keys=KEYS, message=message, question=question, conversation="c", turn=1, at=0)
        assert isinstance(fact, Fact)
        values.setdefault(fact.key, []).append(fact.value)
    return values


@pytest.mark.parametrize(
    ("message", "value"),
    [
        ("Where is order 12345?", "12345"),
        ("where's my order #12345", "12345"),
        ("My order number is 12345, thanks", "12345"),
        ("my order id: A-77", "A-77"),
        ("Order No. 12345 has not come", "12345"),
        ("the order number for it was ORD-2024-001", None),
        ("order number ORD-2024-001.", "ORD-2024-001"),
        ("Where's #12345?", "12345"),
        ("12345 is my order number", "12345"),
        ("Is order 12345 mine?", "12345"),
        ("I need to return order 12345 and order a new one", "12345"),
        ("today's order 12345 is late", "12345"),
        ("What's order 12345 waiting for", "12345"),
        ("my purchase 99812 broke", "99812"),
        ("ORDER 12345!!!", "12345"),
        ("订单 12345", None),
    ],
)
def test_order_numbers(message: str, value: str | None) -> None:
    """An id after the word for it, in statements and in questions."""
    assert found(message).get("order_id") == ([value] if value else None)


@pytest.mark.parametrize(
    "message",
    [
        "not order 12345",
        "this is not about order 12345",
        "I don't mean order 12345",
        "my old order 12345 was fine",
        "order 12345 isn't mine",
        "my neighbour's order 99912 came to me",
        "her order 99912",
        "Bob's order 99912",
        'he said "order 99912 is here"',
        "> order 99912\nI never got this",
        "I want to order 2 pizzas",
        "order in 2024",
        "the flight HAT136",
        "it costs 12345",
    ],
)
def test_no_order_numbers(message: str) -> None:
    """Negated, someone else's, quoted from another, or no order at all."""
    assert "order_id" not in found(message)


@pytest.mark.parametrize(
    ("message", "question", "value"),
    [
        ("no, it's 12346", "", "12346"),
        ("No, it's 12346", ASK_ORDER, "12346"),
        ("sorry, I meant 12346", ASK_ORDER, "12346"),
        ("not 12345 but 12346", ASK_ORDER, "12346"),
        ("order 12345, sorry, I meant 12346", "", "12346"),
        ("Order 12345. Oops, make that 12346", "", "12346"),
        ("It's not order 12345, it's order 12346", "", "12346"),
        ("actually it's 12346", "Is your order number 12345?", "12346"),
        ("wait, the correct number is 12346", "So that is order 12345?", "12346"),
        ("*12346", ASK_ORDER, "12346"),
    ],
)
def test_corrections(message: str, question: str, value: str) -> None:
    """The corrected value, and only that."""
    assert found(message, question)["order_id"] == [value]


@pytest.mark.parametrize(
    "message", ["No, make that 5 pm", "actually make it 4 tickets", "sorry, I meant tomorrow"]
)
def test_other_corrections_are_no_ids(message: str) -> None:
    """A time, a count and a word are no order number."""
    assert "order_id" not in found(message)


@pytest.mark.parametrize(
    ("message", "question", "value"),
    [
        ("12345", ASK_ORDER, "12345"),
        ("it's 12345", ASK_ORDER, "12345"),
        ("Sure, it's ORD-2024-001.", ASK_ORDER, "ORD-2024-001"),
        ("I think it's 12345, thanks!", "Could you give me your order ID?", "12345"),
        ("UNRVBD", "Which order is it about?", "UNRVBD"),
        ("42", ASK_ORDER, "42"),
        ("Here you go: #98123", "Please provide your order number.", "98123"),
        ("I ordered 3 shirts on 3/11/2026, number 998877", ASK_ORDER, "998877"),
        ("12345 and I'm in a hurry", "Hello! How are you? Please tell me your order number.", "12345"),
    ],
)
def test_bare_answers(message: str, question: str, value: str) -> None:
    """What answers the question for a key needs no word for it; the question is kept."""
    (candidate,) = [one for one in extract(message, KEYS, question=question) if one.key == "order_id"]
    assert candidate.value == value
    assert candidate.question
    assert candidate.question in question


@pytest.mark.parametrize(
    ("message", "question"),
    [
        ("I don't know", ASK_ORDER),
        ("what do you mean?", ASK_ORDER),
        ("12345", "How can I help?"),
        ("12345", "What would you like to order?"),
        ("I want 3 of them", ASK_ORDER),
        ("it's not 12345", ASK_ORDER),
        ("$12345", ASK_ORDER),
        ("at 12:45", ASK_ORDER),
        ("my friend's is 12345", ASK_ORDER),
    ],
)
def test_no_answers(message: str, question: str) -> None:
    """Another question was asked, or it was not answered."""
    assert "order_id" not in found(message, question)


@pytest.mark.parametrize(
    ("message", "key_name", "value"),
    [
        ("my email is priya@example.com", "email", "priya@example.com"),
        ("you can mail me at Priya.S@Example.com.", "email", "Priya.S@Example.com"),
        ("Can you change it to a@example.com?", "email", "a@example.com"),
        ("my phone number is 5551234567", "phone", "5551234567"),
        ("call me on (555) 123-4567", "phone", "(555) 123-4567"),
        ("mobile: +44 20 7946 0958", "phone", "+44 20 7946 0958"),
        ("my zip code is 62704", "zip_code", "62704"),
        ("postcode: SW1A 1AA", "zip_code", "SW1A 1AA"),
        ("size 9 please", "size", "9"),
        ("my size is nine", "size", "nine"),
        ("my budget is $1,200.50", "budget", "1,200.50"),
        ("a budget of about 500 dollars", "budget", "500"),
        ("we are 4 guests", "guests", "4"),
        ("for two guests", "guests", "two"),
        ("my birthday is May 20", "birthday", "May 20"),
        ("I was born on 3/11/1985", "birthday", "3/11/1985"),
        ("Can you move the delivery to March 11, 2026?", "delivery_date", "March 11, 2026"),
        ("I'm on the pro plan", "plan", "pro"),
        ("I want to upgrade to pro-plus", "plan", "pro-plus"),
        ("I don't want the basic plan, I want pro", "plan", "pro"),
        ("I'm vegan", "vegan", True),
        ("I am not vegan", "vegan", False),
        ("I live in Paris", "city", "Paris"),
        ("I'm from São Paulo, by the way", "city", "São Paulo"),
        ("my favourite color is dark blue and I like it", "favourite_color", "dark blue"),
        ("Favourite color: green\nthanks", "favourite_color", "green"),
        ("use V-123 on it", "voucher", "V-123"),
    ],
)
def test_other_keys(message: str, key_name: str, value: object) -> None:
    """Each shape has its ways of being said."""
    values = found(message)[key_name]
    assert values[-1] == value
    assert key_name in learned(message)


@pytest.mark.parametrize(
    "message",
    [
        "my wife's email is a@example.com",
        "Is a@example.com your address?",
        "their phone number is 555-123-4567",
        "Is the pro plan cheaper?",
        "I heard the basic plan is bad",
        "my favourite color is not blue",
        "my favourite color is what?",
        "if my size was 9 I would take it",
        "are you vegan?",
        "my city is really great",
        "the delivery took 3 days",
        "my order is late",
        "what is my budget?",
        "V-1234",
    ],
)
def test_no_statements(message: str) -> None:
    """Questions, suppositions, other people's things and remarks are no facts."""
    assert found(message) == {}


@pytest.mark.parametrize(
    ("message", "value"),
    [
        ("ship it to 55 Elm St, Apt 4, Springfield 62704", "55 Elm St, Apt 4, Springfield 62704"),
        ("And can you ship it to 55 Elm St?", "55 Elm St"),
        ("Please send my order to 12 Old Mill Road.", "12 Old Mill Road"),
        ("my address is 12 Oak Avenue, Boston, MA 02110. Thanks!", "12 Oak Avenue, Boston, MA 02110"),
        ("shipping address: 1 Main Street", "1 Main Street"),
        ("I moved to 12 Oak Avenue", "12 Oak Avenue"),
        ("I moved from 1 Pine Rd to 12 Oak Avenue", "12 Oak Avenue"),
        ("we live at 7 5th Avenue", "7 5th Avenue"),
        ("I'm at 9 High Street, London", "9 High Street, London"),
        ("meine Adresse ist Hauptstraße 12, 10115 Berlin", "Hauptstraße 12, 10115 Berlin"),
        ("my address is 12 rue de la Paix, 75002 Paris", "12 rue de la Paix, 75002 Paris"),
        ("my address is Flat 3, The Willows, Leeds", "Flat 3, The Willows, Leeds"),
        ("deliver order 12345 to 8 Park Lane", "8 Park Lane"),
    ],
)
def test_addresses(message: str, value: str) -> None:
    """Where something is to be sent, and where the user lives."""
    assert found(message)["address"] == [value]


@pytest.mark.parametrize(
    "message",
    [
        "my address is not 12 Oak Avenue",
        "my old address was 12 Oak Avenue",
        "if I moved to 12 Oak Avenue would it cost more?",
        "Do you deliver to 12 Oak Avenue?",
        "Is 12 Oak Avenue your store?",
        "what if I live at 12 Oak Avenue?",
        "there was a fire in 12 Oak Avenue",
        "my mother's address is 12 Oak Avenue",
        "my address is wrong",
        "I waited 3 days on the street",
        "I moved away from 12 Oak Avenue",
    ],
)
def test_no_addresses(message: str) -> None:
    """Hypothetical, asked about, past, or someone else's."""
    assert "address" not in found(message)


@pytest.mark.parametrize(
    ("message", "value"),
    [
        ("my name is Priya", "Priya"),
        ("My name's Priya Shah and I need help", "Priya Shah"),
        ("I'm Priya Shah", "Priya Shah"),
        ("I’m Priya.", "Priya"),
        ("Hi, this is Bob Jones from Acme", "Bob Jones"),
        ("call me Zoé", "Zoé"),
        ("my name is priya shah and I need help", "priya shah"),
        ("The name is Ludwig van Beethoven.", "Ludwig van Beethoven"),
        ("I am Jean-Luc O'Neill, calling about my bill", "Jean-Luc O'Neill"),
        ("ich heiße Jürgen Müller", "Jürgen Müller"),
        ("je m'appelle Chloé", "Chloé"),
        ("me llamo José García", "José García"),
        ("меня зовут Анна", "Анна"),
        ("我叫王小明，你好", "王小明"),
        ("Name: Ann Lee", "Ann Lee"),
    ],
)
def test_names(message: str, value: str) -> None:
    """Introductions in several languages."""
    assert found(message)["name"] == [value]


@pytest.mark.parametrize(
    "message",
    [
        "I'm looking for my order",
        "I'm Looking for it",
        "I'm sorry",
        "I'm Sorry about that",
        "I'm German",
        "I'M ANGRY ABOUT THIS",
        "I'm in Paris",
        "This is urgent",
        "This is not what I ordered",
        "My name is not Bob",
        "my name is spelled wrong",
        "his name is Bob",
        "my son's name is Bob",
        'she said "my name is Bob"',
        "call me back tomorrow",
        "call me at noon",
        "I am happy to wait",
        "What is your name?",
        "I'm a@example.com",
    ],
)
def test_no_names(message: str) -> None:
    """Feelings, nationalities, other people and requests are no introductions."""
    assert "name" not in found(message)


@pytest.mark.parametrize(
    ("message", "values"),
    [
        ("I am allergic to nuts and shellfish", ["nuts", "shellfish"]),
        ("I'm allergic to peanuts, soy and milk. Please note it", ["peanuts", "soy", "milk"]),
        ("I'm allergic to nuts but not to shellfish", ["nuts"]),
        ("I have a severe peanut allergy", ["peanut"]),
        ("my allergies are nuts & eggs", ["nuts", "eggs"]),
        ("Allergies: pollen; dust", ["pollen", "dust"]),
        ("I'm not allergic to nuts", None),
        ("my son's allergies are nuts", None),
        ("Are there nuts? My girlfriend is allergic to nuts", None),
        ("if I were allergic to nuts", None),
    ],
)
def test_lists(message: str, values: list[str] | None) -> None:
    """A key that collects takes the items of a list, each of them its own value."""
    assert found(message).get("allergies") == values


@pytest.mark.parametrize(
    ("message", "question", "wanted"),
    [
        ("Priya Shah", "May I have your name please?", {"name": ["Priya Shah"]}),
        ("It's Priya", "What's your name?", {"name": ["Priya"]}),
        (
            "55 Elm Street, Springfield",
            "What is your shipping address?",
            {"address": ["55 Elm Street, Springfield"]},
        ),
        ("blue, please", "What is your favourite color?", {"favourite_color": ["blue"]}),
        ("In San Diego please.", "In which city?", {"city": ["San Diego"]}),
        ("nuts and eggs, thanks", "Do you have any allergies?", {"allergies": ["nuts", "eggs"]}),
        ("9", "What size do you wear?", {"size": ["9"]}),
        ("pro", "Which plan do you want, basic or pro?", {"plan": ["pro"]}),
        ("nope", "Are you vegan?", {"vegan": [False]}),
        ("Yes, I am", "Are you vegan?", {"vegan": [True]}),
        (
            "12345, a@example.com",
            "Your order number and e-mail?",
            {"order_id": ["12345"], "email": ["a@example.com"]},
        ),
        (
            "12345 and my name is Priya",
            "Your order number and name?",
            {"order_id": ["12345"], "name": ["Priya"]},
        ),
        ("62704", "What is your zip code?", {"zip_code": ["62704"]}),
        ("May 20", "When is your birthday?", {"birthday": ["May 20"]}),
        ("no", "Do you have any allergies?", {}),
        ("I'd rather not say", "What is your favourite color?", {}),
        ("Why do you ask?", "What is your favourite color?", {}),
        ("that works for me", "Which city would you like?", {}),
        ("please proceed with the change", "What is your address? I can then proceed.", {}),
        ("Priya and blue", "What are your name and favourite color?", {}),
        ("Kevin's birthday is May 20", "When is his birthday?", {}),
    ],
)
def test_answers_to_other_questions(message: str, question: str, wanted: dict[str, list[object]]) -> None:
    """Shapes that show what they are answer among others; free words only a question for one key."""
    assert found(message, question) == wanted


@pytest.mark.parametrize(
    ("answer", "question", "wanted"),
    [
        ("Yes that's right", "Is your order number 12345?", {"order_id": ["12345"]}),
        (
            "yes",
            "So your name is Priya and your email is p@example.com?",
            {"name": ["Priya"], "email": ["p@example.com"]},
        ),
        ("Yes please", "Shall I ship it to 55 Elm St, Springfield?", {"address": ["55 Elm St, Springfield"]}),
        ("yes", "Your order is 12345. Is that correct?", {"order_id": ["12345"]}),
        ("yes", "Your favourite color is blue, right?", {"favourite_color": ["blue"]}),
        ("yes", "I found order 12345. Do you want a refund?", {}),
        ("yes", "Is it order 12345 or order 12346?", {}),
        ("no", "Is your order number 12345?", {}),
    ],
)
def test_confirmations(answer: str, question: str, wanted: dict[str, list[object]]) -> None:
    """A yes makes the values of the question the user's; each is admitted as confirmed."""
    assert found(answer, question) == wanted
    for candidate in extract(answer, KEYS, question=question):
        fact = admit(candidate, keys=KEYS, message=answer, question=question, conversation="c", turn=1, at=0)
        assert isinstance(fact, Fact)
        assert fact.source is Source.USER_CONFIRMED


def test_what_is_volunteered_is_taken_with_the_first_message() -> None:
    """Everything at once, before anything is asked (known failure S32)."""
    message = (
        "Hi, I'm Priya Shah. Order 12345 came broken; please send a new one to 55 Elm St, Springfield 62704 "
        "and mail me at p@example.com or call 555-123-4567. I'm allergic to latex."
    )
    assert found(message) == {
        "name": ["Priya Shah"],
        "order_id": ["12345"],
        "address": ["55 Elm St, Springfield 62704"],
        "zip_code": ["62704"],
        "email": ["p@example.com"],
        "phone": ["555-123-4567"],
        "allergies": ["latex"],
    }


def test_candidates_quote_the_phrase() -> None:
    """The quote is what says so, not the bare value and not the whole message."""
    candidates = extract("Hello! My order number is 12345, and I'm allergic to nuts and soy. Bye", KEYS)
    assert [(candidate.value, candidate.quote) for candidate in candidates] == [
        ("12345", "My order number is 12345"),
        ("nuts", "I'm allergic to nuts and soy"),
        ("soy", "I'm allergic to nuts and soy"),
    ]


@pytest.mark.parametrize(
    "message",
    [
        "order 4111 1111 1111 1111",
        "my password is hunter2",
        "my phone number is 4111111111111111",
    ],
)
def test_secrets_are_not_extracted(message: str) -> None:
    """What would not be admitted is no candidate."""
    assert extract(message, KEYS) == ()


def test_keys_that_share_a_shape_are_told_apart_by_their_words() -> None:
    """With two kinds of id, a value needs its word; with two addresses, too."""

    class Travel(Facts):
        booking_reference: Single[str]
        flight_number: Single[str]
        billing_address: Single[str]
        shipping_address: Single[str]
        first_name: Single[str]
        last_name: Single[str]
        departure_date: Single[str]
        return_date: Single[str]
        work_email: Single[str]
        email: Single[str]

    def read(message: str) -> dict[str, object]:
        return {candidate.key: candidate.value for candidate in extract(message, Travel.keys())}

    assert read("my reservation ZFA04Y, flight HAT136") == {
        "booking_reference": "ZFA04Y",
        "flight_number": "HAT136",
    }
    assert read("what about #12345 and 12346") == {}
    assert read("my name is Priya Shah") == {"first_name": "Priya", "last_name": "Shah"}
    assert read("my billing address is 1 Main Street") == {"billing_address": "1 Main Street"}
    assert read("ship it to 1 Main Street") == {"shipping_address": "1 Main Street"}
    assert read("leaving on May 20 and returning May 27") == {
        "departure_date": "May 20",
        "return_date": "May 27",
    }
    assert read("my work email is a@example.com") == {"work_email": "a@example.com"}


def test_two_ids_that_were_asked_for_together() -> None:
    """An unnamed id is for the key spoken of last, for the person after "I'm", or in the order of asking; or for none."""

    class Booking(Facts):
        user_id: Single[str]
        reservation_id: Single[str]

    question = "Could you please provide your user ID and reservation ID?"

    def read(message: str) -> dict[str, object]:
        return {
            candidate.key: candidate.value
            for candidate in extract(message, Booking.keys(), question=question)
        }

    assert read("mia_li_3668, ZFA04Y") == {"user_id": "mia_li_3668", "reservation_id": "ZFA04Y"}
    assert read("I'm mia_li_3668") == {"user_id": "mia_li_3668"}
    assert read("I don't remember the reservation ID, but I'm mia_li_3668") == {"user_id": "mia_li_3668"}
    assert read("the confirmation number for the flight is ZFA04Y") == {"reservation_id": "ZFA04Y"}
    assert read("I know my user ID, it's mia_li_3668") == {"user_id": "mia_li_3668"}
    assert read("my user id is mia_li_3668 and it's about ZFA04Y") == {
        "user_id": "mia_li_3668",
        "reservation_id": "ZFA04Y",
    }
    assert read("ZFA04Y") == {}


def test_lists_of_ids() -> None:
    """A key that collects ids takes all of an enumeration."""

    class Orders(Facts):
        orders: Many[str]
        order_ids: Many[int]

    values = [candidate.value for candidate in extract("orders 12345, 12346 and #12347", Orders.keys())]
    assert {"12345", "12346", "12347"} <= set(map(str, values))


def test_recorded_support_sessions(shared_data: Path) -> None:
    """In recorded sessions, user ids that users tell become facts, and nothing else is taken for one."""

    class Passenger(Facts):
        user_id: Single[str]
        reservation_id: Single[str]
        name: Single[str]
        payment_method: Single[str]

    told = learned_ids = 0
    wrong: list[str] = []
    path = shared_data / "tau_bench_airline" / "trajectories.jsonl"
    for line in path.read_text(encoding="utf-8").splitlines():
        facts: set[tuple[str, object]] = set()
        said: set[str] = set()
        question = ""
        for message in json.loads(line)["messages"]:
            text = message.get("content") or ""
            if message["role"] == "user":
                said |= set(re.findall(r"(?<![\w@])[a-z]+_[a-z]+_\d{4}\b(?!@)", text))
                facts |= {
                    (candidate.key, candidate.value)
                    for candidate in extract(text, Passenger.keys(), question=question)
                }
            elif message["role"] == "assistant" and text:
                question = text
        told += len(said)
        learned_ids += len(said & {str(value) for name, value in facts if name == "user_id"})
        for name, value in facts:
            shape = {"user_id": r"[a-z]+_[a-z]+_\d{4}", "reservation_id": r"[A-Z0-9]{6}"}.get(name, ".*")
            if not re.fullmatch(shape, str(value)):
                wrong.append(f"{name}: {value}")
    assert told > 60
    assert learned_ids / told >= 0.95
    assert wrong == []


def test_no_keys_no_facts() -> None:
    """Without a declaration nothing is looked for."""
    assert extract("my name is Priya", {}) == ()
    assert extract("", KEYS) == ()


PHRASES = st.lists(
    st.sampled_from(
        [
            "my",
            "order",
            "is",
            "12345",
            "#12345",
            "name",
            "Priya",
            "Shah",
            "I'm",
            "allergic to",
            "nuts",
            "and",
            ",",
            ".",
            "?",
            "55 Elm St",
            "ship it to",
            "not",
            "if",
            "a@b.example",
            "call me",
            "555-123-4567",
            "sorry, I meant",
            "12346",
            "yes",
            "no",
            "the",
            "size",
            "9",
            "budget",
            "$500",
            "plan",
            "pro",
            "birthday",
            "May 20",
            "live in",
            "Paris",
            "\n",
            '"',
            "’s",
            "his",
        ]
    ),
    max_size=20,
).map(" ".join)


@given(ANY_TEXT | PHRASES, ANY_TEXT | PHRASES)
def test_every_candidate_quotes_the_message_and_is_admitted(message: str, question: str) -> None:
    """Whatever Unicode comes: no error, quotes are substrings, admission agrees."""
    for candidate in extract(message, KEYS, question=question):
        assert isinstance(candidate, Candidate)
        assert candidate.quote
        assert candidate.quote in message
        assert candidate.question in question
        outcome = admit(
            candidate, keys=KEYS, message=message, question=question, conversation="c", turn=1, at=0
        )
        assert isinstance(outcome, Fact)


@given(PHRASES, PHRASES)
def test_extraction_is_deterministic(message: str, question: str) -> None:
    """The same message says the same."""
    assert extract(message, KEYS, question=question) == extract(message, KEYS, question=question)


@pytest.mark.parametrize(
    "piece",
    [
        "order 12345 ",
        "1",
        "my name is ",
        "I'm ",
        "12 elm ",
        "1 a b c d ",
        "a, ",
        'he said "',
        "city: ",
        "#1",
        "size 9 ",
        "\n",
        ".",
        "ship it ",
        "no, sorry, ",
        "12 rue a ",
        "1 guest ",
        "A1-",
        " ",
        "yes ",
        "not ",
    ],
)
def test_long_messages_take_linear_time(piece: str) -> None:
    """Twenty thousand characters of a rule's favourite food; a quadratic rule would take minutes."""
    message = piece * (20_000 // len(piece))
    for question in ("", ASK_ORDER, message[:2_000] + "?"):
        assert len(extract(message, KEYS, question=question)) <= 50 * len(KEYS)


def test_past_its_first_pages_a_message_is_not_read() -> None:
    """A pasted log is no way to introduce oneself."""
    assert extract("x " * 10_001 + "order 12345", KEYS) == ()


@pytest.mark.parametrize(
    ("message", "address"),
    [
        ("Please send it to 55 Elm St, York YO1 7EP.", "55 Elm St, York YO1 7EP"),
        ("ship it to 221B Baker Street, London NW1 6XE, please", "221B Baker Street, London NW1 6XE"),
        ("my address is 5 Main St, Toronto M5V 2T6", "5 Main St, Toronto M5V 2T6"),
        ("ship to 9 Oak Ave, New York, NY 10001", "9 Oak Ave, New York, NY 10001"),
        ("send it to 3 High St, St. Albans AL1 1AA", "3 High St, St. Albans AL1 1AA"),
    ],
)
def test_a_postcode_belongs_to_its_address(message: str, address: str) -> None:
    """The city's words end where the postcode begins, and the postcode is whole."""

    class Postal(Facts):
        """Where to send things."""

        address: Single[str]

    assert [candidate.value for candidate in extract(message, Postal.keys())] == [address]
