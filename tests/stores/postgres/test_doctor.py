"""The doctor of the tables: it names what is wrong, says nothing of what is right, and writes nothing."""

from __future__ import annotations

import asyncio

import psycopg
import pytest

from turnstate.core.events import HandedOff, StateChanged
from turnstate.core.history import Snapshot
from turnstate.errors import StoreUnavailable, StoreUrlError
from turnstate.stores.doctor import Report
from turnstate.stores.postgres.database import VERSION
from turnstate.stores.postgres.doctor import examine
from turnstate.stores.postgres.log import PostgresLog
from turnstate.testing.log_contract import closing
from turnstate.testing.log_contract.story import AT, closed, fact, failed, learned, opening, responded, say

pytestmark = pytest.mark.xdist_group("postgres")  # one server, in one worker


@pytest.fixture
def filled(server: str, schema: str) -> str:
    """A schema with two conversations, three turns, a fact, a state, a snapshot, a handoff."""

    async def tell() -> None:
        async with closing(PostgresLog(server, schema=schema)) as log:
            await say(log, "Where is my red bicycle?", user="ann")
            await log.append("c1", 1, [learned(fact("city", "Oslo"))], AT)
            await log.open(opening(text="And my scooter?", user="ann", key="k2"))
            changed = StateChanged("Basket", 3, "seller", {}, {"items": 1})
            await log.append("c1", 2, [responded(), changed, closed()], AT, snapshot=Snapshot(5, (1, 2)))
            await log.append("c1", 0, [HandedOff("tired", "")], AT)
            await log.open(opening("c2"))
            await log.append("c2", 1, [failed()], AT)
        async with closing(PostgresLog(server, "other", schema=schema)) as log:
            await say(log)

    asyncio.run(tell())
    return schema


def told(server: str, schema: str, statement: str) -> None:
    """Change the tables behind the log's back."""
    with psycopg.connect(server) as connection:
        connection.execute(f'SET search_path TO "{schema}"'.encode())
        connection.execute(statement.encode())


def kinds(report: Report) -> list[str]:
    """What was found, by kind."""
    return sorted({finding.kind for finding in report.findings})


def test_healthy_tables_have_nothing(server: str, filled: str) -> None:
    """Of any tenant; what there is, is counted."""
    report = examine(server, filled)
    assert report.findings == ()
    assert (report.found, report.conversations, report.events) == (VERSION, 3, 17)
    assert report.states == {("Basket", 3): 1}
    assert kinds(examine(server, filled, {"Basket": 2})) == ["newer-state"]
    assert kinds(examine(server, filled, {})) == ["unknown-state"]


C1 = "conversation = (SELECT conversation FROM conversations WHERE tenant = 'default' AND id = 'c1')"
C2 = "conversation = (SELECT conversation FROM conversations WHERE tenant = 'default' AND id = 'c2')"


@pytest.mark.parametrize(
    ("statement", "kind"),
    [
        ("UPDATE events SET body = '{' WHERE seq = 3", "undecodable"),
        ("UPDATE events SET version = 9 WHERE seq = 3", "undecodable"),
        (f"DELETE FROM events WHERE {C1} AND seq = 3", "gap"),
        (f"DELETE FROM events WHERE {C1} AND seq = 2", "turn-without-message"),
        (f"DELETE FROM events WHERE {C2} AND tag = 'turn-failed'", "turn-without-end"),
        (f"DELETE FROM turns WHERE {C1} AND turn = 2", "turn-missing"),
        ("UPDATE snapshots SET keep = '{1,99}'", "snapshot"),
        ("UPDATE facts SET seq = 2", "fact-without-source"),
        ("DELETE FROM said", "search-index"),
        (f"UPDATE turns SET status = 'open' WHERE {C2}", "nobody-works"),
        (f"UPDATE turns SET status = 'open', holder = 'w', until = 5 WHERE {C2}", "lapsed-lease"),
        ("DELETE FROM conversations WHERE id = 'c2'", "orphans"),
        ("UPDATE migrations SET checksum = 'x' WHERE number = 2", "checksum"),
        ("DELETE FROM migrations WHERE number = 2", "schema"),
        ("INSERT INTO migrations VALUES (99, 'later', 'x')", "schema"),
    ],
)
def test_each_thing_that_is_wrong_is_named(server: str, filled: str, statement: str, kind: str) -> None:
    """By a stable kind; the doctor reads to the end."""
    told(server, filled, statement)
    assert kind in kinds(examine(server, filled))


def test_what_was_erased_is_not_missing(server: str, filled: str) -> None:
    """Turns, a conversation, a user: the tombstones account for them."""

    async def tell() -> None:
        async with closing(PostgresLog(server, schema=filled)) as log:
            await log.erase_turns("c1", 1, AT)
            await say(log, user="ann")
            assert examine(server, filled).findings == ()
            await log.erase(conversation="c2", at=AT)
            await log.erase(user="ann", at=AT)

    asyncio.run(tell())
    assert examine(server, filled).findings == ()


def test_no_tables_are_made(server: str) -> None:
    """A schema that is not there is named, and still not there."""
    for _ in range(2):
        assert kinds(examine(server, "nowhere")) == ["schema"]


def test_a_database_that_is_away_is_an_error() -> None:
    """In our words, without the password."""
    with pytest.raises(StoreUnavailable) as raised:
        examine("postgresql://me:secret@127.0.0.1:1/x")
    assert "secret" not in str(raised.value)
    with pytest.raises(StoreUrlError):
        examine("postgresql://me@127.0.0.1:1/x", 'a"b')
