"""Finds where an agent falls back into a phase that was over: it greets again, or asks to confirm what was confirmed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from turnstate.audit.findings import Finding, Place
from turnstate.core.history import Turn
from turnstate.core.messages import response_text, user_text
from turnstate.readers.transcript import Transcript

RESTARTED: Final = 0.8
"""How sure it is that an agent that greets again has lost the conversation."""
BREAK: Final = 30 * 60 * 1_000_000
"""Microseconds after which a conversation may begin with a greeting again."""

_GREETS: Final = re.compile(
    r"\W*(?:hi|hello|hey|greetings|good (?:morning|afternoon|evening)|welcome(?! back)(?! to (?:ask|contact|call|try))|thank(?:s| you) for (?:contacting|calling|reaching out))\b",
    re.IGNORECASE,
)
_OPENS: Final = re.compile(
    r"\b(?:how|what) (?:can|may|could) (?:i|we) (?:help|assist|do for) (?:you)?\b(?! (?:else|further))|\bwhat brings you\b|\bi(?:['’]m| am) (?:your|the|an?) (?:\w+ ){0,3}(?:assistant|agent|representative|bot)\b",
    re.IGNORECASE,
)
_CLOSES: Final = re.compile(
    r"\b(?:bye|goodbye|that(?:['’]s| is| will be) all|nothing else|start over|new (?:chat|conversation))\b",
    re.IGNORECASE,
)
_SETTLED: Final = 2
"""Turns after which the opening of a conversation is over."""


def check_phases(transcript: Transcript) -> Sequence[Finding]:
    """Turns in which the agent opens the conversation a second time, although the user goes on with it."""
    return list(_restarts(transcript))


def _restarts(transcript: Transcript) -> Iterator[Finding]:
    before: Turn | None = None
    for turn in transcript.turns:
        fresh = before is None or turn.number <= _SETTLED or turn.at - before.at >= BREAK
        said = user_text(turn.user)
        if not fresh and before and said.strip() and not _GREETS.match(said) and not _CLOSES.search(said):
            for number, step in enumerate(turn.steps, start=1):
                text = response_text(step.response)
                if _GREETS.match(text) and _OPENS.search(text):
                    yield Finding(
                        "phase_regressed",
                        Place(turn.number, "user", said.strip()[:300].rstrip()),
                        Place(turn.number, "assistant", text.strip()[:300].rstrip(), number),
                        "The agent opens the conversation again while the user is in the middle of it.",
                        RESTARTED,
                    )
        before = turn
