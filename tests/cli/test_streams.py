"""The program's streams: plain characters where the encoding has no others, lines that the library logs."""

from __future__ import annotations

import io
import logging
import sys

import pytest

from turnstate.cli.streams import CONTEXT_LOG, complain, listen, log_requests, prepare


def test_what_an_encoding_has_not_becomes_plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """The nearest character, or a question mark; never an error."""
    raw = io.BytesIO()
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(raw, encoding="ascii", write_through=True))
    prepare()
    sys.stdout.write("turns 1–3 … “x” é 漢 \ud800\n")
    assert raw.getvalue() == b'turns 1-3 ... "x" ? ? ?\n'


def test_lines_of_one_level_are_shown(caplog: pytest.LogCaptureFixture) -> None:
    """The others are not, and the logger is left as it was."""
    log, found = logging.getLogger(CONTEXT_LOG), list[str]()
    before = (log.level, list(log.handlers))
    stop = listen(logging.INFO, found.append)
    log.info("%s", "shown")
    log.debug("not shown")
    log.warning("neither")
    stop()
    log.info("too late")
    assert found == ["shown"]
    assert (log.level, list(log.handlers)) == before


def test_requests_go_to_stderr(capsys: pytest.CaptureFixture[str]) -> None:
    """With controls written out."""
    stop = log_requests()
    logging.getLogger(CONTEXT_LOG).debug("[request] \x1b")
    stop()
    assert capsys.readouterr() == ("", "[request] \\x1b\n")


@pytest.mark.parametrize("traced", [False, True])
def test_an_error_is_one_plain_line(capsys: pytest.CaptureFixture[str], traced: bool) -> None:
    """Its traceback only if asked for."""
    complain(ValueError("bad \x1b[31m"), traced=traced)
    err = capsys.readouterr().err
    assert err.endswith("bad \\x1b[31m\n")
    assert ("ValueError" in err) is traced
