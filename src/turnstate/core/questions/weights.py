"""The weights of similarity, fitted by `python -m benchmarks.questions --fit` on questions of STAR and MultiWOZ."""

from __future__ import annotations

from typing import Final

BIAS: Final = -0.3997
WEIGHTS: Final = (
    2.2536,
    -1.0421,
    0.4550,
    1.2339,
    0.7486,
    -1.9541,
    -0.5633,
    0.0981,
    -1.8232,
    -0.6978,
    -0.4339,
    0.5069,
    -0.0965,
    -0.4976,
    -0.3582,
    -1.4847,
    1.7030,
    3.4163,
    -1.2599,
    1.6056,
    -0.4861,
    -0.3441,
    -0.0686,
    0.9676,
    0.0314,
    -1.3853,
    0.2993,
    0.7220,
)
SAME: Final = 0.907
"""From this likeness on two questions are taken for the same: one in fifty different pairs of the training questions is above it."""
