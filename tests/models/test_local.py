"""Models in a file on this machine: ids that say what is wrong with them before anything is loaded."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest
from pydantic_ai.models import Model

from turnstate.core.context.families import Family
from turnstate.errors import ModelNameError
from turnstate.models.family import wire_of
from turnstate.models.local import WINDOW, LocalModel, local_model
from turnstate.models.resolve import PerLoop, model_name, resolve


def _found(name: str) -> object:
    return object()


def _not_found(name: str) -> None:
    return None


@pytest.fixture
def gguf(tmp_path: Path) -> Path:
    """A file that begins as a GGUF does, and holds nothing."""
    path = tmp_path / "small model.gguf"
    path.write_bytes(b"GGUF" + bytes(20))
    return path


@pytest.fixture(autouse=True)
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The extra counts as installed, whether it is or not: nothing is loaded here."""
    monkeypatch.setattr(importlib.util, "find_spec", _found)


def test_an_id_names_a_file_and_a_window(gguf: Path) -> None:
    """The window is told in tokens, to us and to pydantic-ai; without one it is the documented default."""
    model = resolve(f"local:{gguf}?window=2048")
    assert isinstance(model, LocalModel)
    assert (model.window, model.context_window) == (2_048, 2_048)
    assert model.model_name == "small model"
    assert local_model(f"local:{gguf}").window == WINDOW


def test_the_log_records_the_id_as_given(gguf: Path) -> None:
    """Also with its window."""
    named = f"local:{gguf}?window=2048"
    assert PerLoop(named).name == model_name(named) == named


def test_a_path_from_home_or_here_is_found(gguf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`~` and relative paths."""
    monkeypatch.setenv("HOME", str(gguf.parent))
    monkeypatch.chdir(gguf.parent)
    for path in (f"~/{gguf.name}", gguf.name, f"./{gguf.name}"):
        assert isinstance(resolve(f"local:{path}"), Model)


def test_it_keeps_to_anthropics_rules(gguf: Path) -> None:
    """Requests are healed and laid out as for any other Anthropic endpoint."""
    assert wire_of(resolve(f"local:{gguf}")).family is Family.ANTHROPIC


@pytest.mark.parametrize(
    ("asked", "problem"),
    [
        ("?window=", "window is not a whole number"),
        ("?window=0", "window is not a whole number"),
        ("?window=-1", "window is not a whole number"),
        ("?window=2k", "window is not a whole number"),
        ("?window=٢٠٤٨", "window is not a whole number"),
        ("?window=99999999999999999999", "window is not a whole number"),
        ("?window=1048577", "window is not a whole number"),
        ("?", "only window=TOKENS"),
        ("?size=2048", "only window=TOKENS"),
        ("?window=2048&size=1", "window is not a whole number"),
    ],
)
def test_a_window_that_is_none_is_refused(gguf: Path, asked: str, problem: str) -> None:
    """At once, with the id and an example."""
    with pytest.raises(ModelNameError, match=problem) as raised:
        resolve(f"local:{gguf}{asked}")
    assert asked in str(raised.value)


def test_a_file_that_cannot_be_a_model_is_refused(tmp_path: Path) -> None:
    """None given, missing, a folder, another format, empty: before anything is loaded."""
    other, empty = tmp_path / "notes.txt", tmp_path / "empty.gguf"
    other.write_text("hello")
    empty.touch()
    for path, problem in (
        ("", "names no file"),
        (tmp_path / "missing.gguf", "no such file"),
        (tmp_path, "no such file"),
        ("~nobody-of-this-name/small.gguf", "no such file"),
        (other, "not a GGUF"),
        (empty, "not a GGUF"),
    ):
        with pytest.raises(ModelNameError, match=problem):
            resolve(f"local:{path}")


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may read every file")
def test_a_file_that_may_not_be_read_is_refused(gguf: Path) -> None:
    """As an error of ours."""
    gguf.chmod(0)
    with pytest.raises(ModelNameError, match="cannot be read"):
        resolve(f"local:{gguf}")


def test_without_the_extra_the_error_says_what_to_install(
    gguf: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Said while wiring, not at the first request."""
    monkeypatch.setattr(importlib.util, "find_spec", _not_found)
    with pytest.raises(ModelNameError, match=r"pip install 'turnstate\[local\]'"):
        resolve(f"local:{gguf}")


def test_other_models_do_not_load_it() -> None:
    """Neither llama.cpp nor this module is imported for a model by another name."""
    code = (
        "import sys; from turnstate.models.resolve import resolve; resolve('offline'); "
        "assert not {'xllamacpp', 'turnstate.models.local'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
