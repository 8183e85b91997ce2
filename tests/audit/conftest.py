"""Makes the measurements under benchmarks importable: their figures are tested here, and they are not installed."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.append(str(ROOT))
