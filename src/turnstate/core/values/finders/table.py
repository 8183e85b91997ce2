"""The table that drives `find`: the most specific finder comes first.

What a finder took is invisible to those after it. A new kind of value is a new row, a new language is new words in the
tables of a finder. Every pattern is linear in the text: repetitions are bounded, or start only where a token starts.
"""

from __future__ import annotations

from typing import Final

from turnstate.core.values.finders.addresses import EMAIL, FILE, HOST, PATH, PHONE, URL
from turnstate.core.values.finders.amounts import (
    BARE_NUMBER,
    EUROPEAN_MONEY,
    MEASURED,
    MEASURED_WORDS,
    PRICED,
)
from turnstate.core.values.finders.dates import (
    CJK_DATE,
    DAY_FIRST,
    DAY_ONLY,
    ISO_DATE,
    MONTH_FIRST,
    MONTH_NTH,
    NTH_MONTH,
    NUMERIC_DATE,
    RANGE_END,
    RANGE_START,
    SHORT_DATE,
)
from turnstate.core.values.finders.finder import Finder
from turnstate.core.values.finders.ids import (
    DIGITS,
    GROUPED_DIGITS,
    HASHED_ID,
    IP,
    ISBN,
    LABELLED_ID,
    TOKEN,
    UUID,
    VERSION,
)
from turnstate.core.values.finders.quotes import QUOTED
from turnstate.core.values.finders.relative import FROM_NOW, NAMED_DAY, WEEKDAY
from turnstate.core.values.finders.times import CLOCK, CLOCK_WORD, NAMED_TIME

FINDERS: Final[tuple[Finder, ...]] = (
    URL,
    EMAIL,
    PATH,
    FILE,
    HOST,
    UUID,
    ISBN,
    CJK_DATE,
    ISO_DATE,
    NUMERIC_DATE,
    RANGE_END,
    RANGE_START,
    DAY_FIRST,
    MONTH_FIRST,
    MONTH_NTH,
    NTH_MONTH,
    SHORT_DATE,
    DAY_ONLY,
    NAMED_DAY,
    WEEKDAY,
    FROM_NOW,
    IP,
    CLOCK,
    CLOCK_WORD,
    NAMED_TIME,
    EUROPEAN_MONEY,
    PRICED,
    MEASURED,
    MEASURED_WORDS,
    LABELLED_ID,
    HASHED_ID,
    GROUPED_DIGITS,
    PHONE,
    VERSION,
    TOKEN,
    DIGITS,
    BARE_NUMBER,
    QUOTED,
)
"""How values are found, the most specific first."""
