"""What older releases wrote decodes under the lowest pydantic-ai that the package supports, as it does under the newest."""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import tomllib
import venv
from pathlib import Path

import pytest

pytestmark = [pytest.mark.check, pytest.mark.timeout(900)]

ROOT = Path(__file__).parents[2]
CACHE = ROOT / ".cache" / "lowest"
"""The environment, made anew when the package's requirements change."""

TESTED = (
    "tests/golden",
    "tests/stores/test_codec.py",
    "tests/stores/test_shapes.py",
    "tests/core/test_messages.py",
)
TOOLS = ("hypothesis", "pytest", "pytest-timeout", "pytest-xdist")


def lowest() -> str:
    """The lowest release that pyproject.toml allows."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    (wanted,) = [each for each in project["dependencies"] if each.startswith("pydantic-ai-slim")]
    found = re.search(r">=([\d.]+)", wanted)
    assert found is not None, wanted
    return found[1]


@pytest.fixture(scope="module")
def python() -> Path:
    """The interpreter of an environment with that release."""
    text = (ROOT / "pyproject.toml").read_bytes()
    stamp = CACHE / f"installed-{hashlib.sha256(text).hexdigest()[:16]}"
    python = CACHE / "env" / ("Scripts" if os.name == "nt" else "bin") / "python"
    if not stamp.exists():
        venv.create(CACHE / "env", with_pip=True, clear=True)
        install = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        packages = [f"pydantic-ai-slim=={lowest()}.*", *TOOLS]
        subprocess.run([*install, "--editable", f"{ROOT}[postgres]", *packages], check=True)
        stamp.touch()
    return python


def test_what_was_written_decodes_under_the_lowest_pydantic_ai(python: Path) -> None:
    """The golden files, and the codec's properties."""
    shown = "from importlib.metadata import version; print(version('pydantic-ai-slim'))"
    found = subprocess.run([python, "-c", shown], capture_output=True, text=True, check=True).stdout.strip()
    assert f"{found}.".startswith(f"{lowest()}.")
    command = [python, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", "-m", "not newest", *TESTED]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert " passed" in done.stdout
