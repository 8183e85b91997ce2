"""What is between a model's sentences and those who read them: guards, and the one rewriting that they may ask for."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace

from turnstate.core.events import GuardActed
from turnstate.turn.guards import Guard, Objection, View
from turnstate.turn.speak import redacted

Rewrite = Callable[[str, str], Awaitable[str]]
"""From a sentence and what is wrong with it to another sentence; "" where none came."""


class Screen:
    """Lets the sentences of one response through, in order.

    The first one that a guard stops holds back itself and those behind it until the response has ended: what was
    released is never changed, so nothing may overtake it.

    Args:
        guards: in the order in which they are asked; the first one that would stop a sentence decides.
        view: what they may look at.
        release: receives what is let through, or None.
    """

    def __init__(
        self, guards: Sequence[Guard], view: View, release: Callable[[str], None] | None = None
    ) -> None:
        self._guards = guards
        self._view = view
        self._release = release
        self._held: list[str] = []
        self.acts: list[GuardActed] = []

    @property
    def idle(self) -> bool:
        """Whether nothing looks at the sentences and nobody reads them."""
        return not self._guards and self._release is None

    def feed(self, sentence: str) -> None:
        """Take the next sentence of the response."""
        if self._held:
            self._held.append(sentence)
            return
        found = self._check(sentence)
        if found is not None and found[1].mode != "observe":
            self._held.append(sentence)
            return
        self._pass(sentence, sentence, found)

    async def settle(self, rewrite: Rewrite) -> None:
        """Decide about what was held back, once the response has ended."""
        held, self._held = self._held, []
        for sentence in held:
            found = self._check(sentence)
            if found is None or found[1].mode == "observe":
                self._pass(sentence, sentence, found)
            elif found[1].mode == "block":
                self._pass(sentence, _in_place(sentence, found[1].instead), found)
            else:
                self._pass(sentence, await self._written_again(sentence, found[1], rewrite), found)

    async def _written_again(self, sentence: str, objection: Objection, rewrite: Rewrite) -> str:
        try:
            written = (await rewrite(sentence.strip(), objection.reason)).strip()
        except Exception:  # noqa: BLE001 - a sentence that cannot be written again is sent, and flagged
            return sentence
        return _in_place(sentence, written) if written else sentence

    def _check(self, sentence: str) -> tuple[Guard, Objection] | None:
        """The objection that decides: one that stops the sentence before one that only notes it."""
        noted: tuple[Guard, Objection] | None = None
        for guard in self._guards if sentence.strip() else ():
            try:
                objection = guard.check(sentence.strip(), self._view)
            except Exception as error:  # noqa: BLE001 - a guard that cannot decide lets through, and it is recorded
                objection = Objection("observe", redacted(f"{type(error).__name__}: {error}"))
            if objection is None or objection.mode == "off":
                continue
            if objection.mode != "observe":
                return guard, objection
            noted = noted or (guard, objection)
        return noted

    def _pass(self, sentence: str, written: str, found: tuple[Guard, Objection] | None) -> None:
        if found is not None:
            self.acts.append(_act(sentence, written, *found))
        if not written.strip():
            return
        if self._guards:
            self._view = replace(self._view, said=self._view.said + written)
        if self._release is not None:
            self._release(written)


def _act(sentence: str, written: str, guard: Guard, objection: Objection) -> GuardActed:
    mode = objection.mode if objection.mode != "off" else "observe"
    action = "flagged" if written == sentence else "blocked" if mode == "block" else "rewritten"
    return GuardActed(guard.name, mode, action, sentence, written, objection.reason)


def _in_place(sentence: str, written: str) -> str:
    """`written` with the white space that stood around `sentence`."""
    lead = sentence[: len(sentence) - len(sentence.lstrip())]
    tail = sentence[len(sentence.rstrip()) :]
    return f"{lead}{written}{tail}" if written else ""
