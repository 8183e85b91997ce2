"""Redaction: what is logged, traced, raised and shown has no value of a chosen kind; the event log has them all."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from opentelemetry.trace import NoOpTracerProvider, Span
from opentelemetry.trace.span import NonRecordingSpan, SpanContext
from pydantic_ai import Agent
from pydantic_ai.models.instrumented import InstrumentationSettings

import turnstate
from turnstate.assistant import Assistant
from turnstate.core.events import TurnOpened
from turnstate.core.messages import user_text
from turnstate.errors import SettingError, TurnError
from turnstate.redaction import KINDS, LOGGERS, Kind, Redaction, mask, redacting
from turnstate.testing.scripted import ScriptedModel

SECRETS: dict[Kind, str] = {
    "email": "ann.o'neil@example.co.uk",
    "phone": "+49 171 2345678",
    "card": "4111 1111 1111 1111",
    "secret": "sk-ant-abcdefghijklmnop1234",
    "id": "ORD-48213",
    "money": "$1,200.50",
}
CHOSEN: set[Kind] = {"email", "phone", "card", "secret"}
TOLD = "I am " + ", ".join(SECRETS.values()) + "."


def leaks(text: str) -> list[str]:
    """The chosen kinds whose value `text` has; a part of it counts."""
    parts = {"email": "example.co", "phone": "2345678", "card": "1111", "secret": "abcdefghij"}
    return [kind for kind, part in parts.items() if part in text]


@pytest.mark.parametrize("kind", SECRETS)
def test_each_kind_is_masked_wherever_it_stands(kind: Kind) -> None:
    """In prose, in quotes, in JSON, in an address, in a traceback."""
    value = SECRETS[kind]
    around = ("Call {} now.", "{!r}", '{{"x": "{}"}}', "({})", "a\n{}\nb", "error: <{}>")
    for form in around:
        text = form.format(value)
        masked = mask(text, {kind})
        assert f"[{kind}]" in masked, text
        assert value not in masked, text
        assert mask(text, set()) == text


def test_what_stands_in_an_address_is_masked_too() -> None:
    """Though the address as a whole is of another kind."""
    text = "https://x.example/?to=ann@example.com&tel=+491712345678&c=4111111111111111"
    masked = mask(text, {"email", "phone", "card"})
    assert not re.search(r"ann@|2345678|1111111", masked)


@given(st.text(), st.sets(st.sampled_from(sorted(KINDS))))
def test_masking_never_fails_and_leaves_the_rest(text: str, kinds: set[str]) -> None:
    """Whatever the text is; without kinds it is the same."""
    masked = mask(text, kinds)
    assert mask(text, ()) == text
    assert masked == text or any(f"[{kind}]" in masked for kind in kinds)


@given(st.text(max_size=20), st.text(max_size=20))
def test_an_address_is_masked_among_any_words(before: str, after: str) -> None:
    """Set apart by blanks."""
    assert "ann@example.com" not in mask(f"{before} ann@example.com {after}", {"email"})


@pytest.mark.parametrize("kinds", ["email", {"e-mail"}, {"email", "iban"}])
def test_what_is_no_kind_is_refused(kinds: Any) -> None:
    """When it is built."""
    with pytest.raises(SettingError, match="redact"):
        Assistant("offline", redact=kinds)
    with pytest.raises(SettingError, match="redact"):
        Redaction(kinds)


def test_every_logger_of_the_library_is_known() -> None:
    """A new one must be filtered as well."""
    source = Path(turnstate.__file__).parent
    names = {
        name
        for file in source.rglob("*.py")
        for name in re.findall(r'getLogger\("(turnstate[^"]*)"\)', file.read_text(encoding="utf-8"))
    }
    assert names <= set(LOGGERS)


def test_records_and_tracebacks_are_masked(caplog: pytest.LogCaptureFixture) -> None:
    """Arguments too; and they are as they were when it has ended."""
    stop = redacting(CHOSEN)
    caplog.set_level(logging.DEBUG, logger="turnstate")
    try:
        for name in LOGGERS:
            logging.getLogger(name).warning("%s and %d", TOLD, 3)
            try:
                int(TOLD)
            except ValueError:
                logging.getLogger(name).exception("it failed")
    finally:
        stop()
    assert leaks(caplog.text) == []
    assert caplog.text.count("[email] and") == 0
    assert "ORD-48213" in caplog.text
    logging.getLogger(LOGGERS[0]).warning(TOLD)
    assert leaks(caplog.text) == sorted(CHOSEN, key=list(SECRETS).index)


# The whole library ------------------------------------------------------------------------------


class Spans:
    """A tracer that remembers what it was told."""

    def __init__(self) -> None:
        self.told: list[str] = []

    def start_span(self, name: str, *args: Any, **kwargs: Any) -> Span:
        """A span that notes its attributes."""
        self.told += [name, repr(args), repr(kwargs)]
        return Noted(self.told)

    @contextmanager
    def start_as_current_span(self, name: str, *args: Any, **kwargs: Any) -> Generator[Span]:
        """As above."""
        yield self.start_span(name, *args, **kwargs)


class Noted(NonRecordingSpan):
    """A span that notes everything."""

    def __init__(self, told: list[str]) -> None:
        super().__init__(SpanContext(1, 1, is_remote=False))
        self._told = told

    def is_recording(self) -> bool:
        """As if somebody exported it."""
        return True

    def set_attribute(self, key: str, value: Any) -> None:
        """Note it."""
        self._told.append(f"{key}={value!r}")

    def set_attributes(self, attributes: Any) -> None:
        """Note them."""
        self._told.append(repr(dict(attributes)))

    def add_event(self, name: str, *args: Any, **kwargs: Any) -> None:
        """Note it."""
        self._told.append(f"{name} {args!r} {kwargs!r}")


class Provider(NoOpTracerProvider):
    """Gives one tracer."""

    def __init__(self, spans: Spans) -> None:
        self.spans = spans

    def get_tracer(self, *args: Any, **kwargs: Any) -> Any:
        """The one."""
        return self.spans


@pytest.mark.parametrize("redact", [CHOSEN, set[Kind]()])
def test_nothing_said_leaves_a_turn_but_by_its_reply(
    redact: set[Kind], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Logs, spans and errors have none of it, the event log and the reply have all; unless nothing was chosen."""
    caplog.set_level(logging.DEBUG)
    spans, errors = Spans(), list[str]()
    Agent.instrument_all(InstrumentationSettings(tracer_provider=Provider(spans)))

    async def tell() -> None:
        script = [f"Hello {TOLD}", RuntimeError(f"the provider quotes {TOLD}")]
        async with Assistant(
            ScriptedModel(script), store=f"sqlite:///{tmp_path / 'chat.db'}", redact=redact
        ) as shop:
            chat = shop.conversation("c1")
            reply = await chat.send(TOLD)
            assert leaks(reply.text) == list(SECRETS)[:4]
            with pytest.raises(TurnError) as caught:
                await chat.send("And now?")
            seen: BaseException | None = caught.value
            while seen is not None:
                errors.append(f"{seen} {vars(seen)}")
                seen = seen.__cause__ or seen.__context__
            opened = (await chat.events())[1].event
            assert isinstance(opened, TurnOpened)
            assert user_text(opened.message) == TOLD

    try:
        asyncio.run(tell())
    finally:
        Agent.instrument_all(False)  # pyright: ignore[reportArgumentType]  # as documented
    assert spans.told
    for heard in (caplog.text, "\n".join(errors), "\n".join(spans.told)):
        if redact:
            assert leaks(heard) == []
    if not redact:
        assert leaks("\n".join(spans.told)) != []
        assert leaks("\n".join(errors)) != []
