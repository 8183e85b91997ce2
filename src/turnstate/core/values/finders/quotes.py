"""The finder for words in quotation marks."""

from __future__ import annotations

import re
from typing import Final

from turnstate.core.values.finders.finder import Finder, Hit
from turnstate.core.values.patterns import TAKEN
from turnstate.core.values.types import ValueKind

_QUOTED: Final = re.compile(
    "|".join(
        f"{left}(?P<q{number}>[^{left}{right}\n{TAKEN}]{{2,120}}){right}"
        for number, (left, right) in enumerate(('""', "“”", "«»", "„“", "「」", "『』", "‘’"))
    )
)

_JSON: Final = re.compile(r"""\s*[\[{]\s*["\[{]""")
"""Data, whose quotation marks are syntax."""


def _read_quoted(match: re.Match[str]) -> Hit | None:
    """Words in quotation marks; the strings of JSON are not quotations."""
    inner = next(text for text in match.groups() if text is not None)
    text, start, end = match.string, match.start(), match.end()
    before, after = text[max(0, start - 4) : start].rstrip()[-2:], text[end : end + 2].lstrip()
    as_json = match[0][0] == '"' and (before[-1:] in {"{", "["} or before == '":' or after[:1] == ":")
    if as_json or not any(char.isalnum() for char in inner) or inner != inner.strip():
        return None
    return Hit(ValueKind.QUOTED, *match.span(), " ".join(inner.casefold().split()))


QUOTED: Final = Finder(
    _QUOTED, _read_quoted, ('"', "“", "«", "„", "「", "『", "‘"), digit=False, unless=_JSON
)
