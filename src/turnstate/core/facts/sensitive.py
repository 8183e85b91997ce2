"""What is never remembered by default: payment cards, passwords and access keys."""

from __future__ import annotations

import re
from typing import Final

from turnstate.core.facts.text import Span
from turnstate.core.values import ascii_digits

_DIGIT_GROUP: Final = re.compile(r"\d+")
_SECRET: Final = re.compile(
    r"(?:\b(?:pass(?:word|code|phrase|wort)|pin(?:[ -]?(?:code|number))?|cvv2?|cvc2?|security code|ssn|"
    r"social security(?: number)?|api[ _-]?key|secret(?: key)?|access token|one[- ]time (?:code|password)|otp|passwort|"
    r"contraseña|clave|mot de passe)\b|密码)"
    r"(?:(?:\s(?!(?:and|but|or|my)\b)\w{1,20}){0,4}\s{0,3}(?::|=|\b(?:is|was|will be|ist|es|est)\b|是)[\s:]{0,3}"
    r"(?!(?:not|wrong|incorrect|invalid|the|a|my|still|also|too|being|never|always|no|lost|expired|required|correct)\b)"
    r"|[\s,]{1,3}(?=[^\s\d]{0,64}\d))(?P<secret>\S{3,200})"
    r"|\b(?P<token>(?:sk|pk|rk|ghp|gho|xox[abp]|AKIA)[-_A-Za-z0-9]{16,200})",
    re.IGNORECASE,
)


def secrets(text: str) -> tuple[Span, ...]:
    """Where payment card numbers (13 to 19 digits that pass the Luhn check), passwords and access keys stand."""
    found = [Span(*match.span("secret" if match["secret"] else "token")) for match in _SECRET.finditer(text)]
    groups = list(_DIGIT_GROUP.finditer(text))
    for first, group in enumerate(groups):
        digits, last = "", group
        for following in groups[first : first + 19]:
            gap = text[last.end() : following.start()]
            if following is not group and gap not in {" ", "-", ".", "\u00a0", "‑"}:
                break
            digits, last = digits + ascii_digits(following[0]), following
            if len(digits) > 19:
                break
            if len(digits) >= 13 and _luhn(digits):
                found.append(Span(group.start(), last.end()))
    return tuple(sorted(found))


def _luhn(digits: str) -> bool:
    doubled = (int(digit) * (1 + place % 2) for place, digit in enumerate(reversed(digits)))
    return len(set(digits)) > 1 and sum(value - 9 * (value > 9) for value in doubled) % 10 == 0
