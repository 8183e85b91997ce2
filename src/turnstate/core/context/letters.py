"""The tokens of a text: a fast estimate from the kinds of its bytes, and bounds from how many there are."""

from __future__ import annotations

import json
import re
import unicodedata

_TO_SIGNS = str.maketrans("", "", "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ ")
_ENCODED = re.compile(r"[A-Za-z0-9+/]{40,}")


def estimate_text(text: str) -> int:
    """About how many tokens `text` has; at least 1 unless it is empty."""
    if not text:
        return 0
    ascii_part = text if text.isascii() else text.encode("ascii", "ignore").decode()
    signs = len(ascii_part.translate(_TO_SIGNS))
    tokens = (len(ascii_part) - signs) / 4.6 + signs / 2.2
    # Base64 and hashes have no words: about one and a half characters a token.
    tokens += sum(len(run) * 0.4 for run in _ENCODED.findall(text)) if len(text) >= 40 else 0
    if len(ascii_part) < len(text):
        others = len(text) - len(ascii_part)
        # 0.6 for each sign of two bytes (Arabic, accents), 1 for three (Chinese, Thai), 1.4 for four (emoji).
        tokens += 0.4 * (len(text.encode("utf-8", "surrogatepass")) - len(ascii_part)) - 0.2 * others
    return max(1, round(tokens))


def bound_text(text: str) -> int:
    """A count that no tokenizer exceeds which falls back to bytes: those of `text` in UTF-8, as it is or normalised.

    And one more, for the space that some put in front. Some tokenizers, as Claude 2's, read the compatibility form
    (NFKC), which may be longer: U+FDFA is three bytes, and 33 in that form.
    """
    if text.isascii():
        return len(text) + 1 if text else 0
    size = len(text.encode("utf-8", "surrogatepass"))
    if not unicodedata.is_normalized("NFKC", text):
        size = max(size, len(unicodedata.normalize("NFKC", text).encode("utf-8", "surrogatepass")))
    return size + 1


def bound_arguments(text: str) -> int:
    """As `bound_text`, for JSON that a provider may write anew with every sign beyond ASCII as an escape."""
    return bound_text(text) if text.isascii() else max(bound_text(text), bound_text(json.dumps(text)))
