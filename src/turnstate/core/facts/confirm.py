"""The fact that a yes makes of the value in a question."""

from __future__ import annotations

import re
from typing import Final

from turnstate.core.facts.affirm import affirms
from turnstate.core.facts.fact import Candidate, Source, meaning
from turnstate.core.facts.heard import Admitted, Heard, Place
from turnstate.core.facts.keys import Key, Scalar
from turnstate.core.facts.locate import locate
from turnstate.core.facts.text import Span, sentences

_GENERIC_CHECK: Final = re.compile(
    r"(?:(?:is|are|was|does|do|can|could|would|please|all|that|this|it|these|those|everything|you|sound|look|the|and)\s+)*"
    r"(?:(?:correct|right|ok|okay|good|fine|accurate|true|confirm|yes|no)(?:\s+(?:that|this|it|for me|please|or not))*)"
    r"|(?:ist|stimmt|war) (?:das|dies|es)(?: so)?(?: richtig| korrekt)?|richtig|korrekt|correcto|¿?(?:es|está) (?:correcto|bien)"
    r"|(?:c'est|est-ce) (?:bien )?(?:ça|exact|correct|cela)|对吗|是吗|正确吗|よろしいですか|맞나요"
)
_UNCLEAR: Final = re.compile(r"\b(?:or|oder|ou|o|u|not|nicht|kein|keine|pas|never)\b|n't\b|还是|または")


def confirmed(key: Key, value: Scalar, candidate: Candidate, heard: Heard) -> Admitted | str:
    """The fact that a yes makes of the value in a question; none where the question offers a choice or asks for another thing."""
    if key.base is bool or not affirms(heard.message):
        return ""
    parts = [(span, heard.question[slice(*span)]) for span in sentences(heard.question)]
    asking = [index for index, (_, text) in enumerate(parts) if re.search(r"[?？؟]|吗", text)]
    if not asking:
        return ""
    last = asking[-1]
    if _GENERIC_CHECK.fullmatch(re.sub(r"[?？.,!。吗]+$", "", parts[last][1]).strip().casefold()):
        about = parts[:last]
    else:
        about = [] if _UNCLEAR.search(parts[last][1].casefold()) else [parts[last]]
    for span, text in about:
        if found := locate(key, value, candidate.value, text):
            start = len(heard.message) - len(heard.message.lstrip())
            answer = Span(start, start + len(heard.message.strip()))
            # A place in the question cannot meet one in the message: it stands before the message's first character
            offset = span.start - len(heard.question) - 1
            place = Place(
                key.name, meaning(value), Span(offset + found.start, offset + found.end), exact=True
            )
            return Admitted(heard.fact(key, value, Source.USER_CONFIRMED, answer, text), place)
    return ""
