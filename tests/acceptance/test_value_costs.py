"""What finding costs grows with the text, whatever it is made of."""

from __future__ import annotations

import time

import pytest

from turnstate.core.values import find

_PIECES = [
    "1", ".", "1,", "1.", "1 ", "1:", "1/", "1-", "a@", "a.", "a-", "a_", '"', '"a', "“", "/x", "~/", "a/b", "C:\\a", "$", "$1", "+1 ",
    "0 ", "(1", "http://", "www.", "x.com/", "#1", "v1.", "order ", "order #", "order 1 ", "march ", "march 1 to ", "1 to ", "next ",
    "friday ", "in two ", "in 2 ", "half past ", "quarter to ", "twenty ", "one and ", "five dollars ", "1\u00a0", "1月", "年", "ISBN 9-", "today ",
]  # fmt: skip


def _seconds(text: str) -> float:
    started = time.process_time()
    find(text)
    return time.process_time() - started


@pytest.mark.parametrize("piece", _PIECES)
def test_four_times_the_text_takes_about_four_times_the_work(piece: str) -> None:
    """A quadratic pattern would take sixteen times as long; a pass that another process disturbed is repeated."""
    short, long = (piece * (size // len(piece)) for size in (20_000, 80_000))
    floor = 0.004  # below it, the clock's own steps are what is measured
    assert any(_seconds(long) <= 10 * max(_seconds(short), floor) for _ in range(4))
