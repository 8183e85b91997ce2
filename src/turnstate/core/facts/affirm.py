"""Whether a message is a yes and nothing else."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from turnstate.core.facts.text import fold, word_set

_UNSPACED_YES: Final = re.compile(
    r"(?:是的?|对的?|對的?|没错|沒錯|正确|好的|嗯|はい|ええ|そうです|正しいです|네|예|맞아요|맞습니다|그래요)+"
)


def _unaccented(text: str) -> str:
    return "".join(char for char in fold(text) if not unicodedata.combining(char))


_AFFIRMATIVE: Final = word_set(
    _unaccented(
        "yes yeah yep yup ya yea aye correct right exactly sure indeed affirmative confirmed absolutely definitely certainly si claro "
        "correcto exacto ja jawohl genau richtig stimmt korrekt oui exact exactement esatto sim certo correto da да так верно "
        "evet tak igen ano נכון כן نعم"
    )
)
_POLITE: Final = _AFFIRMATIVE | word_set(
    "that thats that's is it it's its this the one you got i am i'm we are ok okay please thank thanks sir madam very much so of "
    "course perfect great all good my mine es das ist so danke bitte gracias por favor c'est ca bien merci eso esta"
)


def affirms(message: str) -> bool:
    """Whether a message says yes and nothing else: "Yes, that's right, thanks", "sí", "对"."""
    if len(message) > 120 or "?" in message:
        return False
    words = re.findall(r"[\w']+", _unaccented(message))
    unspaced = re.sub(r"[\s,.!。，！、]+", "", message)
    said_yes = not _AFFIRMATIVE.isdisjoint(words) and _POLITE.issuperset(words)
    return said_yes or _UNSPACED_YES.fullmatch(unspaced) is not None
