"""The weights of similarity, fitted by `python -m benchmarks.questions --fit` on questions of STAR and MultiWOZ."""

from __future__ import annotations

from typing import Final

BIAS: Final = -0.3709
WEIGHTS: Final = (
    2.1781,
    -1.0684,
    0.4754,
    1.2756,
    0.7399,
    -1.9414,
    -0.5599,
    0.1172,
    -1.7839,
    -0.6859,
    -0.4264,
    0.5093,
    -0.1199,
    -0.5131,
    -0.3666,
    -1.5556,
    1.7711,
    3.4232,
    -1.2570,
    1.7014,
    -0.5215,
    -0.3703,
    -0.1101,
    0.7915,
    0.0607,
    -1.4008,
    0.3404,
    0.6532,
)
SAME: Final = 0.902
"""From this likeness on two questions are taken for the same: one in fifty different pairs of the training questions is above it."""
