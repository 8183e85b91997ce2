"""What the sales assistant asks for, and the guards of its replies with their modes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, cast

from turnstate.apps.sales.policy import Policy
from turnstate.apps.sales.states import DIMENSIONS, Dimension, Heard, Research, Scores
from turnstate.core.questions import Answer, Asks, find_questions
from turnstate.turn.asking import AskedGuard
from turnstate.turn.guards import Guard, View
from turnstate.turn.valuing import ValuesGuard

_WORDS: Final[dict[Dimension, Asks]] = {
    "budget": Asks("budget", ("set aside", "willing to spend", "spend"), lasting=True),
    "authority": Asks("sign off", ("signs off", "decision maker", "who decides", "approve"), lasting=True),
    "need": Asks("cost you today", ("biggest problem", "pain"), lasting=True),
    "timeline": Asks("timeline", ("be live", "go live", "deadline", "how soon"), lasting=True),
    "fit": Asks("industry", ("kind of business", "line of business", "how many people"), lasting=True),
}


def asks_of(policy: Policy) -> dict[str, Asks]:
    """By the state's field, what a question for it is made of: common words, and the policy's own wordings."""
    return {
        f"Scores.{name}": replace(asks, words=(*asks.words, *_wordings(policy.questions[name])))
        for name, asks in _WORDS.items()
    }


def _wordings(questions: Sequence[str]) -> list[str]:
    return [question.text for wording in questions for question in find_questions(wording)]


def sales_guards(policy: Policy) -> tuple[Guard, ...]:
    """What looks at each sentence.

    A question for a field that is on record is written once more, as is a sentence with a price or another exact
    value that nothing holds; where only the words of a question are alike it is noted, and sent.
    """
    return (
        AskedGuard(asks_of(policy), known=_on_record, on_key="regenerate", on_paraphrase="observe"),
        ValuesGuard(_evidence, mode="regenerate"),
    )


def _on_record(view: View) -> list[Answer]:
    scores, heard = cast("Scores", view.state(Scores)), cast("Heard", view.state(Heard))
    found = [
        Answer(f"Scores.{name}", score.turn, score.quote or score.said)
        for name in DIMENSIONS
        if (score := getattr(scores, name)).turn
    ]
    new = (mention for mention in heard.mentions if mention.kind in DIMENSIONS)
    return [*found, *(Answer(f"Scores.{mention.kind}", view.turn.number, mention.quote) for mention in new)]


def _evidence(view: View) -> list[str]:
    return [source.text for source in cast("Research", view.state(Research)).evidence]
