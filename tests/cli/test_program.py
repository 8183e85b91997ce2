"""The program itself: quick to start, plain about errors, safe with any terminal and any reader."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from cli.conftest import Run
from turnstate import __version__

COMMANDS = ("demo", "chat", "show", "facts", "why", "replay", "measure", "kb")


def spawned(*args: str, encoding: str = "utf-8", **env: str) -> subprocess.Popen[bytes]:
    """The program in a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-c", "from turnstate.cli import main; main()", *args],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONIOENCODING": encoding, **env},
    )


def test_the_program_imports_nothing_heavy_before_a_command_runs() -> None:
    """`--help` does not wait for pydantic-ai or rich."""
    code = "import sys, turnstate.cli; print(*[m for m in ('pydantic_ai', 'pydantic', 'rich') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def test_help_and_version(run: Run) -> None:
    """The help lists the commands; the version is that of the package."""
    listed = run("--help")
    assert listed.code == 0
    assert all(f"\n  {command} " in listed.out for command in COMMANDS)
    assert run("--version").out.strip() == __version__


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(run: Run, command: str) -> None:
    """In short and in full."""
    assert run(command, "--help").code == 0
    assert "Usage:" in run(command, "-h").out


@pytest.mark.parametrize(
    "args",
    [
        ("nope",),
        ("show", "--nope"),
        ("why", "visit-1"),
        ("why", "visit-1", " "),
        ("show", "visit-1", "--turn", "0"),
        ("chat", "--app", "plumber"),
        ("demo", "plumber"),
        ("show", "visit-1", "--test"),
        ("demo", "--budget-target", "few"),
        ("replay", "x.jsonl", "--strategy", "guess"),
        ("replay", "x.jsonl", "--instructions", "missing.md"),
        ("replay", "x.jsonl", "--plot", "missing/x.png"),
    ],
)
def test_a_wrong_command_line_is_2(run: Run, args: tuple[str, ...]) -> None:
    """It says what is wrong, on stderr."""
    ran = run(*args)
    assert ran.code == 2
    assert ran.out == ""
    assert "Error: " in ran.err


@pytest.mark.parametrize("command", ["show", "show visit-1", "facts priya", "why visit-1 12345"])
def test_a_missing_database_is_1_and_is_not_made(run: Run, tmp_path: Path, command: str) -> None:
    """The error names the file and the next step."""
    ran = run(*command.split())
    assert ran.code == 1
    assert ran.out == ""
    assert "There is no database at turnstate.db. Run `turnstate demo`" in ran.err
    assert "Traceback" not in ran.err
    assert list(tmp_path.iterdir()) == []


def test_verbose_shows_where_an_error_comes_from(run: Run) -> None:
    """With -v, before the command or behind it."""
    assert "Traceback" in run("-v", "show").err
    assert "Traceback" in run("show", "-v").err


def test_a_reader_that_leaves_is_no_error(store: str) -> None:
    """`turnstate show … | head -1` ends quietly, for tables and for JSON."""
    for more in ((), ("--json",)):
        process = spawned("show", "visit-1", "--events", "--store", store, *more)
        assert process.stdout is not None
        process.stdout.close()
        _, err = process.communicate()
        assert (process.returncode, err) == (0, b"")


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_any_encoding_will_do(store: str, encoding: str) -> None:
    """What the terminal cannot write becomes the nearest plain text."""
    process = spawned("why", "visit-1", "99.95", "--store", store, encoding=encoding)
    out, err = process.communicate()
    assert (process.returncode, err) == (0, b"")
    assert ("summarised into turns 1" + ("–" if encoding == "utf-8" else "-") + "3").encode(encoding) in out


@pytest.mark.parametrize(
    "args", [("show", "visit-1"), ("show", "visit-1", "--turn", "4"), ("show", "visit-1", "--events")]
)
def test_what_users_wrote_does_not_steer_the_terminal(run: Run, store: str, args: tuple[str, ...]) -> None:
    """Escapes and marks are written out, and markup is not read as such."""
    ran = run(*args, "--store", store)
    assert ran.code == 0
    assert not set(ran.out) & {"\x07", "\x1b", "\u202e", "\x9b"}
    assert "\\x1b]0;" in ran.out


@pytest.mark.parametrize("width", ["20", "40", "200"])
def test_any_width_will_do(run: Run, store: str, monkeypatch: pytest.MonkeyPatch, width: str) -> None:
    """Tables are cut, never the numbers in them."""
    monkeypatch.setenv("COLUMNS", width)
    for args in (("show",), ("show", "visit-1"), ("why", "visit-1", "48213"), ("facts", "priya", "--all")):
        assert run(*args, "--store", store).code == 0
    assert "   3  closed  " in run("show", "visit-1", "--store", store).out


def test_json_is_ascii_and_complete(run: Run, store: str) -> None:
    """What a table writes out, the JSON has as it was."""
    ran = run("show", "visit-1", "--json", "--store", store)
    assert ran.out.isascii()
    assert ran.json["turns"][3]["user"].startswith("bell \x07 title \x1b]0;owned\x07")
