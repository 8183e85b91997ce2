"""Reading what a model wrote instead of the JSON that it was asked for."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnstate.core.facts import Candidate, Facts, Many, Single, admit_all
from turnstate.core.structured import Extraction, read_candidates, read_json


class Customer(Facts):
    """Keys to read, one of them named like a part of a record."""

    order_id: Single[str]
    name: Single[str]
    allergies: Many[str]
    size: Single[int]


KEYS = Customer.keys()
RECORD = {"key": "order_id", "value": "12345", "quote": "order 12345"}
ORDER = Candidate("order_id", "12345", "order 12345")
BARE = Candidate("order_id", "12345", "")


def read(text: str) -> Extraction:
    """What is read from a model's answer."""
    return read_candidates(text, KEYS)


@pytest.mark.parametrize(
    "text",
    [
        json.dumps([RECORD]),
        json.dumps(RECORD),
        json.dumps({"facts": [RECORD]}),
        json.dumps({"data": {"facts": [RECORD]}}),
        json.dumps({"order_id": {"value": "12345", "quote": "order 12345"}}),
        json.dumps({"order_id": [{"value": "12345", "evidence": "order 12345"}]}),
        json.dumps({"order_id": "12345", "quote": "order 12345"}),
        json.dumps([{"field": "Order ID", "value": "12345", "quote": "order 12345", "confidence": 0.9}]),
        json.dumps([{"name": "orderId", "value": "12345", "quote": " order 12345 "}]),
        f"```json\n{json.dumps([RECORD])}\n```",
        f"```\n{json.dumps([RECORD])}",
        f"Sure! Here are the facts I found:\n\n```json\n{json.dumps({'facts': [RECORD]})}\n```\nLet me know [if] you need more.",
        f"Here you go: {json.dumps([RECORD])} Hope that helps!",
        f"<think>maybe</think> {json.dumps(RECORD)}",
        "[{'key': 'order_id', 'value': '12345', 'quote': 'order 12345'}]",
        "{key: 'order_id', value: '12345', quote: 'order 12345'}",
        '[{"key": "order_id", "value": "12345", "quote": "order 12345",},]',
        '[{"key": "order_id", "value": "12345", "quote": "order 12345"}',
        '[{"key": "order_id", "value": "12345", "quote": "order 12345"}, {"key": "name", "val',
        f"{json.dumps(RECORD)}\n{json.dumps(RECORD)}",
        '{"key": "order_id", "value": "12345", "quote": "order 12345"} // found it',
    ],
)
def test_a_record_is_read_in_every_dress(text: str) -> None:
    """Fences, chatter, wrappers, other quotation marks, trailing commas, a cut-off end (known failures B94, B95)."""
    extraction = read(text)
    assert extraction.candidates == (ORDER,)
    assert extraction.status == "learned"


@pytest.mark.parametrize(
    "text",
    [
        '{"order_id": "12345"}',
        '{"facts": {"order_id": "12345"}}',
        '{"customer": {"order_id": "12345"}}',
        '["order_id: 12345"]',
        '["Order ID = 12345"]',
        '["- **order id**: 12345"]',
        '{"memory": ["order_id: 12345"]}',
        '{"memory": "order_id: 12345"}',
        '[{"text": "order_id: 12345"}]',
        "[order_id: 12345]",
        '{"order-id": "12345", "name": null, "allergies": []}',
        '{"order_id": "12345", "name": "unknown", "size": "N/A"}',
    ],
)
def test_a_value_without_a_quote_is_read(text: str) -> None:
    """Objects by key and lists of lines (known failure B95); admission finds the words."""
    assert read(text).candidates == (BARE,)
    assert read(text).problems == ()
    outcomes = admit_all(
        read(text).candidates, keys=KEYS, message="My order is 12345.", conversation="c", turn=1, at=0
    )
    assert len(outcomes) == 1


def test_lists_are_read_item_by_item() -> None:
    """Several values of one key, with their common quote."""
    text = json.dumps([{"key": "allergies", "value": ["nuts", "soy"], "quote": "nuts and soy"}])
    assert read(text).candidates == (
        Candidate("allergies", "nuts", "nuts and soy"),
        Candidate("allergies", "soy", "nuts and soy"),
    )
    assert len(read('{"allergies": ["nuts", {"value": "soy"}, null]}').candidates) == 2


def test_values_keep_their_type() -> None:
    """Reading a value for its key is for later."""
    assert read('{"size": 9, "order_id": 12345}').candidates == (
        Candidate("size", 9, ""),
        Candidate("order_id", 12345, ""),
    )


def test_a_key_called_name_is_no_record() -> None:
    """An object's "name" names a key only if there is such a key."""
    assert read('{"name": "Priya"}').candidates == (Candidate("name", "Priya", ""),)
    assert read('{"name": "Priya", "text": "order_id: 12345"}').candidates == (
        Candidate("name", "Priya", ""),
        BARE,
    )
    assert read('{"name": "order_id", "value": "12345"}').candidates == (BARE,)


@pytest.mark.parametrize(
    "text",
    [
        "[]",
        "{}",
        "None",
        "none.",
        "null",
        "```json\n[]\n```",
        '{"facts": []}',
        "No facts found.",
        "There are no new facts in this message.",
        '{"order_id": null}',
        '{"facts": [], "status": "none"}',
        "[null]",
        "Nothing",
        '["none"]',
    ],
)
def test_an_explicit_nothing_is_none(text: str) -> None:
    """Nothing to learn is an answer (known failure B97)."""
    assert read(text).status == "none"
    assert read(text).candidates == ()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "I think the order is 12345.",
        "order_id: 12345",
        '"order_id: 12345"',
        "The customer (Priya) said: yes!",
        "{",
        "[",
        "```",
        "[" * 50_000,
        '{"a":' * 50_000,
        "\x00\ud800",
        '{"foo": 1}',
        '[{"key": "colour", "value": "blue"}]',
        '[{"key": "order_id"}]',
        "[1, 2]",
    ],
)
def test_what_cannot_be_read_has_failed(text: str) -> None:
    """Prose is never turned into data, and a failure is visible (known failures B94, B97)."""
    extraction = read(text)
    assert extraction.status == "failed"
    assert extraction.candidates == ()
    assert extraction.problems


def test_unknown_keys_are_reported_beside_what_was_learned() -> None:
    """They are never swallowed."""
    extraction = read('{"order_id": "12345", "favourite_colour": "blue", "mood": {"now": "good"}}')
    assert extraction.candidates == (BARE,)
    assert extraction.problems == ("'favourite_colour' is not a key.", "'mood' is not a key.")
    assert read('["colour: blue", "order_id: 12345"]').problems == ("'colour: blue' names no key.",)
    assert read('[{"key": "order_id"}, {"key": "size", "value": 9}]').problems == ("order_id has no value.",)
    assert read('{"size": {"number": 9}, "order_id": "12345"}').problems == (
        "size has an object without a value.",
    )
    assert read('[3, {"order_id": "12345"}]').problems == ("A bare int names no key.",)


def test_a_problem_is_short() -> None:
    """A model's essay is not repeated in the log."""
    assert len(read(json.dumps({"x" * 5_000: 1})).problems[0]) < 80


def test_broken_strings_are_repaired() -> None:
    """Bad escapes and quotation marks inside strings."""
    assert read('{"order_id": "A\\q1"}').candidates[0].value == "A\\q1"
    (candidate,) = read('[{"key":"name","value":"the \\"Boss\\" of "us"","quote":"x"}]').candidates
    assert "Boss" in str(candidate.value)


def test_valid_structures_are_read_as_they_are() -> None:
    """One after the other, with anything between."""
    assert read_json('a {"b": [1, "]"]} c [2] d') == ({"b": [1, "]"]}, [2])
    assert read_json("nothing here") == ()


@given(st.text(st.characters(), max_size=200) | st.text("[]{}\":,'ab1 \n`\\", max_size=80))
def test_any_text_is_read_without_an_error(text: str) -> None:
    """Candidates name declared keys, and the status fits."""
    extraction = read(text)
    assert {candidate.key for candidate in extraction.candidates} <= set(KEYS)
    assert (extraction.status == "learned") == bool(extraction.candidates)
    assert extraction.status != "failed" or extraction.problems


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(list(KEYS)),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from([*KEYS, "key", "value", "quote", "facts", "x"]), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(JSON)
def test_any_json_is_read_without_an_error(value: Any) -> None:
    """Whatever the shape."""
    assert read(json.dumps(value)).status in {"learned", "none", "failed"}


@given(JSON, st.data())
def test_mutilated_json_is_read_without_an_error(value: Any, data: st.DataObject) -> None:
    """Cut off, with a piece missing, or with something inserted."""
    text = json.dumps(value)
    at, to = sorted((data.draw(st.integers(0, len(text))), data.draw(st.integers(0, len(text)))))
    inserted = data.draw(st.sampled_from(["", '"', "}", "]", "\\", "'", "None", ",", "```"]))
    assert read(text[:at] + inserted + text[to:]).status in {"learned", "none", "failed"}


@given(
    st.dictionaries(
        st.sampled_from(["order_id", "name"]), st.from_regex(r"[A-Za-z0-9]{4,9}", fullmatch=True), min_size=1
    )
)
def test_good_answers_survive_chatter(held: dict[str, str]) -> None:
    """What a model found is found in its answer, in a fence or out of it."""
    records = [{"key": name, "value": value, "quote": value} for name, value in held.items()]
    wanted = tuple(Candidate(name, value, value) for name, value in held.items())
    for text in (
        json.dumps(records),
        f"Found:\n```json\n{json.dumps(records, indent=2)}\n```",
        f"Found: {records}",
    ):
        if all(value.casefold() not in {"none", "null", "unknown"} for value in held.values()):
            assert read(text).candidates == wanted


@pytest.mark.parametrize(
    "piece", ['{"a":"', '["', "[1,", "{", '"', "```", "[{a:", "[\n", "a b c, ", "{'key': ", "\\", "[ ", "}"]
)
def test_long_answers_are_read_at_once(piece: str) -> None:
    """An answer that went into a loop costs no time; repair is for short texts."""
    assert read(piece * (100_000 // len(piece))).status == "failed"
    assert read("[" + piece * (15_000 // len(piece))).status in {"failed", "none"}
