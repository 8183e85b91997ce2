"""The pages tell the truth: their Python runs, their commands exist, their links lead somewhere."""

from __future__ import annotations

import ast
import asyncio
import importlib
import inspect
import re
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, NamedTuple, Protocol, cast

import pytest
import typer
from typer.main import get_command

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]

every_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())


class Block(NamedTuple):
    """A fenced block: its language, its text, the line of its first line from 1, and why it is not run ("")."""

    language: str
    text: str
    line: int
    no_run: str


def _blocks(page: Path) -> Iterator[Block]:
    """The fenced blocks of a page; `<!-- no-run: reason -->` on the line above the fence keeps one from running."""
    lines = page.read_text(encoding="utf-8").splitlines()
    opened: int | None = None
    fence = language = no_run = ""
    for index, line in enumerate(lines):
        stripped = line.strip()
        if opened is None and (match := re.match(r"(`{3,}|~{3,})\s*([\w+-]*)", stripped)):
            opened, fence, language = index, match[1], match[2]
            above = next((earlier for earlier in reversed(lines[:index]) if earlier.strip()), "")
            reason = re.fullmatch(r"<!-- no-run: (.+) -->", above.strip())
            no_run = reason[1] if reason else ""
        elif opened is not None and stripped == fence:
            text = inspect.cleandoc("\n".join(lines[opened + 1 : index]))
            yield Block(language, text, opened + 2, no_run)
            opened = None
    assert opened is None, f"{page.name}:{opened}: a fence is opened and not closed"


def _compiled(block: Block, page: Path) -> CodeType:
    """The block as code whose line numbers are the page's; `await` may stand at the top level."""
    padded = "\n" * (block.line - 1) + block.text
    return compile(padded, str(page), "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)


@pytest.fixture
def namespace(request: pytest.FixtureRequest) -> Iterator[dict[str, object]]:
    """One module that the blocks of a page share, found in sys.modules as the classes in it expect."""
    module = ModuleType(f"page_{abs(hash(request.node.name))}")
    sys.modules[module.__name__] = module
    yield vars(module)
    del sys.modules[module.__name__]


def _run(page: Path, namespace: dict[str, object]) -> None:
    with asyncio.Runner() as runner:
        for block in _blocks(page):
            if block.language != "python":
                continue
            code = _compiled(block, page)
            if block.no_run:
                continue
            result: object = eval(code, namespace)  # our own pages; eval, because it gives back the coroutine
            if inspect.iscoroutine(result):
                runner.run(result)


@every_page
def test_the_python_of_a_page_runs(
    page: Path, namespace: dict[str, object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The blocks run from top to bottom in an empty folder and share their names, as a reader would type them."""
    monkeypatch.chdir(tmp_path)
    _run(page, namespace)


def test_blocks_share_names_and_may_await(tmp_path: Path, namespace: dict[str, object]) -> None:
    """A block that only shows something is compiled; an error names the page's own line."""
    page = tmp_path / "page.md"
    blocks = [
        "```python\nimport asyncio\nseen = ['a']\n```",
        "```python\nawait asyncio.sleep(0)\nseen.append('b')\n```",
        "<!-- no-run: it needs a key -->\n\n```python\nseen.clear()\n```",
        "```python\nraise ValueError(seen)\n```",
    ]
    page.write_text("\n".join(blocks), encoding="utf-8")
    with pytest.raises(ValueError, match=r"\['a', 'b'\]") as caught:
        _run(page, namespace)
    lines = page.read_text(encoding="utf-8").splitlines()
    assert lines[caught.traceback[-1].lineno] == "raise ValueError(seen)"


def _words(line: str) -> list[str]:
    """The words of a shell line, operators apart; a line inside a longer quotation is only split at its blanks."""
    lexer = shlex.shlex(line, posix=True, punctuation_chars="|&;<>()")
    lexer.whitespace_split = True
    try:
        return list(lexer)
    except ValueError:
        return line.split()


def _commands(block: Block) -> Iterator[list[str]]:
    """The words of every `turnstate …` command of a shell block, without what a pipe or a redirection adds.

    Where a block shows prompts, the other lines are what was printed.
    """
    lines = block.text.replace("\\\n", " ").splitlines()
    typed = [line.removeprefix("$ ") for line in lines if line.startswith("$ ")] or lines
    for line in typed:
        words: list[str] = []
        for word in [*_words(line), ";"]:
            if not re.fullmatch(r"[|&;<>()]+", word):
                words.append(word)
                continue
            while words and (words[0] in {"uvx", "exec", "time"} or re.fullmatch(r"[A-Z_]+=.*", words[0])):
                del words[0]
            if words and Path(words[0]).name == "turnstate":
                yield words[1:]
            words = []


class Command(Protocol):
    """What is read of a command; typer carries its own copy of click's classes."""

    name: str | None
    params: list[Any]


def _problem(command: Command, words: list[str]) -> str | None:
    """What the program would not understand of `words`: a command or an option that does not exist."""
    flags = {
        flag: parameter
        for parameter in command.params
        for flag in (*parameter.opts, *parameter.secondary_opts)
    }
    inner: dict[str, Command] = getattr(command, "commands", {})
    shown = command.name or "turnstate"
    rest = iter(words)
    for word in rest:
        name, _, value = word.partition("=")
        if name.startswith("-") and len(name) > 1:
            if name not in {*flags, "--help"}:
                return f"{shown} has no option {name}"
            if name in flags and not flags[name].is_flag and not value:
                next(rest, None)
        elif inner:
            return _problem(inner[word], list(rest)) if word in inner else f"{shown} has no command {word}"
    return None


@pytest.fixture(scope="session")
def program() -> Command:
    """The command line program as a tree of commands."""
    try:
        cli = importlib.import_module("turnstate.cli")
    except ModuleNotFoundError as error:
        pytest.skip(f"not written yet: {error.name}")
    return cast("Command", get_command(cli.app))


@every_page
def test_the_commands_of_a_page_exist(page: Path, program: Command) -> None:
    """A reader can type every `turnstate` command and option that a page shows."""
    problems = [
        f"{page.name}:{block.line}: turnstate {shlex.join(words)}: {problem}"
        for block in _blocks(page)
        if block.language in {"bash", "sh", "console", "shell"}
        for words in _commands(block)
        if (problem := _problem(program, words))
    ]
    assert problems == []


@pytest.mark.parametrize(
    ("shell", "problem"),
    [
        ("turnstate run --store a.db 'hello there' | less", None),
        ("$ OFFLINE=1 turnstate facts list > out.txt && turnstate --version", None),
        ("turnstate run --store=a.db \\\n  hello", None),
        ("pip install turnstate", None),
        ("$ turnstate run hi\nturnstate says: I don't know", None),
        ("turnstate facts drop", "facts has no command drop"),
        ("cd x; turnstate run --stroe a.db", "run has no option --stroe"),
        ("turnstate demon", "turnstate has no command demon"),
    ],
)
def test_a_command_that_does_not_exist_is_noticed(shell: str, problem: str | None) -> None:
    """Commands are found in what people type around them, and followed to their last option."""
    app, facts = typer.Typer(name="turnstate"), typer.Typer()
    app.add_typer(facts, name="facts")

    @app.callback()
    def program(version: bool = False) -> None:
        pass

    @app.command()
    def run(text: str, store: str = "") -> None:
        pass

    @facts.command("list")
    def list_() -> None:
        pass

    assert callable(program)
    assert callable(run)
    assert callable(list_)
    block = Block("bash", shell, 1, "")
    tree = cast("Command", get_command(app))
    assert [_problem(tree, words) for words in _commands(block) if _problem(tree, words)] == [problem] * bool(
        problem
    )


def _anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as they are made from their words."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@every_page
def test_the_links_of_a_page_lead_somewhere(page: Path) -> None:
    """A relative link names a file that is there, and its anchor a heading of that file."""
    broken: list[str] = []
    for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8")):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, anchor = target.partition("#")
        file = (page.parent / name).resolve() if name else page
        if not file.exists() or (anchor and file.suffix == ".md" and anchor not in _anchors(file)):
            broken.append(target)
    assert broken == []


def test_decisions_are_numbered_without_gaps() -> None:
    """A decision is found by its number: 0000 is the template, and the next one takes the next number."""
    numbers = [int(path.name[:4]) for path in sorted((ROOT / "docs" / "decisions").glob("*.md"))]
    assert numbers == list(range(len(numbers)))
