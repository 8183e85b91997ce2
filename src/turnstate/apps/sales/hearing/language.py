"""Which language a message is written in, by its script and its commonest words."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from turnstate.core.facts.text import word_set

_SCRIPTS: Final[tuple[tuple[str, re.Pattern[str]], ...]] = (
    ("ja", re.compile("[\u3040-\u30ff]")),
    ("ko", re.compile("[\uac00-\ud7af\u1100-\u11ff]")),
    ("zh", re.compile("[\u3400-\u9fff]")),
    ("th", re.compile("[\u0e00-\u0e7f]")),
    ("hi", re.compile("[\u0900-\u097f]")),
    ("he", re.compile("[\u0590-\u05ff]")),
    ("el", re.compile("[\u0370-\u03ff]")),
)
_ARABIC: Final = re.compile("[\u0600-\u06ff]")
_PERSIAN: Final = re.compile("[پچژگ]")
_CYRILLIC: Final = re.compile("[\u0400-\u04ff]")
_UKRAINIAN: Final = re.compile("[іїєґІЇЄҐ]")
_LATIN: Final = re.compile("[A-Za-z\u00c0-\u024f]")
_WORD: Final = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")

_COMMON: Final[Mapping[str, frozenset[str]]] = {
    "en": word_set(
        "the and is are we you i to of in for that this it with our have not what how do does can my on your be but if would need want about from at by an was will there just they has i'm we're don't it's us me yes thanks please so more any when who where hello hi which already budget weeks months company people"
    ),
    "de": word_set(
        "der die das und ist wir sie ich zu von in für dass mit unser unsere haben nicht was wie kann mein auf ihr sein aber wenn würde brauchen wollen über aus bei ein eine einen einem wird es uns mir ja danke bitte mehr wann wer wo hallo guten tag im am den dem auch noch dank muss müssen vielen woche stunden pro chef sind habe hat oder nur schon sehr gibt gut nein wochen monate leute etwa firma budget"
    ),
    "fr": word_set(
        "le la les et est nous vous je à de en pour que ce avec notre avons pas qui comment peut mon sur votre être mais si besoin voulons un une des du au il elle on oui merci plus quand où bonjour dans sont ai a ne se par aussi très bien non c'est j'ai n'est quel quelle semaines mois entreprise environ"
    ),
    "es": word_set(
        "el la los las y es nosotros usted yo a de en para que este esta con nuestro nuestra tenemos no qué cómo puede mi sobre su ser pero si necesitamos queremos un una por del al hay sí gracias más cuándo dónde hola buenos somos está muy también como lo se les una tengo unas semanas meses empresa presupuesto cuánto"
    ),
    "it": word_set(
        "il lo la gli le e è noi lei io a di in per che questo questa con nostro nostra abbiamo non come può mio su suo essere ma se bisogno vogliamo un una del della al ci sono sì grazie più quando dove ciao buongiorno siamo anche molto ho quanto settimane mesi azienda circa"
    ),
    "pt": word_set(
        "o a os as e é nós você eu de em para que este esta com nosso nossa temos não como pode meu sobre seu ser mas se precisamos queremos um uma do da ao há sim obrigado obrigada mais quando onde olá bom somos também muito tenho no na dos quanto semanas meses empresa cerca"
    ),
    "nl": word_set(
        "de het en is wij we u jij ik naar van in voor dat dit met onze hebben niet wat hoe kan mijn op uw zijn maar als zou nodig willen over uit bij een er ons mij ja dank bedankt alstublieft meer wanneer wie waar hallo goedendag ook nog heb heeft of maanden weken bedrijf ongeveer"
    ),
    "pl": word_set(
        "i jest są my wy ja do z w dla że to ten ta nasz nasza mamy nie co jak może mój na ale jeśli by potrzebujemy chcemy o od przy jeden tak dziękuję proszę więcej kiedy kto gdzie dzień dobry się czy już tylko oraz tygodni miesięcy firma"
    ),
    "sv": word_set(
        "och är vi ni jag till av i för att det den med vår har inte vad hur kan min på er vara men om skulle behöver vill från en ett som oss mig ja tack mer när vem var hej också eller veckor månader företag ungefär"
    ),
    "tr": word_set(
        "ve bir bu biz siz ben için ile bizim var değil ne nasıl olabilir ama eğer istiyoruz evet teşekkürler lütfen daha kim nerede merhaba mı mi de da çok hafta ay şirket kaç"
    ),
}
_MARKS: Final[Mapping[str, str]] = {
    "de": "äöüß",
    "fr": "çœêèàùû",
    "es": "ñ¿¡",
    "pt": "ãõ",
    "it": "ìò",
    "pl": "łżźćęąśń",
    "sv": "å",
    "tr": "ğış",
}


def language_of(text: str, before: str) -> str:
    """The language of a message as an ISO 639-1 code.

    Args:
        text: the message.
        before: the language so far: what stands for a message that shows none, as "OK", "$40k" or a name.
    """
    text = text[:4_000]
    latin = len(_LATIN.findall(text))
    for code, pattern in _SCRIPTS:
        many = len(pattern.findall(text))
        if many and many * 3 > latin * (1 if code in {"zh", "ja", "ko"} else 2):
            return code
    if (many := len(_ARABIC.findall(text))) and many > latin:
        return "fa" if _PERSIAN.search(text) else "ar"
    if (many := len(_CYRILLIC.findall(text))) and many > latin:
        return "uk" if _UKRAINIAN.search(text) else before if before in {"bg", "sr"} else "ru"
    return _by_words(text, before)


def _by_words(text: str, before: str) -> str:
    """The language whose commonest words the text has most of, if it has enough of them."""
    words = [word.casefold() for word in _WORD.findall(text.replace("’", "'"))]
    if not words:
        return before
    lower = text.casefold()
    scores = {
        code: sum(word in common for word in words) + sum(2 for mark in _MARKS.get(code, "") if mark in lower)
        for code, common in _COMMON.items()
    }
    best = max(scores, key=lambda code: (scores[code], code == before))
    if (
        best == before
        or scores[best] < 2
        or scores[best] <= scores.get(before, 0) + (1 if len(words) < 6 else 0)
    ):
        return before
    rivals = sorted(scores.values(), reverse=True)
    return best if rivals[0] > rivals[1] and scores[best] * 6 >= len(words) else before
