"""Where code may stand: imports at the top of the file, no circles, no clock in core, no patching of our own code."""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Callable, Iterator
from graphlib import CycleError, TopologicalSorter
from types import ModuleType

import grimp
import pydantic_ai.messages
import pytest

OPTIONAL_EXTRAS = {
    "fastapi",
    "matplotlib",
    "model2vec",
    "psycopg",
    "psycopg_pool",
    "sse_starlette",
    "uvicorn",
    "xllamacpp",
}
"""Roots of the packages that [project.optional-dependencies] install; they are imported where they are used."""

LOCAL_IMPORTS: dict[tuple[str, str], str] = {
    (
        "models/resolve.py",
        "turnstate.models.local",
    ): "the extra `local`; it loads Anthropic's SDK, which others never need",
}
"""(file, imported module) -> why it cannot stand at the top of the file. May only shrink."""

LAZY_NAMES = "__init__.py"
"""The one file with TYPE_CHECKING imports: the lazy public names (docs/decisions/0001-lazy-public-names.md)."""

IMPURE_ROOTS = {"datetime": {"now", "utcnow", "today"}, "date": {"today"}, "dt": {"now", "utcnow", "today"}}
IMPURE_CALLS = {"breakpoint", "input", "open", "print"}


def _imported(node: ast.AST) -> list[str]:
    match node:
        case ast.Import():
            return [alias.name for alias in node.names]
        case ast.ImportFrom():
            return [node.module or "."]
        case _:
            return []


def _local_imports(tree: ast.Module) -> Iterator[str]:
    for outer in ast.walk(tree):
        if isinstance(outer, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            for node in ast.walk(outer):
                yield from _imported(node)


def test_imports_stand_at_the_top_of_the_file(source: dict[str, ast.Module]) -> None:
    """A function imports nothing, but for the CLI's start-up time and optional extras."""
    found = {
        (path, module)
        for path, tree in source.items()
        if not path.startswith("cli/")
        for module in _local_imports(tree)
        if module.partition(".")[0] not in OPTIONAL_EXTRAS
    }
    assert found - set(LOCAL_IMPORTS) == set(), "move these imports to the top of their files"
    assert set(LOCAL_IMPORTS) - found == set(), "these are gone: take them off LOCAL_IMPORTS"


def test_no_import_is_for_the_type_checker_only(source: dict[str, ast.Module]) -> None:
    """What an annotation names can be resolved at run time, everywhere but in the lazy root."""
    offenders = [
        path
        for path, tree in source.items()
        if path != LAZY_NAMES
        for node in ast.walk(tree)
        if (isinstance(node, ast.Name) and node.id == "TYPE_CHECKING")
        or (isinstance(node, ast.Attribute) and node.attr == "TYPE_CHECKING")
    ]
    assert offenders == [], "import for real, or move the type down a layer"


def test_no_file_is_in_an_import_circle() -> None:
    """Nor is a package in a circle with its own files, which the contract on siblings does not see."""
    graph = grimp.build_graph("turnstate", cache_dir=None)
    imports = {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as error:
        raise AssertionError("imports in a circle: " + " <- ".join(error.args[1])) from None


def test_the_root_is_not_imported_from_inside(source: dict[str, ast.Module]) -> None:
    """Inside the package the public names are imported from where they live."""
    offenders = [
        f"{path}:{node.lineno}"
        for path, tree in source.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom) and "turnstate" in _imported(node)
    ]
    assert offenders == []


def _impure(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(value=ast.Name(id=owner), attr=name) if name in IMPURE_ROOTS.get(owner, ()):
                yield f"{owner}.{name}, line {node.lineno}"
            case ast.Attribute(value=ast.Attribute(attr=owner), attr=name) if name in IMPURE_ROOTS.get(
                owner, ()
            ):
                yield f"{owner}.{name}, line {node.lineno}"
            case ast.Call(func=ast.Name(id=name)) if name in IMPURE_CALLS:
                yield f"{name}(), line {node.lineno}"
            case ast.AsyncFunctionDef() | ast.Await() | ast.AsyncFor() | ast.AsyncWith():
                yield f"async, line {node.lineno}"
            case ast.Import() | ast.ImportFrom():
                roots = {module.partition(".")[0] for module in _imported(node)}
                yield from (
                    f"{root}, line {node.lineno}" for root in roots & {"random", "secrets", "time", "uuid"}
                )
            case _:
                pass


def test_core_reads_no_clock_and_rolls_no_dice(source: dict[str, ast.Module]) -> None:
    """Times and ids are passed in to core; it does not wait, print or open files."""
    found = [
        f"{path}: {what}"
        for path, tree in source.items()
        if path.startswith("core/")
        for what in _impure(tree)
    ]
    assert found == [], "take the value as a parameter; the shell reads the clock"


def _ambient_fields(module: ModuleType) -> dict[str, set[str]]:
    """Message classes whose fields default to the clock or to a random id, with those fields."""
    found: dict[str, set[str]] = {}
    for name, cls in vars(module).items():
        if not (isinstance(cls, type) and dataclasses.is_dataclass(cls)):
            continue
        for field in dataclasses.fields(cls):
            factory = field.default_factory
            if getattr(factory, "__name__", "") in {"now_utc", "generate_tool_call_id"}:
                found.setdefault(name, set()).add(field.name)
    return found


def test_core_passes_times_and_ids_to_every_message(source: dict[str, ast.Module]) -> None:
    """Where a message class would default to the clock or to a random id, core names the value."""
    ambient = _ambient_fields(pydantic_ai.messages)
    assert "timestamp" in ambient["UserPromptPart"], "pydantic-ai changed: find its ambient defaults again"
    missing = [
        f"{path}:{call.lineno}: {call.func.id} without {', '.join(sorted(absent))}"
        for path, tree in source.items()
        if path.startswith("core/")
        for call in ast.walk(tree)
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Name)
        and (absent := ambient.get(call.func.id, set()) - {keyword.arg for keyword in call.keywords})
    ]
    assert missing == []


def _modules_in_scope(tree: ast.Module) -> set[str]:
    """Names that a file binds to modules or members of other people's packages."""
    return {
        (alias.asname or alias.name).partition(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        and not any(module.partition(".")[0] in {"turnstate", "."} for module in _imported(node))
        for alias in node.names
    }


def _root_name(node: ast.expr) -> str:
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _mentions_mock(node: ast.Import | ast.ImportFrom) -> bool:
    names = [*_imported(node), *(alias.name for alias in node.names)]
    return any("mock" in name.split(".") for name in names)


def _patches(tree: ast.Module) -> Iterator[int]:
    theirs = _modules_in_scope(tree)
    for node in ast.walk(tree):
        match node:
            case ast.Import() | ast.ImportFrom() if _mentions_mock(node):
                yield node.lineno
            case ast.Call(func=ast.Attribute(attr="setattr" | "delattr"), args=[target, *_]):
                string = target.value if isinstance(target, ast.Constant) else None
                if isinstance(string, str):
                    ours = string.startswith("turnstate")
                else:
                    ours = _root_name(target) not in theirs
                if ours:
                    yield node.lineno
            case _:
                pass


def test_our_own_code_is_not_patched(suite: dict[str, ast.Module]) -> None:
    """Tests replace a port, never an attribute of ours; patching another package's module is allowed."""
    offenders = [f"tests/{path}:{line}" for path, tree in suite.items() for line in _patches(tree)]
    assert offenders == [], "cut a port, or pass the value in"


@pytest.mark.parametrize(
    ("detector", "sample"),
    [
        (_local_imports, "def f():\n    import json"),
        (_local_imports, "async def f():\n    from turnstate.core import events"),
        (_impure, "from datetime import datetime\nnow = datetime.now()"),
        (_impure, "import datetime as dt\ncreated = field(default_factory=dt.datetime.utcnow)"),
        (_impure, "async def f(): ..."),
        (_impure, "def f(path):\n    return open(path)"),
        (_impure, "from uuid import uuid4"),
        (_patches, "from turnstate.core import events\nmonkeypatch.setattr(events, 'fold', None)"),
        (_patches, "monkeypatch.setattr('turnstate.core.events.fold', None)"),
        (_patches, "monkeypatch.setattr(store, 'append', None)"),
        (_patches, "from unittest.mock import patch"),
        (_patches, "from unittest import mock"),
    ],
)
def test_the_rules_see_what_they_forbid(
    detector: Callable[[ast.Module], Iterator[object]], sample: str
) -> None:
    """A rule that finds nothing would pass for ever."""
    assert list(detector(ast.parse(sample)))


@pytest.mark.parametrize(
    "sample", ["import os\nmonkeypatch.setattr(os, 'getcwd', f)", "monkeypatch.setenv('A', 'b')"]
)
def test_other_peoples_modules_may_be_patched(sample: str) -> None:
    """The rule is about our own code."""
    assert not list(_patches(ast.parse(sample)))
