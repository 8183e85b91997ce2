"""Files of probes, and when an answer is in view."""

from __future__ import annotations

from pathlib import Path

import pytest

from turnstate.errors import WiringError
from turnstate.replay.probes import Probe, Probes, Shown, Unread, read_probes

GOOD = '{"conversation": "c", "question": "Where?", "answer": "Rome"}'


def _file(tmp_path: Path, *lines: str) -> Path:
    path = tmp_path / "probes.jsonl"
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def test_an_answer_is_a_text_or_several(tmp_path: Path) -> None:
    """Blank lines are passed over; lines are counted as an editor does."""
    several = '{"conversation": "c", "question": "When?", "answer": ["noon", "12:00"]}'
    assert read_probes(_file(tmp_path, "\ufeff" + GOOD, "", several)) == Probes(
        (Probe("c", "Where?", ("Rome",), 1), Probe("c", "When?", ("noon", "12:00"), 3))
    )


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{bad", "is not JSON"),
        ("[]", "is not a JSON object"),
        ('{"question": "Where?", "answer": "Rome"}', "names no conversation"),
        ('{"conversation": "c", "question": " ", "answer": "Rome"}', "asks nothing"),
        ('{"conversation": "c", "question": "Where?"}', "has no answer"),
        ('{"conversation": "c", "question": "Where?", "answer": []}', "has no answer"),
        ('{"conversation": "c", "question": "Where?", "answer": ["Rome", 7]}', "has no answer"),
    ],
)
def test_a_bad_line_is_reported_and_the_others_are_asked(tmp_path: Path, line: str, reason: str) -> None:
    """With its number and the reason."""
    read = read_probes(_file(tmp_path, line, GOOD))
    assert [probe.line for probe in read.probes] == [2]
    (unread,) = read.unread
    assert unread.line == 1
    assert unread.reason.startswith(reason)
    with pytest.raises(WiringError, match=r"holds no probe: line 1"):
        read_probes(_file(tmp_path, line))


def test_a_line_that_is_no_text_is_reported(tmp_path: Path) -> None:
    """Bytes of another encoding."""
    path = tmp_path / "probes.jsonl"
    path.write_bytes(b"\xff\xfe\n" + GOOD.encode())
    assert read_probes(path).unread == (Unread(1, "is not UTF-8 at byte 1"),)


def test_a_file_that_is_not_there_or_empty_is_refused(tmp_path: Path) -> None:
    """The error says what a line holds."""
    for path in (tmp_path / "none.jsonl", _file(tmp_path), tmp_path):
        with pytest.raises(WiringError, match='"question"'):
            read_probes(path)


@pytest.mark.parametrize(
    ("answer", "text", "there"),
    [
        ("Rome", "We met in ROME.", True),
        ("Rome", "We met in Romeo's.", False),
        ("the old  town", "in the old\ntown hall", True),
        ("14:00", "at 2 pm", True),
        ("42.00", "It costs $42 a day", True),
        ("2019-03-05", "on March 5th", True),
        ("2019-03-05", "in March", False),
        ("2019-03-05", "on the 5th", False),
        ("at 14:00 sharp", "at 2 pm", False),
        ("C++", "she likes C++.", True),
    ],
)
def test_an_answer_stands_word_for_word_or_as_the_same_value(answer: str, text: str, there: bool) -> None:
    """With word edges, whatever its case and white space; a value that is the whole answer may be said differently."""
    assert Shown(["something", text]).holds(answer) is there
