"""Values of chosen kinds taken out of what is logged, traced, raised and shown. The event log itself keeps everything.

A text that is masked has `[email]` where an address stood. More is masked rather than less: a long number counts as a phone
number for "phone", whatever it is.
"""

from __future__ import annotations

import copy
import logging
import re
import traceback
from collections.abc import Callable, Collection
from typing import Final, Literal, TypeAlias, get_args

from pydantic_ai import Agent
from pydantic_ai.models.instrumented import InstrumentationSettings

from turnstate.core.facts.sensitive import secrets
from turnstate.core.values import ascii_digits, find
from turnstate.errors import SettingError, TurnstateError

Kind: TypeAlias = Literal[
    "card",
    "date",
    "duration",
    "email",
    "id",
    "money",
    "path",
    "percent",
    "phone",
    "quantity",
    "quoted",
    "secret",
    "time",
    "url",
    "version",
]
"""What can be masked: payment cards, passwords and access keys ("secret"), and the kinds of `core.values`."""

KINDS: Final[frozenset[str]] = frozenset(get_args(Kind))

LOGGERS: Final = ("turnstate.context", "turnstate.knowledge", "turnstate.stores")
"""Every logger of the library."""

_EMAIL: Final = re.compile(r"[^\s@<>\"'(),;:]+@[^\s@<>\"'(),;:]*[^\s@<>\"'(),;:.]")
_PHONE: Final = re.compile(r"\+?\(?\d(?:[\s().\-/\u00a0\u2010\u2011]{0,3}\d){7,}")
_CARD: Final = re.compile(r"[\d\s.\-\u00a0‑]+")

_active: list[frozenset[str]] = []


def checked(kinds: Collection[str]) -> frozenset[str]:
    """`kinds`, if there are such.

    Raises:
        SettingError: one of them is none, or a plain string was given.
    """
    given = frozenset({kinds}) if isinstance(kinds, str) else frozenset(kinds)
    if isinstance(kinds, str) or not given <= KINDS:
        wrong = ", ".join(sorted(map(repr, given - KINDS))) or repr(kinds)
        raise SettingError("redact", f"has {wrong}", f"Give a set of: {', '.join(sorted(KINDS))}.")
    return given


def mask(text: str, kinds: Collection[str]) -> str:
    """`text` with the kind in brackets in the place of every value of these kinds."""
    found: list[tuple[int, int, str]] = []
    if "email" in kinds:
        found += [(*match.span(), "email") for match in _EMAIL.finditer(text)]
    if "phone" in kinds:
        found += [(*match.span(), "phone") for match in _PHONE.finditer(text)]
    if {"card", "secret"} & set(kinds):
        for span in secrets(text):
            kind = "card" if _CARD.fullmatch(ascii_digits(text[span.start : span.end])) else "secret"
            if kind in kinds:
                found.append((span.start, span.end, kind))
    if not {"card", "secret"}.issuperset(kinds):
        found += [(value.start, value.end, str(value.kind)) for value in find(text) if value.kind in kinds]
    pieces: list[str] = []
    done = 0
    for start, end, kind in sorted(found, key=lambda each: (each[0], -each[1])):
        if start >= done:
            pieces += [text[done:start], f"[{kind}]"]
        done = max(done, end)
    return "".join((*pieces, text[done:]))


class Redaction(logging.Filter):
    """A logging filter that masks every record, its traceback included; for handlers and loggers of your own too.

    Args:
        kinds: what to mask.

    Raises:
        SettingError: there is no such kind.
    """

    def __init__(self, kinds: Collection[str]) -> None:
        super().__init__()
        self._kinds = checked(kinds)

    def filter(self, record: logging.LogRecord) -> bool:
        """Mask the record; it is never dropped."""
        record.msg, record.args = mask(record.getMessage(), self._kinds), ()
        if record.exc_info and record.exc_info[1] is not None:
            record.exc_text = "".join(traceback.format_exception(record.exc_info[1])).rstrip()
        record.exc_info = None
        if record.exc_text:
            record.exc_text = mask(record.exc_text, self._kinds)
        return True


def redacting(kinds: Collection[str]) -> Callable[[], None]:
    """Mask what the library logs and traces in this process, for all assistants; what is returned ends it.

    Raises:
        SettingError: there is no such kind.
    """
    chosen, filtering = checked(kinds), Redaction(kinds)
    _active.append(chosen)
    for name in LOGGERS:
        logging.getLogger(name).addFilter(filtering)

    def stop() -> None:
        if chosen in _active:
            _active.remove(chosen)
        for name in LOGGERS:
            logging.getLogger(name).removeFilter(filtering)

    return stop


def instrument() -> InstrumentationSettings | bool | None:
    """How model requests are traced: as `Agent.instrument_all` says, and while anything is redacted without what was said.

    Spans then have the model, the tokens and the times; masking JSON inside of JSON by kind would miss something some day.
    """
    if not _active:
        return None
    chosen = Agent._instrument_default  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]  # what `direct` asks itself
    if not chosen:
        return False
    settings = copy.copy(chosen) if isinstance(chosen, InstrumentationSettings) else InstrumentationSettings()
    settings.include_content = False
    return settings


def masked_error(error: TurnstateError, kinds: Collection[str]) -> TurnstateError:
    """`error` with its message and its texts masked, without the error behind it; the ids that it names stay."""
    error.args = tuple(mask(each, kinds) if isinstance(each, str) else each for each in error.args)
    for name, value in vars(error).items():
        if isinstance(value, str) and name not in {"conversation", "call_id"}:
            setattr(error, name, mask(value, kinds))
    error.__cause__ = error.__context__ = None
    return error
