"""Probes: questions to ask at the end of a recorded conversation, and whether a request holds their answers."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, cast

from turnstate.core.values import Value, find
from turnstate.errors import WiringError
from turnstate.replay.values import stands_for

FORM = '{"conversation": "its id", "question": "...", "answer": "..." or a list of accepted answers}'
"""What a line of a file of probes holds."""


@dataclass(frozen=True, slots=True)
class Probe:
    """A question about something that was said.

    Attributes:
        conversation: the transcript's id.
        question: as the user would ask it.
        answers: the texts that answer it; one of them is enough.
        line: where it stands in its file, from 1.
    """

    conversation: str
    question: str
    answers: tuple[str, ...]
    line: int = 0


class Unread(NamedTuple):
    """A line of a file of probes that was not asked.

    Attributes:
        line: from 1.
        reason: what is wrong with it.
    """

    line: int
    reason: str


class Probes(NamedTuple):
    """A file of probes.

    Attributes:
        probes: in the file's order.
        unread: the lines that are no probes.
    """

    probes: tuple[Probe, ...]
    unread: tuple[Unread, ...] = ()


def read_probes(path: str | Path) -> Probes:
    """The probes of a JSONL file; blank lines count as lines and are passed over.

    Raises:
        WiringError: the file does not open, or no line of it is a probe.
    """
    try:
        with Path(path).open("rb") as file:
            read = list(_lines(file))
    except OSError as error:
        raise WiringError(
            f"{path} cannot be read ({error.strerror}). Give a file of probes, one on each line: {FORM}."
        ) from error
    probes = tuple(each for each in read if isinstance(each, Probe))
    unread = tuple(each for each in read if isinstance(each, Unread))
    if not probes:
        first = f"line {unread[0].line} {unread[0].reason}" if unread else "it is empty"
        raise WiringError(f"{path} holds no probe: {first}. Give one on each line: {FORM}.")
    return Probes(probes, unread)


def _lines(lines: Iterable[bytes]) -> Iterator[Probe | Unread]:
    for number, raw in enumerate(lines, 1):
        try:
            text = raw.decode("utf-8-sig" if number == 1 else "utf-8")
            if text.strip():
                yield _probe(json.loads(text), number)
        except UnicodeDecodeError as error:
            yield Unread(number, f"is not UTF-8 at byte {error.start + 1}")
        except (ValueError, RecursionError) as error:
            yield Unread(number, f"is not JSON ({getattr(error, 'msg', error)})")


def _probe(data: object, line: int) -> Probe | Unread:
    if not isinstance(data, dict):
        return Unread(line, "is not a JSON object")
    fields = cast("dict[str, Any]", data)
    conversation, question, answer = (fields.get(name) for name in ("conversation", "question", "answer"))
    if not (isinstance(conversation, str) and conversation):
        return Unread(line, "names no conversation: 'conversation' must be the id of a transcript")
    if not (isinstance(question, str) and question.strip()):
        return Unread(line, "asks nothing: 'question' must be a text")
    answers = cast("list[object]", answer) if isinstance(answer, list) else [answer]
    texts = [text for text in answers if isinstance(text, str) and _plain(text)]
    if not texts or len(texts) != len(answers):
        return Unread(line, "has no answer: 'answer' must be a text, or a list of texts")
    return Probe(conversation, question, tuple(texts), line)


class Shown:
    """The texts of a request, for looking up answers."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._plain = f" {' '.join(filter(None, map(_plain, texts)))} "
        self._texts = texts
        self._values: tuple[Value, ...] | None = None

    def holds(self, answer: str) -> bool:
        """Whether `answer` stands there: word for word, case and white space aside, or as a value said differently."""
        return self._literally(_plain(answer)) or self._as_value(answer)

    def _literally(self, answer: str) -> bool:
        text = self._plain
        start = text.find(answer)
        while start >= 0:
            end = start + len(answer)
            if not (_joined(text[start - 1], answer[0]) or _joined(answer[-1], text[end])):
                return True
            start = text.find(answer, start + 1)
        return False

    def _as_value(self, answer: str) -> bool:
        value = _only_value(answer)
        if value is None:
            return False
        if self._values is None:
            found = (value for text in self._texts for value in find(text))
            self._values = tuple({(each.kind, each.norm): each for each in found}.values())
        return any(stands_for(other, value) for other in self._values)


def _joined(before: str, after: str) -> bool:
    return before.isalnum() and after.isalnum()


def _only_value(answer: str) -> Value | None:
    """The value that the whole of `answer` is; None where it says more, or is none."""
    stripped = answer.strip()
    found = find(stripped)
    if len(found) != 1 or (found[0].start, found[0].end) != (0, len(stripped.rstrip(".,;!?"))):
        return None
    return found[0]


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())
