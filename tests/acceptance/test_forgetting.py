"""What is erased is gone: from the file byte by byte, from a dump of the database, and for a turn that is running."""

from __future__ import annotations

import asyncio
import random
import string
from datetime import timedelta
from pathlib import Path

import psycopg
import pytest
from pydantic_ai.messages import BinaryContent

from acceptance.doors import assistant, run
from turnstate import Budget, Facts, Single, tool
from turnstate.errors import ConversationErased
from turnstate.ports import Log
from turnstate.stores import MemoryLog, SqliteLog
from turnstate.stores.postgres.log import PostgresLog
from turnstate.testing.scripted import Answer, Asked, Call, ScriptedModel

DICE = random.Random(11)


def word() -> str:
    """A word that nobody else says."""
    return "".join(DICE.choices(string.ascii_lowercase, k=12))


class Customer(Facts):
    """What is worth remembering."""

    order_id: Single[str]
    email: Single[str]


SECRETS = {
    "conversation": f"chat-{word()}",
    "user": f"user-{word()}",
    "key": f"key-{word()}",
    "said": word(),
    "Capital": word().capitalize(),
    "umlaut": f"Grüße{word()}",
    "chinese": "退款申请编号甲乙丙",
    "email": f"{word()}@example.org",
    "order": "ORD-7719-XQ",
    "argument": word(),
    "result": word(),
    "image": word(),
    "replied": word(),
    "noted": word(),
}


@tool(effect="read")
def look(order: str) -> dict[str, str]:
    """Look up an order."""
    return {"order": order, "secret": SECRETS["result"]}


def answer(asked: Asked) -> Answer:
    """Call the tool with a secret, then reply with one."""
    if "weather" in asked.prompt:
        return "So it is."
    return f"It is {SECRETS['replied']}." if asked.results else [Call("look", {"order": SECRETS["argument"]})]


async def converse(log: Log) -> None:
    """A conversation with a secret of every kind in every place, and another one that stays."""
    options = {"facts": Customer, "tools": [look], "budget": Budget(target=4_000)}
    async with assistant(ScriptedModel(answer), store=log, **options) as door:
        chat = door.conversation(SECRETS["conversation"], user=SECRETS["user"])
        picture = BinaryContent(SECRETS["image"].encode() * 200, media_type="image/png")
        words = [SECRETS[name] for name in ("said", "Capital", "umlaut", "chinese")]
        await chat.send(["look at this", picture], key=SECRETS["key"])
        for number in range(6):
            filler = " ".join(word() for _ in range(150))
            await chat.send(f"{' '.join(words)} {number} {filler}")
        await chat.send(f"My e-mail is {SECRETS['email']} and my order is {SECRETS['order']}.")
        await chat.remember(order_id=SECRETS["order"])
        await chat.handoff(SECRETS["noted"])
        other = door.conversation("stays", user="somebody")
        await other.send("The weather is fine.")


def left_in(data: bytes) -> list[str]:
    """The secrets that stand in some bytes, whatever their case."""
    folded = data.lower()
    return [name for name, secret in SECRETS.items() if secret.lower().encode() in folded]


@pytest.mark.parametrize("by", ["conversation", "user"])
def test_a_scan_of_the_file_finds_nothing(tmp_path: Path, by: str) -> None:
    """Neither in the database nor in its write-ahead log, in whatever case; before, it finds everything."""
    path = tmp_path / "chat.db"

    def scan() -> list[str]:
        return sorted({name for file in tmp_path.iterdir() for name in left_in(file.read_bytes())})

    async def scenario() -> None:
        log = SqliteLog(path)
        try:
            await converse(log)
            assert scan() == sorted(SECRETS)
            async with assistant(["unused"], store=log) as door:
                receipt = await door.erase(**{by: SECRETS[by]})
            assert (receipt.conversations, receipt.turns) == (1, 8)
            assert receipt.facts
            assert receipt.blobs
            assert scan() == []  # while the store is still open
            assert (await log.search("stays", ["weather"], before=9))["weather"] == (1,)
        finally:
            await log.close()
        assert scan() == []

    run(scenario())


@pytest.mark.parametrize("by", ["conversation", "user"])
def test_a_dump_of_the_database_has_nothing(server: str, schema: str, by: str) -> None:
    """Every row of every table, as a dump would write it; the receipt says what the operator has to do."""

    async def dump() -> bytes:
        async with await psycopg.AsyncConnection.connect(server) as connection, connection.cursor() as cursor:
            await cursor.execute("SELECT tablename FROM pg_tables WHERE schemaname = %s", [schema])
            names = [name for (name,) in await cursor.fetchall()]
            found = b""
            for name in names:
                async with cursor.copy(f'COPY "{schema}"."{name}" TO STDOUT') as copy:  # pyright: ignore[reportArgumentType]
                    async for piece in copy:
                        # Bytes are written as hex, and a secret in them would hide there.
                        row = bytes(piece)
                        found += row + b"".join(bytes.fromhex(part.decode()) for part in _hex(row))
            return found

    async def scenario() -> None:
        log = PostgresLog(server, schema=schema)
        try:
            await converse(log)
            hidden = {"key"}  # there only as a digest
            assert set(left_in(await dump())) >= set(SECRETS) - hidden
            async with assistant(["unused"], store=log) as door:
                receipt = await door.erase(**{by: SECRETS[by]})
            assert (receipt.conversations, receipt.turns) == (1, 8)
            assert any("vacuum" in what.lower() for what in receipt.unreachable)
            assert left_in(await dump()) == []
        finally:
            await log.close()

    run(scenario())


def _hex(row: bytes) -> list[bytes]:
    parts = row.replace(b"\\\\x", b"\t\\\\x").split(b"\t")
    return [part[3:].strip() for part in parts if part.startswith(b"\\\\x")]


@pytest.mark.parametrize("kind", ["memory", "sqlite", "postgres"])
def test_a_running_turn_does_not_bring_a_conversation_back(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """What it writes is refused, and whoever sent the message hears why; here and through another process's door."""

    async def scenario(log: Log) -> None:
        gate = asyncio.Event()
        async with (
            assistant([[gate, "Late."]], store=log, facts=Customer) as one,
            assistant(["unused"], store=log) as two,
        ):
            chat = one.conversation("c", user="u")
            sending = asyncio.create_task(chat.send("My order is ORD-1234."))
            while not await chat.events():  # noqa: ASYNC110 - the log is the only place that tells
                await asyncio.sleep(0.002)
            await two.erase(conversation="c")
            gate.set()
            with pytest.raises(ConversationErased):
                await sending
            with pytest.raises(ConversationErased):
                await chat.send("hello?")
            assert await chat.events() == ()
            assert await one.facts("u") == ()
        await log.close()

    url = request.getfixturevalue("server") if kind == "postgres" else ""
    place = request.getfixturevalue("schema") if kind == "postgres" else ""
    match kind:
        case "memory":
            run(scenario(MemoryLog()))
        case "sqlite":
            run(scenario(SqliteLog(tmp_path / "chat.db")))
        case _:
            run(scenario(PostgresLog(url, schema=place)))


def test_old_turns_leave_and_the_conversation_goes_on(store: str) -> None:
    """Whole turns; with nothing young left the conversation goes too, unless a rule keeps it."""

    async def scenario() -> None:
        day = 86_400_000_000
        now = 1_767_225_600_000_000
        async with assistant(
            lambda asked: f"Reply to {asked.said[-1]}", store=store, clock=lambda: now
        ) as door:
            chat = door.conversation("c", user="u")
            for number in range(1, 6):
                await chat.send(f"message {number}")
                await door.conversation(f"old-{number % 2}", user="u").send("hello")
                now += day
            now += 2 * day
            receipts = await door.retain(
                timedelta(days=4, hours=12), keep=lambda info: info.conversation == "old-0"
            )
            assert [(receipt.conversations, receipt.turns) for receipt in receipts if receipt.turns == 3] == [
                (1, 3)
            ]
            assert {found.turn for found in await chat.events() if found.turn} == {4, 5}
            assert (await chat.send("and now?")).turn == 6
            receipts = await door.retain(timedelta(0), user="nobody")
            assert receipts == ()
            now += day
            await door.retain(timedelta(hours=1))
            with pytest.raises(ConversationErased):
                await chat.send("again")

    run(scenario())
