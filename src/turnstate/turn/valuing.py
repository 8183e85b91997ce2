"""Values in replies: compared with what is on record, and objected to where nothing holds them. No number is ever edited."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable

from turnstate.core.messages import result_text, user_text
from turnstate.core.values import ValueKind, invented
from turnstate.turn.guards import Mode, Objection, View

EXACT = frozenset(
    {ValueKind.ID, ValueKind.MONEY, ValueKind.PERCENT, ValueKind.EMAIL, ValueKind.URL, ValueKind.PHONE}
)
"""Kinds of values that are right or wrong, never about right."""


class ValuesGuard:
    """Objects to a value that stands neither in a tool's result, nor in what the application knows, nor in what was said.

    Args:
        sources: from what the guard may look at to texts that values may come from: facts, state, evidence.
        mode: what is done.
        kinds: the kinds of values that are looked at.
    """

    name = "values"

    def __init__(
        self,
        sources: Callable[[View], Iterable[str]] | None = None,
        *,
        mode: Mode = "observe",
        kinds: Collection[ValueKind] = EXACT,
    ) -> None:
        self._sources = sources
        self._mode: Mode = mode
        self._kinds = kinds

    def check(self, sentence: str, view: View) -> Objection | None:
        """The values of the sentence that nothing holds."""
        if self._mode == "off":
            return None
        given = list(self._sources(view)) if self._sources is not None else []
        held = "\n".join((*given, *_said(view)))
        new = [value.text for value in invented(sentence, held, at=view.turn.at) if value.kind in self._kinds]
        if not new:
            return None
        return Objection(
            self._mode,
            f"Nothing on record holds {', '.join(new)}. Say it without, or say that it has to be checked.",
        )


def _said(view: View) -> Iterable[str]:
    """What users, tools and earlier replies said; what this reply says proves nothing."""
    yield view.message
    for turn in (*view.history.before(view.turn.number), view.turn):
        yield user_text(turn.user)
        if turn.number != view.turn.number:
            yield turn.reply
        for step in turn.steps:
            yield from (result_text(call.result) for call in step.calls if call.result is not None)
