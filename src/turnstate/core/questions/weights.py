"""Weights."""

BIAS = 0.0
WEIGHTS = (0.0,) * 25
SAME = 0.5
