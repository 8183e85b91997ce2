"""Finders for the addresses of machines and people: URLs, e-mail addresses, paths, phone numbers."""

from __future__ import annotations

import re
from typing import Final

from turnstate.core.values.finders.finder import Finder, Hit
from turnstate.core.values.numbers import ascii_digits
from turnstate.core.values.patterns import EDGE, STOP, TAKEN
from turnstate.core.values.types import ValueKind

_TLDS: Final = (
    "com|org|net|edu|gov|io|dev|app|ai|co|shop|store|info|biz|me|de|uk|fr|es|it|nl|ch|at|eu|jp|cn|in|br|ca|au|us|internal|"
    "local|test|example"
)
_URL: Final = re.compile(
    rf"(?<![0-9A-Za-z])(?:[a-z][a-z0-9+.-]{{1,15}}://|www\.)[^\s<>\"“”{TAKEN}]{{2,}}", re.IGNORECASE
)
_HOST: Final = re.compile(
    rf"(?<![0-9A-Za-z_@.-])(?:[a-z0-9](?:[a-z0-9-]{{0,61}}[a-z0-9])?\.){{1,8}}(?:{_TLDS})\b(?:\.[a-z]{{2}}\b)?(?![@-])"
    rf"(?::\d{{1,5}})?(?:/[^\s<>\"“”{TAKEN}]*)?",
    re.IGNORECASE,
)
_EMAIL: Final = re.compile(
    r"(?<![A-Za-z0-9.!#$%&'*+/=?^_`{|}~@-])[A-Za-z0-9_][A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{0,63}@"
    r"(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.){1,8}[A-Za-z]{2,24}(?![0-9A-Za-z@-])"
)
_PATH: Final = re.compile(
    r"(?<![0-9A-Za-z_/.~\\-])(?:[A-Za-z]:\\[\w.@+\\ -]{1,200}\w|(?:~|\.{1,2})?/[\w.@+-]{1,255}(?:/[\w.@+-]{1,255}){0,40}/?"
    r"|[\w.@+-]{1,255}(?:/[\w.@+-]{1,255}){1,40})"
)
_ENDINGS: Final = (
    "pdf|doc|docx|xls|xlsx|csv|txt|md|json|yaml|yml|toml|ini|log|py|js|ts|htm|html|css|sql|sh|zip|tar|gz|png|jpg|jpeg|gif|"
    "svg|mp3|mp4|wav|exe|dmg|apk"
)
_FILE: Final = re.compile(
    rf"{EDGE}[A-Za-z0-9_][\w-]{{0,80}}(?:\.[\w-]{{1,40}}){{0,3}}\.(?:{_ENDINGS}){STOP}", re.IGNORECASE
)
_PHONE: Final = re.compile(
    r"(?=[\d+(])(?<![0-9A-Za-z_\d.,-])(?:"
    r"(?:\+|00)\d(?:[\s.()/-]{0,3}\d){6,14}"
    r"|\(\d{2,5}\)[\s.-]?\d(?:[\s.-]?\d){4,10}"
    r"|(?:1[\s.-])?\d{3}([\s.-])\d{3}\1\d{4}|\d{3}-\d{4}"
    r"|0\d{1,4}(?:[\s./-]\d{2,8}){1,5})(?![\d-]|[.,]\d|[A-Za-z_])"
)
_TRAILING: Final = ".,;:!?'’)]}>*"


def _read_url(match: re.Match[str]) -> Hit | None:
    text = match[0].rstrip(_TRAILING)
    if "(" in text and match[0][len(text) :].startswith(")"):
        text += ")"
    head, slashes, rest = text.partition("://")
    scheme, tail = (head.lower(), rest) if slashes else ("", text)
    if not tail:
        return None
    host, slash, path = tail.partition("/")
    prefix = "" if scheme in {"", "http", "https"} else f"{scheme}://"
    norm = f"{prefix}{host.lower().removeprefix('www.')}{slash}{path}".rstrip("/")
    return Hit(ValueKind.URL, match.start(), match.start() + len(text), norm)


def _read_email(match: re.Match[str]) -> Hit:
    local, _, domain = match[0].rpartition("@")
    return Hit(ValueKind.EMAIL, *match.span(), f"{local}@{domain.lower()}")


def _read_path(match: re.Match[str]) -> Hit | None:
    """A path: from a root, or ending in a file with an extension; "and/or" and "1/2" are none."""
    text = match[0].rstrip(".")
    rooted = text[:1] in "/~" or text.startswith((".", "/")) or "\\" in text
    last = text.rstrip("/").rpartition("/")[2]
    named = re.search(r"[A-Za-z]", text) is not None and "@" not in text
    deep = text.count("/") > 1 or "\\" in text or re.search(r"\.[A-Za-z]\w{0,7}$", last) is not None
    file = re.search(r"\w\.[A-Za-z]\w{0,7}$", last) is not None
    if not named or not (deep if rooted else file):
        return None
    return Hit(ValueKind.PATH, match.start(), match.start() + len(text), text.rstrip("/"))


def _read_file(match: re.Match[str]) -> Hit:
    return Hit(ValueKind.PATH, *match.span(), match[0])


def _read_phone(match: re.Match[str]) -> Hit | None:
    digits = re.sub(r"\D", "", ascii_digits(match[0]))
    plus = match[0].startswith(("+", "00"))
    norm = f"+{digits.removeprefix('00')}" if plus else digits
    return Hit(ValueKind.PHONE, *match.span(), norm) if 7 <= len(digits) <= 17 else None


URL: Final = Finder(_URL, _read_url, ("://", "www."), digit=False)
EMAIL: Final = Finder(_EMAIL, _read_email, ("@",), digit=False)
PATH: Final = Finder(_PATH, _read_path, ("/", "\\"), digit=False)
FILE: Final = Finder(_FILE, _read_file, tuple(f".{ending}" for ending in _ENDINGS.split("|")), digit=False)
HOST: Final = Finder(_HOST, _read_url, tuple(f".{tld}" for tld in _TLDS.split("|")), digit=False)
PHONE: Final = Finder(_PHONE, _read_phone)
