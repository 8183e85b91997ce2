"""A summary in sentences, which join to it."""

from __future__ import annotations

import re
from typing import Final

_END: Final = re.compile(r"(?<=[.!?。！？])[\"'”’)\]]*\s+|\n+")


def sentences(text: str) -> tuple[str, ...]:
    """The sentences and lines of `text`, without the white space between them."""
    return tuple(part.strip() for part in _END.split(text) if part.strip())
