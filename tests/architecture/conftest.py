"""The source tree as the architecture tests read it: every module parsed once."""

from __future__ import annotations

import ast
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def _parsed(folder: Path) -> dict[str, ast.Module]:
    return {
        path.relative_to(folder).as_posix(): ast.parse(path.read_text(encoding="utf-8"), filename=str(path))
        for path in sorted(folder.rglob("*.py"))
    }


@pytest.fixture(scope="session")
def root() -> Path:
    """The folder of the project."""
    return ROOT


@pytest.fixture(scope="session")
def source() -> dict[str, ast.Module]:
    """Every module of the package by its path under src/turnstate, as in "core/events.py"."""
    return _parsed(ROOT / "src" / "turnstate")


@pytest.fixture(scope="session")
def suite() -> dict[str, ast.Module]:
    """Every file of the suite by its path under tests, but for the wrong code that pyright must reject."""
    trees = _parsed(ROOT / "tests")
    return {path: tree for path, tree in trees.items() if not path.startswith("typing/rejected/")}


@pytest.fixture(scope="session")
def project_files() -> list[Path]:
    """Every file that is, or would be, under version control; skips outside a clone."""
    listing = subprocess.run(
        ["git", "-C", str(ROOT), "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        capture_output=True,
        text=True,
        check=False,
    )
    if listing.returncode != 0:
        pytest.skip("this is not a clone: git does not list the files")
    files = [ROOT / name for name in listing.stdout.split("\0") if name]
    return [path for path in files if path.is_file()]
