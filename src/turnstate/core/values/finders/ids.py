"""Finders for ids, named or by their looks, and for versions."""

from __future__ import annotations

import re
from typing import Final

from turnstate.core.values.finders.addresses import PHONE
from turnstate.core.values.finders.finder import Finder, Hit
from turnstate.core.values.numbers import ascii_digits
from turnstate.core.values.patterns import EDGE, STOP, any_of, words_in
from turnstate.core.values.types import ValueKind

_LABELS: Final = words_in(
    "order invoice ticket case booking reservation confirmation tracking account customer member membership user policy "
    "claim request reference ref serial part item product sku po rma flight train pnr transaction receipt quote contract "
    "shipment parcel package voucher coupon certificate license licence passport vin imei model incident bug job employee "
    "student patient code number id bestellung bestellnummer rechnung rechnungsnummer auftrag auftragsnummer "
    "kundennummer commande facture réservation dossier pedido factura reserva"
)
_PLACES: Final = words_in("gate seat room terminal platform locker bay unit apt apartment suite")
_NUMBER_OF: Final = r"(?:id|number|num|no\.?|nr\.?|nº|n°|code|ref\.?|reference|#)"
_CODE: Final = r"[A-Za-z\d]{1,64}(?:[-_][A-Za-z\d]{1,64}){0,10}"
_LABELLED: Final = re.compile(
    rf"{EDGE}(?i:(?:(?P<place>{any_of(_PLACES)})|(?P<label>{any_of(_LABELS)}))s?(?P<word>\s{{1,3}}{_NUMBER_OF}){{0,2}}"
    r"(?P<joint>\s{0,3}(?::|=|\bis\b|\bwas\b|\bist\b|\best\b|\bes\b))?\s{0,3}(?P<hash>#\s?)?)"
    rf"(?P<code>(?<![A-Za-z\d_-])(?:(?=[A-Za-z_-]{{0,64}}\d){_CODE}|[A-Z]{{5,8}}){STOP}(?![-_][A-Za-z\d]|[.,:]\d))"
)
_LABEL_WORDS: Final = frozenset(f"{label}{ending}" for label in (*_LABELS, *_PLACES) for ending in ("", "s"))
_HASHED: Final = re.compile(rf"(?<![0-9A-Za-z_#&])#\s?(?P<code>{_CODE}){STOP}")
_UUID: Final = re.compile(
    rf"(?=[0-9a-f]){EDGE}[0-9a-f]{{8}}-(?:[0-9a-f]{{4}}-){{3}}[0-9a-f]{{12}}{STOP}", re.IGNORECASE
)
_ISBN: Final = re.compile(
    rf"{EDGE}ISBN(?:-1[03])?:?\s{{0,3}}(?P<digits>(?:97[89][- ]?)?\d{{1,5}}[- ]?\d{{1,7}}[- ]?\d{{1,6}}[- ]?[\dXx])(?![- ]?\d){STOP}"
)
_IP: Final = re.compile(rf"(?<![\w.])(?:\d{{1,3}}\.){{3}}\d{{1,3}}{STOP}(?!\.\d)")
_GROUPS_OF_DIGITS: Final = re.compile(
    r"(?=\d)(?<![0-9A-Za-z_\d-])\d{4}(?:[ -]\d{4}){2,3}(?:[ -]\d{1,3})?(?![\dA-Za-z_-])"
)
_TOKEN: Final = re.compile(
    rf"(?=[A-Za-z\d])(?<![0-9A-Za-z_\d-])(?!\d+(?![A-Za-z\d_-])|[A-Za-z]+(?![A-Za-z\d_-]))(?=[A-Za-z_-]{{0,64}}\d){_CODE}"
    r"(?![0-9A-Za-z_\d]|-[A-Za-z\d])"
)
_VERSION: Final = re.compile(
    r"(?=[\dvr])(?<![0-9A-Za-z_\d.])(?:(?P<label>version|release)\s+|(?=v\d|\d{1,9}\.\d{1,9}\.\d))"
    r"(?P<value>v?(?P<number>\d{1,9}(?:\.\d{1,9}){0,4}(?:-[a-z]{1,8}\.?\d{0,4})?))(?![0-9A-Za-z_\d-]|\.\d)",
    re.IGNORECASE,
)
_DIGITS: Final = re.compile(r"(?=\d)(?<![0-9A-Za-z_\d])(?<!\d[.,])\d{4,64}(?![0-9A-Za-z_\d]|[.,]\d)")
_COMMON: Final = re.compile(
    r"(?:19|20)?\d0s|\d{1,4}(?:st|nd|rd|th|x|k|d|p|g|er|e)|\d{1,3}-[a-z]+|[a-z]{1,6}\d{1,2}", re.IGNORECASE
)


def _id(code: str) -> str:
    return ascii_digits(code).lower()


def _read_labelled(match: re.Match[str]) -> Hit | None:
    """An id after the word that says what it identifies; the word is part of the text where it stands beside the id."""
    code = match["code"]
    digits = sum(char.isdecimal() for char in code)
    named = match["hash"] or match["word"] or match["place"]
    if digits:
        is_id = named or digits >= 3 or (digits < len(code) and len(code) >= 4)
    else:  # a code of capitals, as airlines use; among other capitals it is a word
        is_id = match["label"] is not None and not match["label"].isupper()
    is_phone = (match["label"] or "").lower() == "number" and PHONE.pattern.fullmatch(code)
    if not is_id or is_phone or (_COMMON.fullmatch(code) and not match["place"]):
        return None
    return Hit(ValueKind.ID, match.start("code") if match["joint"] else match.start(), match.end(), _id(code))


def _read_hashed(match: re.Match[str]) -> Hit | None:
    known = re.search(r"\d", match["code"])
    return Hit(ValueKind.ID, *match.span(), _id(match["code"])) if known else None


def _read_id(match: re.Match[str]) -> Hit:
    return Hit(ValueKind.ID, *match.span(), _id(match[0]))


def _read_isbn(match: re.Match[str]) -> Hit | None:
    digits = re.sub(r"[- ]", "", ascii_digits(match["digits"])).lower()
    return Hit(ValueKind.ID, *match.span(), digits) if len(digits) in {10, 13} else None


def _read_grouped_digits(match: re.Match[str]) -> Hit:
    return Hit(ValueKind.ID, *match.span(), re.sub(r"\D", "", ascii_digits(match[0])))


def _read_token(match: re.Match[str]) -> Hit | None:
    """A token of letters and digits that looks assigned, not written: "ZFA04Y", "mia_li_3668", not "2nd" or "5-star"."""
    code = match[0]
    digits = sum(char.isdecimal() for char in code)
    letters = sum(char.isalpha() for char in code)
    assigned = (
        (digits >= 3 and len(code) >= 5)
        or (digits >= 2 and ("-" in code or "_" in code) and len(code) >= 5)
        or (code.upper() == code and len(code) >= 5)
        or (digits and "_" in code)
    )
    if not (digits and letters and assigned) or _COMMON.fullmatch(code):
        return None
    return Hit(ValueKind.ID, *match.span(), _id(code))


def _read_version(match: re.Match[str]) -> Hit | None:
    """Three parts, or a "v" or the word before it; four-digit years and plain decimals are none."""
    marked = match["label"] or match["value"][0] in "vV"
    if not (marked or match["number"].count(".") >= 2):
        return None
    return Hit(ValueKind.VERSION, *match.span("value"), ascii_digits(match["number"]).lower())


def _read_digits(match: re.Match[str]) -> Hit | None:
    digits = ascii_digits(match[0])
    year = len(digits) == 4 and digits[:2] in {"19", "20"}
    return None if year else Hit(ValueKind.ID, *match.span(), digits)


UUID: Final = Finder(_UUID, _read_id, ("-",))
ISBN: Final = Finder(_ISBN, _read_isbn, ("isbn",))
IP: Final = Finder(_IP, _read_id, (".",))
LABELLED_ID: Final = Finder(_LABELLED, _read_labelled, digit=False, tokens=_LABEL_WORDS, anchored=True)
HASHED_ID: Final = Finder(_HASHED, _read_hashed, ("#",))
GROUPED_DIGITS: Final = Finder(_GROUPS_OF_DIGITS, _read_grouped_digits)
VERSION: Final = Finder(_VERSION, _read_version, (".", "v"))
TOKEN: Final = Finder(_TOKEN, _read_token)
DIGITS: Final = Finder(_DIGITS, _read_digits)
