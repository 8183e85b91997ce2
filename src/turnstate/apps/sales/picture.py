"""The states of a sales conversation side by side, as its rules look at them."""

from __future__ import annotations

from dataclasses import dataclass, field

from turnstate.apps.sales.policy import Policy
from turnstate.apps.sales.states import (
    Heard,
    Memory,
    Offered,
    Progress,
    Qualification,
    Questions,
    Research,
    Routing,
    Scores,
)


@dataclass(frozen=True, slots=True)
class Picture:
    """What is known in a turn; what an agent does not read has its defaults.

    Attributes:
        policy: what the business says.
        memory: the contextual memory.
        scores: the scores.
        heard: what the newest message says.
        research: what the knowledge base holds on it.
        progress: where the conversation stands.
        found: whether the buyer is one for us.
        offered: what the buyer has been shown.
        routing: what the orchestrator proposes.
        questions: what the buyer was asked for.
    """

    policy: Policy
    memory: Memory = field(default_factory=Memory)
    scores: Scores = field(default_factory=Scores)
    heard: Heard = field(default_factory=Heard)
    research: Research = field(default_factory=Research)
    progress: Progress = field(default_factory=Progress)
    found: Qualification = field(default_factory=Qualification)
    offered: Offered = field(default_factory=Offered)
    routing: Routing = field(default_factory=Routing)
    questions: Questions = field(default_factory=Questions)

    def mentioned(self, kind: str) -> tuple[str, ...]:
        """What the newest message says of this kind."""
        return tuple(mention.said for mention in self.heard.mentions if mention.kind == kind)

    @property
    def qualified(self) -> bool:
        """Whether the buyer is qualified."""
        return self.found.is_qualified == "QUALIFIED"

    @property
    def missing(self) -> tuple[str, ...]:
        """The dimensions nobody has said anything about, in the order of asking; what was just said counts as said."""
        return tuple(
            name
            for name in self.policy.questions
            if getattr(self.scores, name).turn == 0 and not self.mentioned(name)
        )

    @property
    def question(self) -> str:
        """What is to be asked next, or "".

        What was asked and not answered is asked again only when the conversation has to return to its goal, and then
        in other words.
        """
        asked = {each.id: each for each in self.questions.asked}
        new = [name for name in self.missing if name not in asked]
        if new:
            return self.policy.questions[new[0]][0]
        if not self.lost or not self.missing:
            return ""
        again = min(self.missing, key=lambda name: (asked[name].times, asked[name].turn))
        wordings = self.policy.questions[again]
        return wordings[asked[again].times] if asked[again].times < len(wordings) else ""

    @property
    def lost(self) -> bool:
        """Whether the conversation has lost its goal: turn after turn brought nothing, and something is still missing."""
        return self.progress.idle >= self.policy.idle and not self.qualified and bool(self.missing)
