"""The suite mirrors the source: who knows a module's path knows where its tests are."""

from __future__ import annotations

import ast
from pathlib import PurePosixPath

UNMIRRORED: dict[str, str] = {
    "errors.py": "the tree is one shape and is tested as one, in tests/architecture/test_error_tree.py",
    "cli/": "a command is tested as a person meets it: through the whole program, by topic, in tests/cli",
}
"""A module ("core/events.py") or a package ("cli/") -> why its tests stand elsewhere. May only shrink.

A package listed here still needs tests in its mirrored folder.
"""


def _test_of(path: PurePosixPath) -> str:
    return (path.parent / f"test_{path.stem.lstrip('_')}.py").as_posix()


def _does_nothing(node: ast.stmt) -> bool:
    return isinstance(node, ast.Pass) or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))


def _behaves(tree: ast.Module) -> bool:
    """Whether a module has a function with a body: Protocols and plain values have nothing to test alone."""
    functions = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))
    return any(not all(map(_does_nothing, function.body)) for function in functions)


def _modules(source: dict[str, ast.Module]) -> list[PurePosixPath]:
    """The modules that have something to test; what a package's `__init__` offers is tested where it stands."""
    unnamed = ("__init__.py", "__main__.py")
    return [
        PurePosixPath(path) for path, tree in source.items() if not path.endswith(unnamed) and _behaves(tree)
    ]


def _mirrored(module: PurePosixPath, suite: dict[str, ast.Module]) -> bool:
    """Whether `module` has a test file of its own, or the file of a package that it belongs to."""
    packages = [parent for parent in module.parents if parent.name]
    return any(_test_of(candidate) in suite for candidate in (module, *packages))


def _listed(module: PurePosixPath) -> str | None:
    names = (module.as_posix(), *(f"{parent.as_posix()}/" for parent in module.parents if parent.name))
    return next((name for name in names if name in UNMIRRORED), None)


def test_every_module_has_tests_at_its_mirrored_path(
    source: dict[str, ast.Module], suite: dict[str, ast.Module]
) -> None:
    """core/events.py is tested by tests/core/test_events.py, or its whole package by tests/test_core.py."""
    missing = [
        f"src/turnstate/{module} by tests/{_test_of(module)}"
        for module in _modules(source)
        if not _mirrored(module, suite) and _listed(module) is None
    ]
    assert missing == [], "write these tests"


def test_a_listed_package_has_tests_in_its_folder(
    source: dict[str, ast.Module], suite: dict[str, ast.Module]
) -> None:
    """Standing elsewhere in the folder is not the same as having no tests."""
    present = {name for module in _modules(source) if (name := _listed(module)) and name.endswith("/")}
    untested = [
        name
        for name in sorted(present)
        if not any(path.startswith(name) and PurePosixPath(path).name.startswith("test_") for path in suite)
    ]
    assert untested == [], "these packages have no tests at all"


def test_the_exceptions_are_still_needed(source: dict[str, ast.Module], suite: dict[str, ast.Module]) -> None:
    """An entry whose modules are gone, or have tests of their own by now, is taken off the list."""
    needed = {_listed(module) for module in _modules(source) if not _mirrored(module, suite)}
    stale = [
        name for name in UNMIRRORED if name not in needed and any(path.startswith(name) for path in source)
    ]
    assert stale == []


def test_no_test_file_stands_where_the_source_has_nothing(
    source: dict[str, ast.Module], suite: dict[str, ast.Module]
) -> None:
    """In the folders that mirror a package, a test file is named after something that exists."""
    modules = [PurePosixPath(path) for path in source]
    packages = {parent.as_posix() for module in modules for parent in module.parents if parent.name}
    named = {_test_of(module) for module in modules} | {_test_of(PurePosixPath(name)) for name in packages}
    strays = [
        path
        for path in suite
        if PurePosixPath(path).parent.as_posix() in packages
        and PurePosixPath(path).name.startswith("test_")
        and path not in named
        and not any(path.startswith(name) for name in UNMIRRORED)
    ]
    assert strays == [], "rename these after the module that they test"
