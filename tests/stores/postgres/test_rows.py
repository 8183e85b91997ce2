"""Rows are written so that the database reads back what was meant, and names keep apart what is apart."""

from __future__ import annotations

from uuid import UUID

import psycopg
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from turnstate.stores.postgres.rows import (
    array,
    digest_of,
    entry,
    every,
    heard,
    indexed,
    number_of,
    said_in,
    word_of,
)
from turnstate.testing.log_contract.story import closed, responded

pytestmark = pytest.mark.xdist_group("postgres")  # one server, in one worker

texts = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]))


def test_arrays_are_read_back_by_the_database(server: str) -> None:
    """Whatever stands in them: quotes, backslashes, braces, commas, nothing, and arrays as texts."""
    with psycopg.connect(server, autocommit=True) as connection:

        @settings(max_examples=60)
        @given(st.lists(st.none() | texts | st.sampled_from(['"', "\\", "{}", ",", "NULL", ""])))
        def check(items: list[str | None]) -> None:
            found = connection.execute("SELECT %s::text[]", (array(items),)).fetchone()
            assert found == (items,)
            nested = connection.execute("SELECT (%s::text[])[1]::text[]", (array([array(items)]),)).fetchone()
            assert nested == (items,)

        check()


@given(st.lists(st.integers(-(2**63), 2**63 - 1), max_size=5))
def test_numbers_are_written_as_they_are(numbers: list[int]) -> None:
    """In braces, with commas."""
    assert array(numbers) == "{" + ",".join(map(str, numbers)) + "}"


@given(st.text(st.characters()), st.text(st.characters()))
def test_different_texts_have_different_names(one: str, other: str) -> None:
    """Whatever they are made of; a word's also by its conversation."""
    assert (number_of(one) == number_of(other)) == (one == other)
    assert (digest_of(one) == digest_of(other)) == (one == other)
    assert (word_of(UUID(int=1), one) == word_of(UUID(int=1), other)) == (one == other)
    assert word_of(UUID(int=1), one) != word_of(UUID(int=2), one)


@given(st.integers(-(2**63), 2**63 - 1), st.integers(0, 2**40), st.integers(0, 2**40))
def test_a_word_has_a_name_of_its_own_in_each_span(word: int, one: int, other: int) -> None:
    """Which a column can hold."""
    assert (indexed(word, one) == indexed(word, other)) == (one == other)
    assert -(2**63) <= indexed(word, one) < 2**63


def test_what_is_heard_of_a_turn_begins_with_what_all_of_a_conversation_have() -> None:
    """Where nothing was said there is nothing to be found by."""
    number = number_of("c1")
    words = entry("c1", 1, responded("Hello there")).words
    told = heard(
        number, 513, said_in([entry("c1", 513, responded("Hello there")), entry("c1", 513, closed())])
    )
    assert told == array((every(number), *sorted(indexed(word, 1) for word in words)))
    assert heard(number, 1, said_in([entry("c1", 1, closed())])) == "{}"
    assert entry("c1", 0, responded("Hello")).words == ()
