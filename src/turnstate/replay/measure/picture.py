"""The picture of a measurement: what each way has cost after each turn, in tokens and with a warm cache."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from turnstate.errors import WiringError
from turnstate.replay.measure.run import Measurement
from turnstate.replay.measure.verdict import Measure, amount

COLOURS = {
    "append": "#6b7280",
    "append+extract": "#d97706",
    "hybrid": "#7c3aed",
    "state": "#0f766e",
    "state+extract": "#0369a1",
}
"""Distinguishable in print and with the common colour blindnesses."""


def draw(measured: Measurement, path: str | Path) -> None:
    """Draw the longest conversation, one line for each way, into a PNG, SVG or PDF file.

    Args:
        measured: what was measured.
        path: the file; its ending says the format.

    Raises:
        WiringError: matplotlib is not installed.
        ValueError: matplotlib does not know the format.
        OSError: the file cannot be written.
    """
    figure = _figure()
    left, right = figure.subplots(1, 2)
    _panel(left, measured, "tokens", "tokens so far")
    _panel(right, measured, "cost_usd_cached", "dollars so far, warm cache")
    figure.legend(*left.get_legend_handles_labels(), loc="outside lower center", ncols=5, frameon=False)
    figure.savefig(path, dpi=150)


def _figure() -> Any:
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg  # noqa: PLC0415  # the extra `plot`
        from matplotlib.figure import Figure  # noqa: PLC0415  # the extra `plot`
    except ImportError:
        raise WiringError(
            "Drawing needs matplotlib, which is not installed. Run: pip install 'turnstate[plot]'"
        ) from None
    figure = Figure(figsize=(11, 5), layout="constrained")
    FigureCanvasAgg(figure)
    return figure


def _panel(axes: Any, measured: Measurement, measure: Measure, title: str) -> None:
    for name, way in measured.longest.ways.items():
        amounts = [float(amount(spent, measure)) for spent in way.cumulative()]
        axes.plot(range(1, len(amounts) + 1), amounts, label=name, color=COLOURS[name])
    axes.set_title(title, loc="left")
    axes.set_xlabel("turn")
    axes.set_ylim(bottom=0)
    if measure == "tokens":
        axes.yaxis.set_major_formatter("{x:,.0f}")
    axes.grid(axis="y", color="#e5e7eb", linewidth=0.8)
    axes.set_axisbelow(True)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
