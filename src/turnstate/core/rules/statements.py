"""What a text states for a key, by the recognisers of its shape."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from turnstate.core.facts import Key, Shape, Span
from turnstate.core.rules.recognisers.addresses import addresses
from turnstate.core.rules.recognisers.choices import choices, yes_no
from turnstate.core.rules.recognisers.contacts import emails, phones, postcodes
from turnstate.core.rules.recognisers.figures import amounts, dates
from turnstate.core.rules.recognisers.free import generic
from turnstate.core.rules.recognisers.ids import ids
from turnstate.core.rules.recognisers.names import names
from turnstate.core.rules.speaker import states
from turnstate.core.rules.text import MOST, Find, Recogniser, Text, compiled


def _patterned(key: Key, text: Text) -> Iterator[Find]:
    """Whatever matches the pattern of the key's own."""
    for match in (
        compiled(rf"(?<!\w)(?:{key.pattern})(?!\w)", re.NOFLAG).finditer(text.words) if key.pattern else ()
    ):
        yield Find(match[0], Span(*match.span()), Span(*match.span()))


_RECOGNISERS: Final[Mapping[Shape, tuple[Recogniser, ...]]] = {
    Shape.ID: (ids,),
    Shape.EMAIL: (emails,),
    Shape.PHONE: (phones,),
    Shape.POSTCODE: (postcodes,),
    Shape.ADDRESS: (addresses, generic),
    Shape.NAME: (names,),
    Shape.DATE: (dates,),
    Shape.NUMBER: (amounts,),
    Shape.CHOICE: (choices,),
    Shape.YES_NO: (yes_no,),
    Shape.TEXT: (generic,),
}


def statements(key: Key, text: Text) -> list[Find]:
    """What the text states for a key, in order; of finds that overlap, the first recogniser's."""
    kept: list[Find] = []
    for recognise in (_patterned, *_RECOGNISERS[key.shape]):
        for found in recognise(key, text):
            if (
                len(kept) < MOST
                and states(found, text, key.shape)
                and not any(found.span.meets(other.span) for other in kept)
            ):
                kept.append(found)
    return sorted(kept, key=lambda found: found.span)
