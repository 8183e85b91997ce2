"""Finds where an agent lost a value: contradicted what the user gave, or left it out of a call that takes it.

A value counts as contradicted where the agent says one of the same sort that nobody had said (or not since), in place of the
user's: of the same argument, the same end of a trip, the same things, the same small word before it. What the agent offers of
its own, what follows from the user's values and what was finished before count for less.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from turnstate.audit.findings import Finding
from turnstate.audit.values.changed import check_call, check_text
from turnstate.audit.values.heard import Ears
from turnstate.audit.values.left_out import Hindsight, check_left_out
from turnstate.audit.values.signatures import Signatures
from turnstate.audit.values.story import Said, told
from turnstate.readers.transcript import Transcript

__all__ = ["LEAST", "Signatures", "check_values", "suspected"]

LEAST: Final = 0.6
"""How sure a finding has to be."""


def check_values(transcript: Transcript, known: Signatures | None = None) -> Sequence[Finding]:
    """Values of the user's that the agent contradicts or leaves out of a call, in the order of the transcript.

    Args:
        transcript: the conversation.
        known: what its tools take, as other transcripts show; what this one declares and shows is known without.
    """
    return [found for found in suspected(transcript, known) if found.sure >= LEAST]


def suspected(transcript: Transcript, known: Signatures | None = None) -> Iterator[Finding]:
    """All that may be findings, sure or not, in the order of the transcript."""
    known = (known or Signatures()).with_declared(transcript.tools)
    story = told(transcript, known.names(transcript))
    ears, hindsight = Ears(), Hindsight(story)
    reply: Said | None = None
    made: list[Said] = []
    for said in story:
        if said.speaker == "user":
            made = []
        elif said.speaker == "assistant":
            yield from check_text(said, ears)
            reply = said
        elif said.speaker == "call":
            yield from check_call(said, ears, made)
            yield from check_left_out(said, ears, hindsight, known, reply)
            made.append(said)
        ears.hear(said)
