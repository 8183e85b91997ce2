"""The questions after the last turn: each is planned as the newest message, and looked at for its answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from turnstate.core.context.counting import estimate_text
from turnstate.core.context.types import Answer, Need, NeedRecall, NeedSummaries, Plan
from turnstate.core.events import Span, SummaryWritten, TurnOpened
from turnstate.core.fidelity import ledger
from turnstate.core.history import History
from turnstate.core.messages import UserPromptPart, user_message
from turnstate.errors import ContextTooLarge
from turnstate.replay.probes import Probe, Shown
from turnstate.replay.recall import Recollection
from turnstate.replay.report import Missed, Replayed, Tally
from turnstate.replay.scene import Scene, planned
from turnstate.replay.words import words


@dataclass(frozen=True, slots=True)
class Ending:
    """A conversation after its last turn.

    Attributes:
        scene: what stayed the same.
        history: all that happened.
        recollection: what can be found again.
    """

    scene: Scene
    history: History
    recollection: Recollection


async def ask(probes: Sequence[Probe], ending: Ending) -> Replayed:
    """Ask each of `probes` as the newest message after the last turn; none of them is part of the history.

    An answer is in view if it stands in the planned messages other than the question.

    Returns:
        The tally of the probes alone, and those whose answers were missing.
    """
    asking = _Asking(ending)
    tally = Tally()
    missed: list[Missed] = []
    for probe in probes:
        found = await asking.ask(probe)
        tally += found
        if not found.answers_in_view:
            missed.append(Missed(probe, ending.scene.name))
    return Replayed(tally, missed=tuple(missed))


class _Asking:
    """Probes of one conversation: what one of them has summarised serves the others too."""

    def __init__(self, ending: Ending) -> None:
        self._ending = ending
        self._written: dict[Span, SummaryWritten] = {}

    async def ask(self, probe: Probe) -> Tally:
        history = self._ending.history
        number, at = history.last_turn + 1, max((turn.at for turn in history.turns), default=0)
        opened = TurnOpened(None, "", user_message(probe.question, at))
        asked = self._ending.scene.recorded(history, number, at, [opened])
        turn = asked.turn(number)
        assert turn is not None
        try:
            plan = await planned(self._ending.scene.inputs(asked, turn), self._answer)
        except ContextTooLarge as error:
            return Tally(probes=1, probe_input_tokens=sum(error.sizes.values()))
        shown = Shown(_without_question(plan))
        return Tally(
            probes=1,
            answers_in_view=int(any(map(shown.holds, probe.answers))),
            probe_input_tokens=plan.count.best,
            probes_with_recall=int(bool(plan.recalled)),
        )

    async def _answer(self, need: Need) -> Answer:
        match need:
            case NeedSummaries():
                for excerpt in need.excerpts:
                    if excerpt.covers not in self._written:
                        draft = await self._ending.scene.setting.summarize(excerpt)
                        self._written[excerpt.covers] = SummaryWritten(
                            excerpt.covers,
                            draft.text,
                            draft.by,
                            estimate_text(draft.text),
                            kept=ledger(excerpt),
                        )
                return tuple(self._written[excerpt.covers] for excerpt in need.excerpts)
            case NeedRecall():
                return self._ending.recollection.quotes(need)
            case _:
                return None


def _without_question(plan: Plan) -> list[str]:
    """The texts of a request, but for the question that it ends with."""
    texts = [(part, words(part)) for message in plan.messages for part in message.parts]
    last = max((i for i, (part, _) in enumerate(texts) if isinstance(part, UserPromptPart)), default=-1)
    return [text for index, (_, text) in enumerate(texts) if index != last]
