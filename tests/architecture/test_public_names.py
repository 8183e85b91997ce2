"""The public names: what `import turnstate` offers, no more and no less."""

from __future__ import annotations

import inspect
import subprocess
import sys

import pytest

import turnstate

PUBLIC: list[str] = list(getattr(turnstate, "__all__", ()))

if not PUBLIC:
    pytest.skip("turnstate has no public names yet", allow_module_level=True)


def test_the_public_names_are_sorted_and_unique() -> None:
    """The list reads like an index."""
    assert sorted(set(PUBLIC)) == PUBLIC


def test_dir_offers_the_public_names_alone() -> None:
    """What completion in a shell shows is `__all__`, besides the names of every module."""
    offered = [name for name in dir(turnstate) if not (name.startswith("__") and name.endswith("__"))]
    assert offered == [name for name in PUBLIC if not name.startswith("__")]


@pytest.mark.parametrize("name", PUBLIC)
def test_a_public_name_can_be_imported_and_is_documented(name: str) -> None:
    """Every name resolves; every class and function says what it is."""
    value: object = getattr(turnstate, name)
    if inspect.isclass(value) or inspect.isroutine(value):
        assert inspect.getdoc(value)
        assert value.__doc__ != object.__doc__


def test_an_unknown_name_is_an_attribute_error() -> None:
    """A typing error reads as it would in any module."""
    with pytest.raises(AttributeError, match="no attribute 'Assistent'"):
        _ = turnstate.Assistent  # pyright: ignore[reportAttributeAccessIssue, reportUnknownVariableType, reportUnknownMemberType]  # the point


def test_importing_the_package_does_not_load_the_model_library() -> None:
    """`import turnstate` alone stays light, so that `turnstate --help` answers at once (ADR 0001)."""
    probe = "import sys, turnstate; print(sorted(sys.modules.keys() & {'pydantic_ai', 'openai', 'anthropic', 'typer'}))"
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
