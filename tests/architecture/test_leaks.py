"""Nothing of the place where it was written is left in what is shipped."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

# Every pattern has a bracket in it, so that this file does not find itself.
LEAKS = {
    "a host of a package registry": (
        r"pyp[i]\.org|python[h]osted\.org|registry\.np[m]js|registry\.yar[n]pkg|deb\.debia[n]\.org|"
        r"crate[s]\.io|proxy\.gol[a]ng\.org|ana[c]onda\.org"
    ),
    "a path of one machine": r"(?<![\w.])/(?:wor[k]|far[m]|roo[t]|home/[a-z]+)/|bash_job[s]|/tmp/(?:note[s]|bash[_])",
    "talk about an issue": (
        r"(?i)\b(?:issue|issues|pr|pull request|ticket)s?\s+#?\d+\b|\b(?:fix(?:e[sd])?|close[sd]?|resolve[sd]?)\s+#\d+\b|"
        r"\bgh-\d+\b"
    ),
}
NOT_PROSE = {"LICENSE"}


def _text(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return None


@pytest.mark.parametrize("what", LEAKS)
def test_no_file_has(what: str, project_files: list[Path], root: Path) -> None:
    """The product speaks of itself alone."""
    pattern = re.compile(LEAKS[what])
    found = [
        f"{path.relative_to(root)}:{number}: {line.strip()[:120]}"
        for path in project_files
        if path.name not in NOT_PROSE and (text := _text(path)) is not None
        for number, line in enumerate(text.splitlines(), start=1)
        if pattern.search(line)
    ]
    assert found == [], f"take out {what}"


def test_the_patterns_find_what_they_are_for() -> None:
    """A pattern that matches nothing would pass for ever."""
    samples = {
        "a host of a package registry": "https://pyp" + "i.org/simple",
        "a path of one machine": "open('/wor" + "k/main/x')",
        "talk about an issue": "see issue #" + "12",
    }
    assert samples.keys() == LEAKS.keys()
    assert [what for what, sample in samples.items() if not re.search(LEAKS[what], sample)] == []
