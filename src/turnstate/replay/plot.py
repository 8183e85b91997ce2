"""The picture of a replay: tokens per request over one conversation, for each strategy, against the target."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from turnstate.errors import WiringError
from turnstate.replay.report import Report

COLOURS = {"append": "#6b7280", "truncate": "#d97706", "summarize": "#7c3aed", "hybrid": "#0f766e"}
"""Distinguishable in print and with the common colour blindnesses; other strategies take what matplotlib gives."""

_INK = "#1f2937"
_LIMIT = "#b91c1c"


def draw(report: Report, path: str | Path) -> None:
    """Draw the longest conversation of `report`, one line for each strategy, into a PNG, SVG or PDF file.

    Args:
        report: a replay of at least one conversation.
        path: the file; its ending says the format.

    Raises:
        WiringError: matplotlib is not installed, or nothing was replayed.
        ValueError: matplotlib does not know the format.
        OSError: the file cannot be written.
    """
    if not report.longest.tokens:
        raise WiringError("There is no conversation to draw. Give a transcript with at least one response.")
    figure = _figure()
    axes = figure.add_subplot()
    for name, tokens in report.longest.tokens.items():
        _line(axes, report, name, tokens)
    requests = max(map(len, report.longest.tokens.values()))
    axes.axhline(report.target, color=_LIMIT, linewidth=1.2, linestyle=(0, (5, 3)), zorder=4)
    axes.annotate(
        f"target {report.target:,}",
        (requests, report.target),
        xytext=(-2, 4),
        textcoords="offset points",
        ha="right",
        color=_LIMIT,
    )
    _dress(axes, report, requests)
    figure.savefig(path, dpi=150)


def _figure() -> Any:
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg  # noqa: PLC0415  # the extra `plot`
        from matplotlib.figure import Figure  # noqa: PLC0415  # the extra `plot`
    except ImportError:
        raise WiringError(
            "Drawing needs matplotlib, which is not installed. Run: pip install 'turnstate[plot]'"
        ) from None
    figure = Figure(figsize=(9, 5), layout="constrained")
    FigureCanvasAgg(figure)
    return figure


def _line(axes: Any, report: Report, name: str, tokens: tuple[int, ...]) -> None:
    tally = report.longest.tallies[name]
    axes.plot(
        range(1, len(tokens) + 1),
        tokens,
        label=_plain(f"{name} ({_dollars(float(tally.cost_usd_cached))})"),
        color=COLOURS.get(name),
        # The default strategy is a band on which the others stay visible where they run together.
        linewidth=3.4 if name == "hybrid" else 1.4,
        zorder=2 if name == "hybrid" else 3,
    )


def _dress(axes: Any, report: Report, requests: int) -> None:
    axes.set_title(
        _plain(f"Tokens per request: {_shortened(report.longest.conversation)}, {requests:,} requests"),
        loc="left",
        color=_INK,
        fontsize=12,
        fontweight="bold",
    )
    axes.set_xlabel("request", color=_INK)
    axes.set_ylabel("estimated input tokens", color=_INK)
    axes.set_xlim(1, max(2, requests))
    axes.set_ylim(bottom=0)
    axes.yaxis.set_major_formatter("{x:,.0f}")
    axes.grid(axis="y", color="#e5e7eb", linewidth=0.8)
    axes.set_axisbelow(True)
    axes.tick_params(colors=_INK)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    axes.figure.legend(
        loc="outside lower center",
        ncols=4,
        frameon=False,
        title="strategy (bill of this conversation, with prompt cache)",
        title_fontsize="small",
    )


def _plain(text: str) -> str:
    """`text` without formulas: two dollar signs would begin and end one."""
    return text.replace("$", r"\$")


def _dollars(amount: float) -> str:
    return f"${amount:,.2f}" if amount >= 0.1 else f"${amount:.4f}"


def _shortened(name: str) -> str:
    words = " ".join(name.split())
    return words if len(words) <= 48 else f"{words[:47]}…"
