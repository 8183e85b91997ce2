"""What a message corrects."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from turnstate.core.facts import Key, Shape, Span
from turnstate.core.rules.answers import TELLING_KINDS, codes
from turnstate.core.rules.text import Find, Text

_CORRECTS: Final = re.compile(
    r"(?:\b(?:no|nope|sorry|actually|oops|wait|correction|apologies|my mistake|my bad)\b[\s,.!:;–—-]*(?:\b(?:i meant?|that was wrong|sorry|it was)\b[\s,.!]*)?"
    r"(?:\b(?:it['’]?s|it is|that['’]?s|it should be|should be|make (?:that|it)|i meant?|the (?:correct|right) (?:one|number|id) is|"
    r"(?:my|the) (?:\w+\s+){1,3}is)\b[\s:]*)+"
    r"|\b(?:i meant?|make that|(?:it )?should (?:be|say|read)|correct(?:ed)? (?:to|is)|but(?: rather| it['’]?s)?|it['’]?s actually)\b[\s,:]*|^\s*\*)"
    r"(?:(?:order|number|id|booking|invoice|#)\s*)*#?",
    re.IGNORECASE,
)
_REFUSES: Final = re.compile(
    r"\b(?:not|isn['’]t|wasn['’]t|wrong|no|nope|sorry|actually|oops|wait|correction|apologies|mistake|bad|meant?|should)\b|^\s*\*",
    re.IGNORECASE,
)


def corrections(key: Key, text: Text) -> Iterator[Find]:
    """The value after "no, it's", "sorry, I meant", "not X but"; of the shapes that show what they are."""
    kinds = TELLING_KINDS.get(key.shape, set())
    if key.shape is Shape.ID:
        spans = list(codes(text))
    else:
        spans = [Span(value.start, value.end) for value in text.values if value.kind in kinds]
    for cue in _CORRECTS.finditer(text.words) if spans else ():
        for span in spans:
            if span.start == cue.end() and _REFUSES.search(text.words[: cue.end()]):
                start = cue.start() + len(cue[0]) - len(cue[0].lstrip())
                yield Find(text.words[slice(*span)], span, Span(start, span.end))
