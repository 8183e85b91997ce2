"""Plain text of the form "Speaker: text", as people copy it out of a chat window."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import BinaryIO, NamedTuple

from turnstate.errors import TranscriptError
from turnstate.readers.fields import moment_of
from turnstate.readers.records import LONGEST, RawRecord
from turnstate.readers.roles import role_of, roles_of
from turnstate.readers.scribe import Entry, Origin, transcribe
from turnstate.readers.transcript import Transcript

PROBED = 200
"""Lines that are looked at to see whether a file is of this format."""

_LINE = re.compile(
    r"""\s*(?:\[(?P<when>[^\[\]]{1,40})\]\s*|(?P<date>\d[\d/.:\-, T]{3,25}(?:\s?[AaPp][Mm]|Z)?)\s*[-–]?\s+)?
    (?:\*\*|__)?(?P<who>[^\W\d_][^:\n\t*]{0,39}?)\s*(?:\*\*|__)?\s*:(?:\*\*|__)?(?:\s+(?P<said>.*))?""",
    re.VERBOSE | re.DOTALL,
)
_BREAK = re.compile(r"\s*([-=*#_~])\1{2,}\s*")


class _Line(NamedTuple):
    who: str
    said: str
    at: int | None
    whole: str
    dated: bool = False


def fits_speaker_text(path: Path) -> bool:
    """Whether a file begins with a line of a speaker, and at least two speakers speak in it soon."""
    with path.open("rb") as file:
        lines = [_parsed(_decoded(line)) for line in islice(_bounded(file), PROBED) if line.strip()]
    spoken = [line for line in lines if not _BREAK.fullmatch(line.whole)]
    return bool(spoken) and bool(spoken[0].who) and len(_speakers(_told(spoken))) >= 2


def speaker_records(path: Path) -> Iterator[RawRecord]:
    """The conversations of a file, as lists of lines; a line of three dashes or the like stands between two.

    Raises:
        TranscriptError: while iterating: the file cannot be read.
    """
    number, end, size = 1, 0, 0
    held: list[str] = []
    problem = ""
    try:
        with path.open("rb") as file:
            for line in _bounded(file):
                end += len(line)
                said = _decoded(line)
                if _BREAK.fullmatch(said):
                    if any(text.strip() for text in held):
                        yield RawRecord(number, held, problem, end)
                        number += 1
                    held, size, problem = [], 0, ""
                elif (size := size + len(line)) <= LONGEST:
                    held.append(said)
                else:
                    problem = f"is longer than {LONGEST:,} bytes"
    except OSError as error:
        raise TranscriptError(str(path), None, f"cannot be read ({error.strerror})") from error
    if any(text.strip() for text in held):
        yield RawRecord(number, held, problem, end)


def read_speaker_text(lines: Sequence[str], origin: Origin) -> Transcript:
    """One conversation as a transcript.

    A line without a speaker goes on with what was said before it, and so does one without a time where the first line
    has one. Who is called customer, user and the like is the user,
    who is called agent, bot and the like the assistant; of names that say nothing, the first to speak is the user.

    Raises:
        RecordProblem: the user said nothing.
    """
    parsed = _told([_parsed(line) for line in lines])
    speakers = _speakers(parsed)
    said: list[tuple[_Line, list[str]]] = []
    for line in parsed:
        if line.who.lower() in speakers:
            said.append((line, [line.said]))
        elif said:
            said[-1][1].append(line.whole)
    names = list(dict.fromkeys(line.who.lower() for line, _ in said))
    roles = roles_of(names)
    return transcribe(
        (Entry(roles[line.who.lower()], ("\n".join(text).strip(),), at=line.at) for line, text in said),
        origin,
    )


def _bounded(file: BinaryIO) -> Iterator[bytes]:
    read = file.readline
    while line := read(LONGEST):
        yield line


def _decoded(line: bytes) -> str:
    return line.decode("utf-8-sig", "replace").rstrip("\r\n")


def _parsed(line: str) -> _Line:
    match = _LINE.fullmatch(line)
    if match is None:
        return _Line("", "", None, line)
    when = match["when"] or match["date"]
    return _Line(
        match["who"].strip(), match["said"] or "", moment_of(when.strip()) if when else None, line, bool(when)
    )


def _told(lines: Sequence[_Line]) -> list[_Line]:
    """The lines, those without a time being nobody's where the first one of a speaker has a time."""
    first = next((line for line in lines if line.who), None)
    if first is None or not first.dated:
        return list(lines)
    return [line if line.dated else line._replace(who="") for line in lines]


def _speakers(lines: Sequence[_Line]) -> set[str]:
    """Who speaks: known words for a speaker, and names that come more than once; all names where that leaves one."""
    counted = Counter(line.who.lower() for line in lines if line.who)
    found = {who for who, count in counted.items() if count > 1 or role_of(who)}
    return found if len(found) > 1 else set(counted)
