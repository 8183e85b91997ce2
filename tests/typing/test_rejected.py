"""Wrong code is refused by the type checker, on the line and for the reason that its comment gives.

What must be accepted stands in the files of tests/typing/accepted, which `make check` reads with everything else.
"""

from __future__ import annotations

import ast
import importlib.util
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest

pytestmark = [pytest.mark.check, pytest.mark.xdist_group("pyright")]

REJECTED = Path(__file__).with_name("rejected")
FILES = sorted(path.name for path in REJECTED.glob("*.py"))


class Refusal(NamedTuple):
    """A rule that pyright reports on a line, counted from 1."""

    line: int
    rule: str


def _expected(path: Path) -> set[Refusal]:
    """The refusals that the `# reject: rule, rule` comments of a file ask for."""
    return {
        Refusal(number, rule)
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if (match := re.search(r"# reject: ([\w, ]+)$", line))
        for rule in match[1].split(", ")
    }


def _unwritten(path: Path) -> list[str]:
    """Modules of ours that the file imports and that do not exist."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    modules = [node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module]
    return [name for name in modules if name.startswith("turnstate") and not _exists(name)]


def _exists(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:
        return False


@pytest.fixture(scope="module")
def reported(tmp_path_factory: pytest.TempPathFactory) -> dict[str, set[Refusal]]:
    """What pyright, strict, reports on every file of the folder; one run for all of them."""
    folder = tmp_path_factory.mktemp("rejected")
    for name in FILES:
        shutil.copy(REJECTED / name, folder / name)
    config = {"typeCheckingMode": "strict", "include": FILES}
    (folder / "pyrightconfig.json").write_text(json.dumps(config), encoding="utf-8")
    pyright = [sys.executable, "-m", "pyright", "--project", str(folder), "--pythonpath", sys.executable]
    done = subprocess.run([*pyright, "--outputjson"], capture_output=True, text=True, check=False)
    found: dict[str, set[Refusal]] = {name: set() for name in FILES}
    output: dict[str, Any] = json.loads(done.stdout)
    for item in output["generalDiagnostics"]:
        line: int = item["range"]["start"]["line"] + 1
        found[Path(item["file"]).name].add(Refusal(line, item.get("rule", "syntax")))
    return found


@pytest.mark.parametrize("name", FILES)
def test_wrong_code_is_refused_exactly_where_it_says(name: str, reported: dict[str, set[Refusal]]) -> None:
    """Every marked line is refused for its reason, and no other line is."""
    path = REJECTED / name
    if unwritten := _unwritten(path):
        pytest.skip(f"not written yet: {', '.join(unwritten)}")
    assert _expected(path), "mark the wrong lines"
    assert reported[name] == _expected(path)
