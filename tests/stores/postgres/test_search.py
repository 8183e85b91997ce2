"""A search goes back span by span, finds the newest turns of each word, and asks for no more than it needs."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

import psycopg
import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnstate.stores.postgres.log import PostgresLog
from turnstate.stores.postgres.rows import SPAN, every, indexed, number_of, word_of
from turnstate.stores.postgres.search import Search
from turnstate.testing.log_contract import closing
from turnstate.testing.log_contract.story import say

pytestmark = pytest.mark.xdist_group("postgres")  # one server, in one worker

NUMBER = number_of("c1")
said = st.dictionaries(
    st.sampled_from(["order", "rain", "Ø"]), st.sets(st.integers(1, 40 * SPAN), max_size=30), max_size=3
)


def _told(turns: Mapping[str, set[int]], search: Search, last: int) -> list[Sequence[int]]:
    """Answer a search as the tables would; the names that each statement asked for."""
    rows: dict[int, set[int]] = {}
    for word, places in turns.items():
        for turn in places:
            rows.setdefault(indexed(word_of(NUMBER, word), turn // SPAN), set()).add(turn)
    asked: list[Sequence[int]] = []
    for ask in search.asks(last):
        values: Any = ask.values
        asked.append(values["words"])
        ask.then(
            [(name, [t for t in rows.get(name, ()) if t < values["before"]]) for name in values["words"]]
        )
    return asked


@given(said, st.integers(-1, 50 * SPAN), st.none() | st.integers(0, 9))
def test_the_newest_turns_of_each_word_are_found(
    turns: Mapping[str, set[int]], before: int, most: int | None
) -> None:
    """However far back they are."""
    words = ["order", "rain", "absent", "order", ""]
    search = Search(NUMBER, words, before, most)
    last = max((turn for places in turns.values() for turn in places), default=0)
    asked = _told(turns, search, last)
    for word, found in search.result().items():
        expected = sorted(turn for turn in turns.get(word, ()) if turn < before)
        assert list(found) == (
            expected if most is None else expected[len(expected) - min(most, len(expected)) :]
        )
    assert most is None or all(len(names) <= 3 * 8 for names in asked)


def test_what_a_frequent_word_costs_does_not_grow() -> None:
    """One statement finds enough turns of it, in a conversation of any length."""
    for last in (SPAN, 20 * SPAN, 1_000 * SPAN):
        turns = {"order": set(range(max(1, last - 2 * SPAN), last + 1))}
        search = Search(NUMBER, ["order"], last, 100)
        assert [len(names) for names in _told(turns, search, last)] in ([1], [1, 2])
        assert len(search.result()["order"]) == 100


def test_the_tables_are_searched_by_their_index(server: str, schema: str) -> None:
    """With many conversations in them, before anybody has counted them; and a turn far back is found."""

    async def tell() -> None:
        async with closing(PostgresLog(server, schema=schema)) as log:
            await say(log, "zebra")
            with psycopg.connect(server, autocommit=True) as connection:
                connection.execute(
                    f"INSERT INTO {schema}.said SELECT 'default', gen_random_uuid(), turn,"
                    " ARRAY[turn, turn + 1, turn * 7] FROM generate_series(1, 20000) AS turn".encode()
                )
                connection.execute(f"UPDATE {schema}.conversations SET last_turn = 5000".encode())
                name = indexed(word_of(NUMBER, "zebra"), 0)
                plan = connection.execute(
                    f"EXPLAIN SELECT word, ARRAY(SELECT DISTINCT turn FROM {schema}.said WHERE tenant = 'default'"
                    f" AND conversation = '{NUMBER}' AND words @> ARRAY[word] AND turn < 5000)"
                    f" FROM unnest(ARRAY[{name}, {every(NUMBER)}]) AS asked (word)".encode()
                ).fetchall()
            assert "said_words" in str(plan)
            assert await log.search("c1", ["zebra"], before=5_000, most=3) == {"zebra": (1,)}

    asyncio.run(tell())
