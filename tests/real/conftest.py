"""The real model that these tests run: fetched by `make real-model`."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.append(str(ROOT))  # the measurement under benchmarks is tested too, and is not installed

MODEL = ROOT / ".cache" / "real-model" / "SmolLM2-135M-Instruct.Q4_1.gguf"


@pytest.fixture(scope="session")
def real_model() -> Path:
    """The GGUF file; where continuous integration runs it has to be there, elsewhere its tests are skipped."""
    pytest.importorskip("xllamacpp", reason="the extra `local` is not installed: run `make real`")
    if not MODEL.is_file():
        if os.environ.get("CI"):
            pytest.fail(f"{MODEL} is not there: run `make real-model`")
        pytest.skip(f"{MODEL} is not there: run `make real-model`")
    return MODEL
