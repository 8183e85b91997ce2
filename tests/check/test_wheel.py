"""The wheel is what people get, so the wheel is what is tried: built, installed elsewhere, run from elsewhere."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import venv
import zipfile
from collections.abc import Sequence
from pathlib import Path

import pytest

pytestmark = [pytest.mark.check, pytest.mark.xdist_group("wheel")]

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "turnstate"

OF_THE_EXTRAS = (
    "fastapi",
    "matplotlib",
    "psycopg",
    "psycopg_pool",
    "pytest",
    "sse_starlette",
    "uvicorn",
    "xllamacpp",
)
"""Packages that a plain install does not bring: what needs one may refuse to be imported without it."""

OF_THE_CALLER = ("PYTHON", "VIRTUAL_ENV", "TURNSTATE_", "ANTHROPIC_", "OPENAI_")


def _run(command: Sequence[str | Path], cwd: Path) -> str:
    """What `command` prints, run with nothing of the project's own environment; fails with all that it said."""
    environ = {name: value for name, value in os.environ.items() if not name.startswith(OF_THE_CALLER)}
    done = subprocess.run(command, cwd=cwd, env=environ, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{' '.join(map(str, command))}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def _package_files() -> set[str]:
    """Every file that the package needs at run time, by its path in the wheel."""
    return {
        path.relative_to(SOURCE.parent).as_posix()
        for path in SOURCE.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the source distribution, and the wheel that was built from it."""
    folder = tmp_path_factory.mktemp("dist")
    _run([sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, ROOT], folder)
    return folder


@pytest.fixture(scope="module")
def wheel(dist: Path) -> Path:
    """The wheel."""
    (found,) = dist.glob("*.whl")
    return found


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of a fresh environment into which the wheel alone was installed, with what it depends on."""
    folder = tmp_path_factory.mktemp("elsewhere")
    venv.create(folder / "env", with_pip=True)
    programs = folder / "env" / ("Scripts" if os.name == "nt" else "bin")
    _run(
        [programs / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", wheel], folder
    )
    return programs


def test_the_wheel_holds_every_file_of_the_package(wheel: Path) -> None:
    """SQL, data of the apps and the typing marker travel with the code; nothing else does."""
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if not name.partition("/")[0].endswith(".dist-info")}
    assert "turnstate/py.typed" in names
    assert names == _package_files()


def test_the_wheel_carries_the_licence(wheel: Path) -> None:
    """The licence is in the distribution and named in its metadata."""
    with zipfile.ZipFile(wheel) as archive:
        (licence,) = [name for name in archive.namelist() if name.endswith("licenses/LICENSE")]
        (metadata,) = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
        assert "Apache License" in archive.read(licence).decode()
        assert "License-Expression: Apache-2.0" in archive.read(metadata).decode()


def test_the_source_distribution_holds_what_a_build_needs(dist: Path) -> None:
    """It has the sources and the pages that describe them, and no workshop."""
    (found,) = dist.glob("*.tar.gz")
    with tarfile.open(found) as archive:
        tops = {name.split("/", 2)[1] for name in archive.getnames() if "/" in name}
    assert {"src", "README.md", "LICENSE", "CHANGELOG.md", "pyproject.toml"} <= tops
    assert tops.isdisjoint({"tests", ".venv", ".ci"})


def test_the_installed_package_imports(installed: Path, tmp_path: Path) -> None:
    """`import turnstate` works from a folder that has nothing to do with the project, and finds its own files."""
    probe = "import turnstate, importlib.resources as r; print(r.files(turnstate))"
    where = Path(_run([installed / "python", "-I", "-c", probe], tmp_path).strip())
    assert where.is_relative_to(installed.parent)
    present = {path.relative_to(where.parent).as_posix() for path in where.rglob("*") if path.is_file()}
    assert _package_files() <= present


def test_every_installed_module_imports(installed: Path, tmp_path: Path) -> None:
    """No module needs a development dependency to be imported, but for what an extra or the tests' package names."""
    probe = (
        "import importlib, pkgutil, sys, turnstate\n"
        "for module in pkgutil.walk_packages(turnstate.__path__, 'turnstate.'):\n"
        "    try:\n"
        "        importlib.import_module(module.name)\n"
        "    except ModuleNotFoundError as error:\n"
        "        if error.name.partition('.')[0] not in sys.argv[1:]:\n"
        "            raise\n"
    )
    _run([installed / "python", "-I", "-c", probe, *OF_THE_EXTRAS], tmp_path)


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["demo"]], ids=" ".join)
def test_the_installed_program_runs(arguments: list[str], installed: Path, tmp_path: Path) -> None:
    """The program answers from a foreign folder, without a key and without the repository."""
    if not (SOURCE / "cli").exists():
        pytest.skip("not written yet: turnstate.cli")
    assert _run([installed / "turnstate", *arguments], tmp_path).strip()
