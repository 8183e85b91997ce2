"""The error tree: as drawn is as built, and every leaf tells its reader what to do next."""

from __future__ import annotations

import inspect
import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from turnstate import errors
from turnstate.errors import TurnstateError

Edges = dict[str, str | None]
"""An error's name -> its parent's name, in the order of reading; the root has no parent."""

NEXT_STEP = frozenset(
    [
        "add",
        "answer",
        "ask",
        "call",
        "check",
        "choose",
        "close",
        "correct",
        "delete",
        "export",
        "fix",
        "free",
        "give",
        "install",
        "list",
        "look",
        "make",
        "migrate",
        "move",
        "open",
        "pass",
        "raise",
        "read",
        "remove",
        "rename",
        "restore",
        "retry",
        "run",
        "send",
        "set",
        "shorten",
        "start",
        "take",
        "tell",
        "use",
        "wait",
        "write",
    ]
)
"""Verbs with which a next step begins."""


def _drawn(doc: str) -> tuple[Edges, dict[str, str]]:
    """The tree of a module docstring and the words beside each name; two spaces are one level."""
    lines = iter(doc.splitlines())
    parents: Edges = {}
    words: dict[str, str] = {}
    path: list[str] = []
    started = False
    for line in lines:
        started = started or line.split(" ")[0] == TurnstateError.__name__
        if not started:
            continue
        match = re.fullmatch(r"((?:  )*)(\w+)(?: +(\S.*))?", line)
        if match is None:
            break
        indent, name, text = match.groups()
        del path[len(indent) // 2 :]
        assert len(path) == len(indent) // 2, f"{name} is indented below nothing"
        assert name not in parents, f"{name} is drawn twice"
        parents[name], words[name] = (path[-1] if path else None), text or ""
        path.append(name)
    return parents, words


def _classes() -> list[type[TurnstateError]]:
    return [cls for cls in vars(errors).values() if isinstance(cls, type) and issubclass(cls, TurnstateError)]


def _parent(cls: type[TurnstateError]) -> str | None:
    return next((base.__name__ for base in cls.__bases__ if issubclass(base, TurnstateError)), None)


LEAVES = [
    cls for cls in _classes() if not any(issubclass(other, cls) and other is not cls for other in _classes())
]

every_leaf = pytest.mark.parametrize("leaf", LEAVES, ids=lambda leaf: leaf.__name__)


def _built(leaf: type[TurnstateError]) -> st.SearchStrategy[TurnstateError]:
    """Instances from the types of the constructor; where the raiser passes the fix, it is one."""
    given_by_raiser: dict[str, st.SearchStrategy[Any]] = {}
    if "fix" in inspect.signature(leaf).parameters:
        given_by_raiser["fix"] = st.just("Use another one.")
    return st.builds(leaf, **given_by_raiser)


def test_the_tree_in_the_docstring_is_the_tree_of_classes() -> None:
    """What the module's docstring draws is what `except` will catch."""
    drawn, _ = _drawn(errors.__doc__ or "")
    assert drawn == {cls.__name__: _parent(cls) for cls in _classes()}


def test_every_name_in_the_drawing_is_explained() -> None:
    """A tree of bare names would be a list of words to look up."""
    _, words = _drawn(errors.__doc__ or "")
    assert [name for name, text in words.items() if not text] == []


def test_every_error_is_defined_in_the_error_module() -> None:
    """Nothing joins the tree from elsewhere."""
    assert [cls.__name__ for cls in _classes() if cls.__module__ != errors.__name__] == []


@every_leaf
def test_a_leaf_is_documented_with_an_http_status(leaf: type[TurnstateError]) -> None:
    """Every leaf has its own docstring and a status that a server can answer with."""
    assert leaf.__doc__
    assert leaf.__doc__ != (leaf.__base__ or object).__doc__
    assert isinstance(leaf.status, int)
    assert 400 <= leaf.status < 600


@every_leaf
@settings(max_examples=15)
@given(data=st.data())
def test_the_message_of_a_leaf_ends_with_a_next_step(leaf: type[TurnstateError], data: st.DataObject) -> None:
    """Whatever it was told, the last sentence of a message has a verb that says what to do."""
    message = str(data.draw(_built(leaf)))
    last = re.split(r"(?<=[.!?]) ", message)[-1]
    assert message.endswith(".")
    assert NEXT_STEP & set(re.findall(r"\w+", last.lower())), f"no next step in: {last}"


@every_leaf
@settings(max_examples=15)
@given(data=st.data())
def test_a_leaf_carries_the_attributes_that_it_documents(
    leaf: type[TurnstateError], data: st.DataObject
) -> None:
    """Code that catches an error reads attributes, never the message."""
    error = data.draw(_built(leaf))
    _, _, section = inspect.cleandoc(leaf.__doc__ or "").partition("Attributes:\n")
    documented = re.findall(r"^ {4}(\w+):", section, flags=re.MULTILINE)
    assert [name for name in documented if not hasattr(error, name)] == []
    own = {name for name in vars(error) if not name.startswith("_")}
    assert own <= {*documented, *dir(leaf)}, "document every attribute"
