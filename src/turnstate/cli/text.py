"""Text of users, tools and models as a terminal may show it: nothing in it can move the cursor or reverse the line."""

from __future__ import annotations

import re
from collections.abc import Callable

_UNSAFE = re.compile(
    "[\0-\x08\x0b-\x1f\x7f-\x9f"  # controls, the escape that begins a terminal's commands among them
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # marks that change the direction of what follows
    "\u2028\u2029\ufeff\ud800-\udfff\ufff9-\ufffb]"  # separators, byte order marks, halves of characters
)


def printable(text: str) -> str:
    r"""`text` with every character that steers a terminal written out, as in `\x1b`; line breaks and tabs stay."""
    return _UNSAFE.sub(_written_out, masked(text).replace("\r\n", "\n"))


_masks: list[Callable[[str], str]] = []


def masked(text: str) -> str:
    """`text` with what the command masks, if anything."""
    for mask in _masks:
        text = mask(text)
    return text


def masking(mask: Callable[[str], str]) -> Callable[[], None]:
    """Mask every text that is shown from now on; what is returned ends it."""
    _masks.append(mask)
    return lambda: _masks.remove(mask)


def _written_out(found: re.Match[str]) -> str:
    code = ord(found[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def one_line(text: str) -> str:
    """`text` on one line, blanks joined, safe to show."""
    return printable(" ".join(text.split()))


def clipped(text: str, width: int) -> str:
    """`text` on one line of at most `width` characters; what is left out is an ellipsis."""
    line = one_line(text)
    return line if len(line) <= width else line[: max(0, width - 1)].rstrip() + "…"


def turns_text(first: int, last: int) -> str:
    """A span of turns in words: "turn 3", "turns 3–9"."""
    return f"turn {first}" if first == last else f"turns {first}–{last}"
