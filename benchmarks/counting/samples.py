"""Texts of many kinds to count: real ones from what is installed or lies in wheels, made ones where chance will do."""

from __future__ import annotations

import base64
import json
import random
import re
import sysconfig
import uuid
import zipfile
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

SIZE = 900
"""Signs of one sample."""

MOST = 40
"""Samples of one kind."""

LANGUAGES = {
    "German": "de",
    "French": "fr",
    "Spanish": "es",
    "Turkish": "tr",
    "Vietnamese": "vi",
    "Polish": "pl",
    "Russian": "ru",
    "Greek": "el",
    "Hebrew": "he",
    "Arabic": "ar",
    "Persian": "fa",
    "Hindi": "hi",
    "Bengali": "bn",
    "Tamil": "ta",
    "Thai": "th",
    "Georgian": "ka",
    "Chinese": "zh_Hans",
    "Japanese": "ja",
    "Korean": "ko",
}
"""By the folder of Django's translations, which are read from its wheel (`pip download --no-deps django`)."""

_MESSAGE = re.compile(r'^msgstr(?:\[\d\])? ((?:".*"\n?)+)', re.MULTILINE)


def samples(wheels: Path, data: Path) -> dict[str, list[str]]:
    """Samples by kind; kinds whose source is absent are left out."""
    found = {
        "English": _cut(_english(data)),
        **{name: _cut(_translated(wheels, folder)) for name, folder in LANGUAGES.items()},
        "code": _cut(_code()),
        "JSON": _cut(_json(data, compact=True)),
        "JSON, indented": _cut(_json(data, compact=False)),
        "tool arguments": _cut(_arguments(data)),
        "thinking": _cut(_thoughts(data)),
        **{
            name: [make(random.Random(f"{name} {seed}")) for seed in range(MOST)]
            for name, make in _MADE.items()
        },
    }
    return {name: texts for name, texts in found.items() if texts}


def _cut(texts: Iterable[str]) -> list[str]:
    """Pieces of about `SIZE` signs, spread over all there is."""
    whole = "\n".join(texts)
    pieces = [whole[start : start + SIZE] for start in range(0, len(whole) - SIZE + 1, SIZE)]
    return pieces[:: max(1, len(pieces) // MOST)][:MOST]


def _english(data: Path) -> Iterator[str]:
    for name in ("sgd_long_sessions/sessions.jsonl", "taskmaster4_coffee/dialogs.jsonl"):
        path = data / name
        if path.exists():
            for line in islice(path.read_text().splitlines(), 60):
                messages: list[dict[str, Any]] = json.loads(line).get("messages", [])
                yield from (
                    str(m["content"]) for m in messages if m["role"] in {"user", "assistant"} and m["content"]
                )
    for path in sorted(Path(sysconfig.get_path("purelib")).glob("*.dist-info/METADATA"))[:40]:
        yield from (line for line in path.read_text().splitlines() if len(line) > 90 and "](" not in line)


def _translated(wheels: Path, folder: str) -> Iterator[str]:
    for wheel in wheels.glob("django-*.whl"):
        with zipfile.ZipFile(wheel) as archive:
            for name in sorted(archive.namelist()):
                if name.endswith(f"/locale/{folder}/LC_MESSAGES/django.po"):
                    yield from _messages(archive.read(name).decode())


def _messages(text: str) -> Iterator[str]:
    """The translations of a catalogue, without the header."""
    for found in list(_MESSAGE.finditer(text))[1:]:
        said = "".join(json.loads(line) for line in found[1].splitlines() if line)
        if len(said) > 12:
            yield said


def _code() -> Iterator[str]:
    home = Path(sysconfig.get_path("stdlib"))
    for name in ("argparse.py", "asyncio/base_events.py", "json/decoder.py", "tarfile.py", "typing.py"):
        yield (home / name).read_text()
    yield from (path.read_text() for path in sorted(home.glob("site-packages/**/*.js"))[:5])


def _json(data: Path, *, compact: bool) -> Iterator[str]:
    path = data / "tau_bench_airline/trajectories.jsonl"
    for line in islice(path.read_text().splitlines(), 30) if path.exists() else ():
        for message in json.loads(line)["messages"]:
            if message["role"] == "tool" and str(message["content"]).startswith(("{", "[")):
                held = json.loads(message["content"])
                yield json.dumps(held, separators=(",", ":")) if compact else json.dumps(held, indent=2)


def _called(data: Path) -> Iterator[tuple[str, str]]:
    """The tools that recorded agents called, and with what."""
    path = data / "tau_bench_airline/trajectories.jsonl"
    for line in path.read_text().splitlines() if path.exists() else ():
        for message in json.loads(line)["messages"]:
            for call in message.get("tool_calls") or ():
                yield call["function"]["name"], call["function"]["arguments"]


def _arguments(data: Path) -> Iterator[str]:
    return (arguments for name, arguments in _called(data) if name != "think")


def _thoughts(data: Path) -> Iterator[str]:
    """What agents thought, who had a tool to think aloud with."""
    return (json.loads(arguments).get("thought", "") for name, arguments in _called(data) if name == "think")


def _base64(chance: random.Random) -> str:
    return base64.b64encode(chance.randbytes(SIZE * 3 // 4)).decode()


def _hex(chance: random.Random) -> str:
    return " ".join(chance.randbytes(32).hex() for _ in range(SIZE // 65))


def _uuids(chance: random.Random) -> str:
    return "\n".join(str(uuid.UUID(int=chance.getrandbits(128))) for _ in range(SIZE // 37))


def _numbers(chance: random.Random) -> str:
    return "\n".join(
        ",".join(
            f"{chance.uniform(0, 10**4):.2f}" if chance.random() < 0.5 else str(chance.randrange(10**8))
            for _ in range(6)
        )
        for _ in range(SIZE // 54)
    )


def _urls(chance: random.Random) -> str:
    words = [
        "shop",
        "orders",
        "track",
        "invoice",
        "v2",
        "api",
        "customer",
        "en-us",
        "returns",
        "help",
        "static",
        "img",
        "summer",
        "sale",
        "item",
    ]
    return "\n".join(
        f"https://{chance.choice(words)}.example.com/{'/'.join(chance.choices(words, k=3))}"
        f"?id={chance.randrange(10**7)}&ref={chance.choice(words)}&utm_source=mail"
        for _ in range(SIZE // 85)
    )


def _logs(chance: random.Random) -> str:
    return "\n".join(
        f"2026-{chance.randrange(1, 13):02d}-{chance.randrange(1, 29):02d}T{chance.randrange(24):02d}:{chance.randrange(60):02d}:07.{chance.randrange(1000):03d}Z "
        f"{chance.choice(['INFO', 'WARN', 'ERROR'])} worker-{chance.randrange(40)} request /v1/orders/{chance.randrange(10**6)} took {chance.randrange(900)}ms"
        for _ in range(SIZE // 80)
    )


def _table(chance: random.Random) -> str:
    rows = [
        "| Item         | Colour | Price    | In stock |",
        "|--------------|--------|---------:|:---------|",
    ]
    for _ in range(SIZE // 48):
        item, colour = chance.choice(["Desk lamp", "Kettle", "Office chair"]), chance.choice(["red", "blue"])
        rows.append(
            f"| {item:<12} | {colour:<6} | {chance.uniform(5, 900):>8.2f} | {chance.choice(['yes', 'no']):<8} |"
        )
    return "\n".join(rows)


def _space(chance: random.Random) -> str:
    lines = [
        " " * (4 * chance.randrange(12)) + chance.choice(["end", "}", "return x", "", "", "\t\tpass"])
        for _ in range(70)
    ]
    return "\n".join(lines)


def _repeated(chance: random.Random) -> str:
    return "\n".join(chance.choice("-=*#_.ax0~ ") * chance.randrange(20, 120) for _ in range(12))


def _emoji(chance: random.Random) -> str:
    signs = "😀🙏🚚📦🎉❤️👍🏽👩‍💻🇩🇪✅🔥😂🥲🍕🏠⚽️🌍"
    return " ".join("".join(chance.choices(signs, k=chance.randrange(1, 6))) for _ in range(60))


def _compatible(chance: random.Random) -> str:
    """Signs that some tokenizers read in a longer form: a phrase in one sign, units, fractions, ligatures, full width."""
    signs = "\ufdfa\ufdfb㌀㍿㌖㋿½⅞ﬃﬄ①㈱℃™ｆｕｌｌ\u1e9b\u0323"
    return " ".join("".join(chance.choices(signs, k=chance.randrange(1, 8))) for _ in range(60))


def _tools(chance: random.Random) -> str:
    names = [
        "order",
        "customer",
        "address",
        "refund",
        "coupon",
        "flight",
        "seat",
        "hotel",
        "invoice",
        "ticket",
    ]
    tools: list[dict[str, Any]] = [
        {
            "name": f"{chance.choice(['find', 'update', 'cancel'])}_{chance.choice(names)}",
            "description": f"Looks for the {chance.choice(names)} of a customer and says what became of it.",
            "input_schema": {
                "type": "object",
                "properties": {
                    f"{name}_id": {
                        "type": "string",
                        "description": f"The {name}'s number, such as {chance.randrange(10**5)}.",
                    }
                    for name in chance.sample(names, 2)
                },
                "required": [],
            },
        }
        for _ in range(3)
    ]
    return json.dumps(tools, separators=(",", ":"))


_MADE: dict[str, Callable[[random.Random], str]] = {
    "tool definitions": _tools,
    "base64": _base64,
    "hex digests": _hex,
    "UUIDs": _uuids,
    "numbers": _numbers,
    "URLs": _urls,
    "log lines": _logs,
    "Markdown table": _table,
    "white space": _space,
    "repeated signs": _repeated,
    "emoji": _emoji,
    "compatibility forms": _compatible,
}
