"""Facts, what is durable about a user: declared as a class, admitted by quote, superseded by time, shown with sources."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from enum import Enum, StrEnum
from functools import lru_cache
from types import MappingProxyType
from typing import (
    Annotated,
    Any,
    ClassVar,
    Final,
    Generic,
    Literal,
    NamedTuple,
    TypeAlias,
    TypeVar,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)

from pydantic import TypeAdapter, ValidationError

from turnstate.core.values import ValueKind, ascii_digits, find, numbers, plain, same
from turnstate.errors import FactsDeclarationError

T = TypeVar("T")
Scalar: TypeAlias = str | int | float | bool
"""What the value of a fact is stored as."""

# Declaring -----------------------------------------------------------------------------------------------------------


class Single(Generic[T]):
    """Marks a key with one value at a time, as in `order_id: Single[str]`: the newest supersedes."""


class Many(Generic[T]):
    """Marks a key that collects values, as in `allergies: Many[str]`."""


class Shape(StrEnum):
    """What the values of a key look like, by its type and the words of its name."""

    TEXT = "text"
    ID = "id"
    EMAIL = "email"
    PHONE = "phone"
    POSTCODE = "postcode"
    ADDRESS = "address"
    NAME = "name"
    DATE = "date"
    NUMBER = "number"
    CHOICE = "choice"
    YES_NO = "yes_no"


@dataclass(frozen=True, slots=True)
class Key:
    """One declared key.

    Attributes:
        name: the attribute's name.
        many: whether it collects values.
        type: str, int, float, bool, Decimal, date, an Enum or a Literal, perhaps Annotated.
        description: what it is, for extractors and readers.
        pattern: a regular expression that the whole value must match, or None.
        expires: how long a value is good for after it was said, or None.
        ask: how the assistant asks for it, or "".
        sensitive: whether payment cards, secrets and health are allowed.
        shape: what its values look like.
        words: the words of the name, in lower case: `("order", "id")`.
        options: the values of a Literal or an Enum, by what a user may say for them.
        adapter: validates one value.
    """

    name: str
    many: bool
    type: Any
    description: str
    pattern: str | None
    expires: timedelta | None
    ask: str
    sensitive: bool
    shape: Shape
    words: tuple[str, ...]
    options: Mapping[str, Scalar]
    adapter: TypeAdapter[Any] = field(compare=False, repr=False)

    @property
    def base(self) -> Any:
        """The type without what `Annotated` says about it."""
        return _unannotated(self.type)


class _Options(NamedTuple):
    """What `key()` was told."""

    description: str = ""
    pattern: str | None = None
    expires: timedelta | None = None
    ask: str = ""
    sensitive: bool = False


def key(
    description: str = "",
    *,
    pattern: str | None = None,
    expires: timedelta | None = None,
    ask: str = "",
    sensitive: bool = False,
) -> Any:
    """Say more about a key, as its default value.

    Args:
        description: what it is; by default the class docstring's line for it, or its name in words.
        pattern: a regular expression that the whole value must match.
        expires: how long a value is good for after it was said.
        ask: how the assistant asks for it.
        sensitive: allow what is refused by default: payment cards, secrets, health.
    """
    return _Options(description, pattern, expires, ask, sensitive)


class Facts:
    """What to remember about a user: subclass it with `Single[...]` and `Many[...]` annotations.

    The class is the declaration; it is never instantiated. A bad declaration raises `FactsDeclarationError` when the
    class is created.
    """

    _declared: ClassVar[Mapping[str, Key]] = MappingProxyType({})

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls._declared = MappingProxyType(dict(_declare(cls)))

    @classmethod
    def keys(cls) -> Mapping[str, Key]:
        """The keys by name, in the order of their declaration, those of base classes first."""
        return cls._declared


_TYPES_FIX: Final = (
    "Use str, int, float, bool, Decimal, date, or a Literal or Enum of these, perhaps Annotated"
)
_SECRET_NAME: Final = re.compile(
    r"(?:^|_)(?:password|passwd|passcode|passphrase|pin|cvv|cvc|ssn|secret|token|otp|credentials?|api_key|private_key|"
    r"security_code|social_security|credit_card|debit_card|payment_card|cc_number|"
    r"(?<!gift_)(?<!loyalty_)(?<!member_)(?<!membership_)card_(?:number|no))(?:_|$)"
)
_HEALTH_NAME: Final = re.compile(
    r"(?:^|_)(?:diagnos[ei]s|medical|medications?|medicines?|diseases?|illness(?:es)?|symptoms?|prescriptions?|hiv|"
    r"pregnan\w*|disabilit\w*|health|blood_type|therapy)(?:_|$)"
)


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower().strip("_")


def _unannotated(annotation: Any) -> Any:
    return get_args(annotation)[0] if get_origin(annotation) is Annotated else annotation


def _declare(cls: type[Facts]) -> Iterator[tuple[str, Key]]:
    try:
        hints = get_type_hints(cls, include_extras=True)
    except NameError as error:
        problem = f"the name {error.name!r} in its annotations cannot be resolved"
        fix = "Declare the class, and the types it names, at the top of a module: names inside a function cannot be seen"
        raise FactsDeclarationError(cls.__name__, problem, fix) from error
    except (TypeError, SyntaxError, AttributeError) as error:
        problem = f"its annotations cannot be read: {error}"
        raise FactsDeclarationError(cls.__name__, problem, _TYPES_FIX) from error
    for name, value in vars(cls).items():
        if isinstance(value, _Options) and name not in hints:
            raise FactsDeclarationError(
                f"{cls.__name__}.{name}", "it has no type", f"Write `{name}: Single[str] = key(...)`"
            )
    for name, hint in hints.items():
        if get_origin(hint) is not ClassVar:
            yield name, _declare_key(cls, name, hint)


def _declare_key(cls: type[Facts], name: str, hint: Any) -> Key:
    where = f"{cls.__name__}.{name}"
    marker, said = get_origin(hint), getattr(cls, name, _Options())
    if marker not in {Single, Many}:
        fix = f"Write `{name}: Single[str]` for one value at a time, or `{name}: Many[str]` to collect them"
        raise FactsDeclarationError(where, "it does not say whether it has one value or many", fix)
    if name.startswith("_") or hasattr(Facts, name):
        fix = "Choose a name without a leading underscore that is not a method of Facts"
        raise FactsDeclarationError(where, "this name cannot be a key", fix)
    if not isinstance(said, _Options):
        fix = f"Remove it, or write `{name}: ... = key(...)` to say more about the key"
        raise FactsDeclarationError(where, "a fact has no default value", fix)
    annotation = get_args(hint)[0]
    base = _unannotated(annotation)
    options = _declared_options(where, base)
    _check_sensitivity(where, name, said)
    _check_said(where, said)
    try:
        adapter: TypeAdapter[Any] = TypeAdapter(annotation)
    except Exception as error:
        raise FactsDeclarationError(
            where, f"its type cannot validate anything: {error}", _TYPES_FIX
        ) from error
    description = said.description or _described(cls, name) or _snake(name).replace("_", " ")
    words = tuple(_snake(name).split("_"))
    shape = _shape(base, words, options)
    return Key(name, marker is Many, annotation, description, *said[1:], shape, words, options, adapter)


def _declared_options(where: str, base: Any) -> Mapping[str, Scalar]:
    """The choices of a Literal or Enum by what may be said for them; the check of the type comes with it."""
    name = str(base).removeprefix("<class '").removesuffix("'>")
    if get_origin(base) is Literal:
        choices: dict[str, Any] = {str(value): value for value in get_args(base)}
    elif isinstance(base, type) and issubclass(base, Enum):
        choices = {label: member.value for label, member in base.__members__.items()}
        choices |= {str(value): value for value in choices.values()}
    elif base in {str, int, float, bool, Decimal, date}:
        return MappingProxyType({})
    else:
        collects = re.match(r"(?:typing\.)?(?:list|set|tuple|dict|frozenset)\b", name, re.IGNORECASE)
        fix = f"{_TYPES_FIX}; Many[...] collects values" if collects else _TYPES_FIX
        raise FactsDeclarationError(where, f"{name} is not a type that a fact can have", fix)
    if not choices or not all(isinstance(value, str | int | float) for value in choices.values()):
        raise FactsDeclarationError(where, "its choices are not all strings, numbers or bools", _TYPES_FIX)
    return MappingProxyType({_words_of(said): cast("Scalar", value) for said, value in choices.items()})


def _check_sensitivity(where: str, name: str, said: _Options) -> None:
    kinds = {"a secret or payment data": _SECRET_NAME, "health": _HEALTH_NAME}
    for kind, pattern in kinds.items():
        if pattern.search(_snake(name)) and not said.sensitive:
            fix = f"Leave it out; if it must be kept, write `{name}: ... = key(..., sensitive=True)`"
            raise FactsDeclarationError(
                where, f"its name says {kind}, which is not remembered by default", fix
            )


def _check_said(where: str, said: _Options) -> None:
    if said.expires is not None and said.expires <= timedelta(0):
        raise FactsDeclarationError(
            where, "it expires before it is said", "Give `expires` a positive timedelta"
        )
    if said.pattern is not None:
        try:
            re.compile(said.pattern)
        except re.error as error:
            fix = "Write a regular expression for the whole value"
            raise FactsDeclarationError(where, f"its pattern does not compile: {error}", fix) from error


def _described(cls: type[Facts], name: str) -> str:
    """The line `name: description` of a docstring, of the class or the nearest base that has one."""
    for owner in cls.__mro__:
        if issubclass(owner, Facts) and (
            line := re.search(rf"^\s*{re.escape(name)}\s*:\s*(\S.*)$", owner.__doc__ or "", re.MULTILINE)
        ):
            return line[1].strip().rstrip(".")
    return ""


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_LAST_WORDS: Final = {
    Shape.EMAIL: _set("email mail"),
    Shape.PHONE: _set("phone mobile telephone cell whatsapp cellphone"),
    Shape.POSTCODE: _set("zip zipcode postcode plz"),
    Shape.DATE: _set("date birthday birthdate dob"),
    Shape.ID: _set("id number no num code ref reference pnr sku order invoice booking"),
    Shape.ADDRESS: _set("address addr"),
    Shape.NAME: _set("surname nickname firstname lastname fullname"),
}
_PERSON: Final = _set(
    "first last full given family middle user customer client contact passenger guest caller preferred"
)
_NO_ID: Final = _set("country language lang currency locale dress ip web")


def _shape(base: Any, words: tuple[str, ...], options: Mapping[str, Scalar]) -> Shape:
    """What the values of a key look like. The last word of its name says most: an email_address is an e-mail."""
    if options:
        return Shape.CHOICE
    by_type = {
        bool: Shape.YES_NO,
        int: Shape.NUMBER,
        float: Shape.NUMBER,
        Decimal: Shape.NUMBER,
        date: Shape.DATE,
    }
    last, rest = _singular(words[-1]), words[:-1]
    if base in by_type:
        is_id = base is int and last in _LAST_WORDS[Shape.ID] and rest
        return Shape.ID if is_id else by_type[base]
    if last in {"address", "number", "no", "code"}:
        for shape in (Shape.EMAIL, Shape.PHONE, Shape.POSTCODE):
            if (_LAST_WORDS[shape] | ({"postal"} if shape is Shape.POSTCODE else set())) & set(rest):
                return shape
    if last == "name" and set(rest) <= _PERSON:
        return Shape.NAME
    if _NO_ID & set(rest):
        return Shape.TEXT
    return next((shape for shape, known in _LAST_WORDS.items() if last in known), Shape.TEXT)


def _singular(word: str) -> str:
    known = set[str]().union(*_LAST_WORDS.values()) | {"name"}
    return next(
        (form for form in (word, word.removesuffix("s"), word.removesuffix("es")) if form in known), word
    )


# Comparing what was said ---------------------------------------------------------------------------------------------

_UNIFIED: Final = {
    **dict.fromkeys("‘’‚‛′´`ʼ＇", "'"),
    **dict.fromkeys("“”„‟″«»「」『』＂", '"'),
    **dict.fromkeys("‐‑‒–—―−－", "-"),
}


@lru_cache(maxsize=4096)
def _fold_char(char: str) -> str:
    """How one character counts when words are compared: compatibility form, decomposed, without case."""
    category = unicodedata.category(char)
    if char.isspace() or category in {"Cc", "Zs", "Zl", "Zp"}:
        return " "
    if category == "Cf":
        return ""
    if char in _UNIFIED:
        return _UNIFIED[char]
    folded = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", char).casefold())
    return "".join(_UNIFIED.get(part, part) for part in folded if not part.isspace()) or " "


class Span(NamedTuple):
    """Code points `start` to `end` of a text, the last not included."""

    start: int
    end: int

    def meets(self, other: Span) -> bool:
        """Whether they share a code point."""
        return self.start < other.end and other.start < self.end


class Folded:
    """A text as it counts when words are compared (NFKC, case, blanks, quotes and dashes), with the way back.

    It is kept decomposed, character by character, so that every offset leads to the original code point; two texts are
    equal in this form exactly when their composed forms are.

    Attributes:
        text: the folded text.
    """

    def __init__(self, text: str) -> None:
        pieces: list[str] = []
        self._at: list[int] = []
        for index, char in enumerate(text):
            folded = _fold_char(char)
            if folded == " " and (not pieces or pieces[-1] == " "):
                continue
            if folded:
                pieces.append(folded)
                self._at += [index] * len(folded)
        self.text = "".join(pieces)
        self._at.append(len(text))
        self._source = text

    def occurrences(self, words: str) -> Iterator[Span]:
        """Where `words` stand whole, as spans of the original text."""
        needle = fold(words)
        start = self.text.find(needle) if needle else -1
        while start >= 0:
            end = start + len(needle)
            if self._whole(start, end):
                yield Span(self._at[start], self._at[end - 1] + 1)
            start = self.text.find(needle, start + 1)

    def _whole(self, start: int, end: int) -> bool:
        """Whether a match cuts no word, number or character in two."""
        text, at = self.text, self._at
        cut_before = start > 0 and (
            at[start - 1] == at[start] or (_inner(text[start - 1]) and _inner(text[start]))
        )
        cut_after = end < len(text) and (
            at[end] == at[end - 1]
            or unicodedata.combining(text[end]) > 0
            or (_inner(text[end]) and _inner(text[end - 1]))
        )
        return not (cut_before or cut_after)


def _inner(char: str) -> bool:
    """Whether a word goes on through this character; scripts without blanks between words have no such place."""
    return char.isalnum() and unicodedata.category(char) != "Lo"


def fold(text: str) -> str:
    """`text` as it counts when words are compared, without blanks at its ends."""
    return Folded(text).text.strip()


def _words_of(option: str) -> str:
    return fold(re.sub(r"[_\s-]+", " ", option))


def meaning(value: Scalar) -> str:
    """A spelling that two values share exactly when they mean the same: `#12345` and `12345`, `Nuts` and `nuts`."""
    if not isinstance(value, str):
        return f"{type(value).__name__} {value}"
    whole = [found for found in find(value) if (found.start, found.end) == (0, len(value))]
    return f"{whole[0].kind} {whole[0].norm}" if whole else f"text {fold(value)}"


# Reading values ------------------------------------------------------------------------------------------------------

_LONGEST: Final = 500
_YES: Final = _set("yes y yeah yep true on 1 si sí ja oui sim da 是 对")
_NO: Final = _set("no n nope false off 0 not nein non não nao net 不 不是")
_EMAIL_ONLY: Final = re.compile(r"[^\s@]{1,64}@[^\s@.]+(?:\.[^\s@.]+)+")
_POSTCODE_ONLY: Final = re.compile(r"(?=[^\d]*\d)[A-Za-z\d][A-Za-z\d -]{1,9}[A-Za-z\d]")


class Coerced(NamedTuple):
    """What a raw value is for a key.

    Attributes:
        values: one for each thing said; none where nothing was.
        problem: why it is not a value for this key, or "".
    """

    values: tuple[Scalar, ...]
    problem: str = ""


class _Unfit(ValueError):
    """A raw value that is none for the key; its message never repeats the value."""


def coerce(key: Key, raw: object) -> Coerced:
    """Read a value as an extractor or an application gives it: `12345` for a str key, a list for a `Many`, None for nothing."""
    if raw is None:
        return Coerced(())
    items = list(cast("Iterable[object]", raw)) if isinstance(raw, list | tuple | set | frozenset) else [raw]
    if len(items) > 1 and not key.many:
        return Coerced((), f"{key.name} has one value at a time, and {len(items)} were given")
    values: list[Scalar] = []
    try:
        for item in items:
            value = None if item is None else _fit(key, item)
            if value is not None and value not in values:
                values.append(value)
    except ValueError as error:
        return Coerced(
            tuple(values), f"{key.name} {error if isinstance(error, _Unfit) else 'cannot be read'}"
        )
    return Coerced(tuple(values))


def _fit(key: Key, raw: object) -> Scalar:
    """One raw value, validated and stored as JSON has it."""
    base = key.base
    if key.options:
        fitted: object = _fit_option(key, raw)
    elif base is str:
        fitted = _fit_text(raw)
    elif base is bool:
        fitted = _fit_bool(raw)
    elif base is date:
        fitted = _fit_date(raw)
    else:
        fitted = _fit_number(base, raw)
    value = _validated(key, fitted)
    if key.pattern is not None and not re.fullmatch(key.pattern, str(value)):
        raise _Unfit("does not match its pattern")
    if isinstance(value, str) and (problem := _misshapen(key.shape, value)):
        raise _Unfit(problem)
    return value


def _validated(key: Key, fitted: object) -> Scalar:
    try:
        value = key.adapter.validate_python(fitted)
    except ValidationError as error:
        raise _Unfit(
            "is not valid: " + error.errors(include_input=False, include_url=False)[0]["msg"]
        ) from None
    except Exception as error:  # noqa: BLE001  # a user's own validator may raise anything; a fact never fails a turn
        raise _Unfit(f"cannot be validated ({type(error).__name__})") from None
    if isinstance(value, Enum):
        value = value.value
    if isinstance(value, Decimal):
        value = plain(value)
    return value.isoformat() if isinstance(value, date) else value


def _fit_text(raw: object) -> str:
    if isinstance(raw, bool) or not isinstance(raw, str | int | float | Decimal | date | Enum):
        raise _Unfit(f"is text, and {type(raw).__name__} was given")
    if isinstance(raw, Enum):
        raw = raw.value
    text = str(raw)
    if isinstance(raw, float) and raw.is_integer():
        text = str(int(raw))
    text = " ".join(re.sub(r"[\x00-\x1f\x7f-\x9f]", " ", text).split())
    if len(text) > 1 and (text[0], text[-1]) in {('"', '"'), ("“", "”"), ("«", "»")}:
        text = text[1:-1].strip()
    if not text or len(text) > _LONGEST:
        raise _Unfit(f"is longer than {_LONGEST} characters" if text else "is empty")
    if re.search("[\ud800-\udfff]", text):
        raise _Unfit("holds half a character")
    return text


def _fit_bool(raw: object) -> bool:
    if isinstance(raw, bool):
        return raw
    said = fold(str(raw)) if isinstance(raw, str | int) else ""
    if said in _YES or said in _NO:
        return said in _YES
    raise _Unfit("is yes or no")


def _fit_date(raw: object) -> str:
    if isinstance(raw, date):
        return (raw.date() if isinstance(raw, datetime) else raw).isoformat()
    dates = (
        {found.norm for found in find(raw) if found.kind is ValueKind.DATE}
        if isinstance(raw, str)
        else set[str]()
    )
    norm = dates.pop() if len(dates) == 1 else "?"
    try:
        return date.fromisoformat(norm).isoformat()
    except ValueError:
        raise _Unfit("is not a full date: a day, a month and a year whose order is certain") from None


def _fit_number(base: Any, raw: object) -> object:
    if isinstance(raw, bool) or not isinstance(raw, str | int | float | Decimal):
        raise _Unfit(f"is a number, and {type(raw).__name__} was given")
    if isinstance(raw, str):
        said = {found.value for found in numbers(raw)}
        if len(said) != 1:
            raise _Unfit("is a number")
        raw = said.pop()
    exact = Decimal(str(raw))
    if not exact.is_finite() or abs(exact) >= Decimal(10) ** 30:
        raise _Unfit("is a number")
    if base is int and exact != exact.to_integral_value():
        raise _Unfit("is a whole number")
    return int(exact) if base is int else float(exact) if base is float else exact


def _fit_option(key: Key, raw: object) -> Scalar:
    said = _words_of(str(raw.value if isinstance(raw, Enum) else raw))
    if said in key.options:
        return key.options[said]
    known = ", ".join(dict.fromkeys(str(value) for value in key.options.values()))
    raise _Unfit(f"is one of {known}")


def _misshapen(shape: Shape, text: str) -> str:
    """Why `text` cannot be of this shape, or ""."""
    digits = sum(char.isdecimal() for char in text)
    lettered = any(char.isalpha() for char in text)
    match shape:
        case Shape.EMAIL:
            fits = _EMAIL_ONLY.fullmatch(text) is not None
        case Shape.PHONE:
            fits = 6 <= digits <= 17 and re.fullmatch(r"[\d\s()+./x#-]+", text) is not None
        case Shape.POSTCODE:
            fits = _POSTCODE_ONLY.fullmatch(text) is not None
        case Shape.ID:
            fits = len(text) <= 64 and (digits > 0 or (text.isupper() and " " not in text))
        case Shape.NAME:
            fits = lettered and digits <= 2 and not re.search(r"[@/]", text)
        case Shape.DATE:
            fits = digits > 0 or any(value.kind is ValueKind.DATE for value in find(text))
        case Shape.ADDRESS:
            fits = lettered and "@" not in text
        case _:
            fits = True
    return "" if fits else f"does not look like {_SHAPE_NAMES[shape]}"


_SHAPE_NAMES: Final = {
    Shape.EMAIL: "an e-mail address",
    Shape.PHONE: "a phone number",
    Shape.POSTCODE: "a postal code",
    Shape.ID: "an id",
    Shape.NAME: "a name",
    Shape.DATE: "a date",
    Shape.ADDRESS: "an address",
}


# What is never remembered by default ---------------------------------------------------------------------------------

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


# Admitting -----------------------------------------------------------------------------------------------------------


class Source(StrEnum):
    """Where a fact comes from: the more an application may rely on it, the later in this list."""

    TRANSCRIPT = "transcript"
    USER_QUOTE = "user_quote"
    USER_CONFIRMED = "user_confirmed"
    APP = "app"


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that was said, with its source; a correction is a new fact.

    Attributes:
        key: which key of the declaration.
        value: the value as JSON has it.
        source: where it comes from.
        quote: the user's own words, exactly `message[start:end]`; "" from an application.
        start: where the quote starts in the message, in code points.
        end: one past its end.
        conversation: where it was said.
        turn: in which turn, from 1; 0 outside any turn.
        at: when, in microseconds since the epoch.
        expires_at: until when it is good, in microseconds since the epoch, or None for ever.
        question: the assistant's words that the quote answers, or "".
        retracted: whether this takes back what it names instead of stating it.
        many: whether its key collects values.
    """

    key: str
    value: Scalar
    source: Source
    quote: str
    start: int
    end: int
    conversation: str
    turn: int
    at: int
    expires_at: int | None
    question: str = ""
    retracted: bool = False
    many: bool = False


@dataclass(frozen=True, slots=True)
class Candidate:
    """What an extractor proposes.

    Attributes:
        key: which key of the declaration.
        value: the value, as the extractor has it.
        quote: the user's words for it; "" where the value itself stands in the message.
        question: the assistant's words that it answers, or "".
    """

    key: str
    value: object
    quote: str
    question: str = ""


@dataclass(frozen=True, slots=True)
class Refusal:
    """A candidate that is not a fact.

    Attributes:
        candidate: what was proposed; a secret in it is replaced by "[redacted]".
        reason: why not, in one sentence that repeats no value.
    """

    candidate: Candidate
    reason: str


class _Place(NamedTuple):
    """Which words a fact stands on; `exact` where they are the value itself, and not only its quote."""

    key: str
    meaning: str
    span: Span
    exact: bool

    def excludes(self, other: _Place) -> bool:
        """Whether both cannot stand: words feed one key, unless they are a part of a longer value of another key."""
        if self.exact != other.exact or not self.span.meets(other.span):
            return False
        one, two = self.span, other.span
        nested = one != two and (min(one.start, two.start), max(one.end, two.end)) in {one, two}
        return self.key == other.key or not (nested and self.exact)


class _Admitted(NamedTuple):
    fact: Fact
    place: _Place


_SENTENCE_END: Final = re.compile(
    r"(?<=[.!?؟])(?<!\b(?:St|Dr|Mr|Ms|No|Rd|Ln)\.)(?<!\b(?:Ave|Apt|Mrs|Ste|Str)\.)\s+|(?<=[。！？])|\n+"
)
_GENERIC_CHECK: Final = re.compile(
    r"(?:(?:is|are|was|does|do|can|could|would|please|all|that|this|it|these|those|everything|you|sound|look|the|and)\s+)*"
    r"(?:(?:correct|right|ok|okay|good|fine|accurate|true|confirm|yes|no)(?:\s+(?:that|this|it|for me|please|or not))*)"
    r"|(?:ist|stimmt|war) (?:das|dies|es)(?: so)?(?: richtig| korrekt)?|richtig|korrekt|correcto|¿?(?:es|está) (?:correcto|bien)"
    r"|(?:c'est|est-ce) (?:bien )?(?:ça|exact|correct|cela)|对吗|是吗|正确吗|よろしいですか|맞나요"
)
_UNCLEAR: Final = re.compile(r"\b(?:or|oder|ou|o|u|not|nicht|kein|keine|pas|never)\b|n't\b|还是|または")
_UNSPACED_YES: Final = re.compile(
    r"(?:是的?|对的?|對的?|没错|沒錯|正确|好的|嗯|はい|ええ|そうです|正しいです|네|예|맞아요|맞습니다|그래요)+"
)


def sentences(text: str) -> Iterator[Span]:
    """The sentences of a text, without the blanks around them."""
    start = 0
    for end in (*_SENTENCE_END.finditer(text), None):
        piece = text[start : end.start() if end else len(text)]
        if piece.strip():
            begin = start + len(piece) - len(piece.lstrip())
            yield Span(begin, begin + len(piece.strip()))
        start = end.end() if end else start


def _spelled(value: object) -> str:
    """A raw value as text; "" for what is neither text nor a number."""
    try:
        return str(value) if isinstance(value, str | int | float | Decimal | date) else ""
    except ValueError:  # an integer of thousands of digits has no text
        return ""


def _unaccented(text: str) -> str:
    return "".join(char for char in fold(text) if not unicodedata.combining(char))


_AFFIRMATIVE: Final = _set(
    _unaccented(
        "yes yeah yep yup ya yea aye correct right exactly sure indeed affirmative confirmed absolutely definitely certainly si claro "
        "correcto exacto ja jawohl genau richtig stimmt korrekt oui exact exactement esatto sim certo correto da да так верно "
        "evet tak igen ano נכון כן نعم"
    )
)
_POLITE: Final = _AFFIRMATIVE | _set(
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


@dataclass(frozen=True, slots=True)
class _Heard:
    """The one message that candidates must stand on, and the question before it."""

    keys: Mapping[str, Key]
    message: str
    question: str
    conversation: str
    turn: int
    at: int
    folded: Folded
    secrets: tuple[Span, ...]

    def exposes(self, text: str) -> bool:
        """Whether `text` is a secret, holds one, or is a piece of one that the message holds."""
        folded = fold(text)
        held = [self.message[slice(*span)] for span in self.secrets]
        return bool(secrets(text)) or any(
            any(Folded(text).occurrences(secret)) or (len(folded) > 2 and folded in fold(secret))
            for secret in held
        )

    def fact(self, key: Key, value: Scalar, source: Source, span: Span, question: str) -> Fact:
        return Fact(
            key=key.name,
            value=value,
            source=source,
            quote=self.message[slice(*span)],
            start=span.start,
            end=span.end,
            conversation=self.conversation,
            turn=self.turn,
            at=self.at,
            expires_at=_expiry(key, self.at),
            question="" if secrets(question) and not key.sensitive else question,
            many=key.many,
        )


def _expiry(key: Key, at: int) -> int | None:
    return None if key.expires is None else at + key.expires // timedelta(microseconds=1)


def admit(
    candidate: Candidate,
    *,
    keys: Mapping[str, Key],
    message: str,
    question: str = "",
    conversation: str,
    turn: int,
    at: int,
) -> Fact | Refusal:
    """Make a fact of a candidate with one value, if the user's own words say it.

    The quote must stand in the message (compared by `Folded`), and the value in the quote. Otherwise the message must
    say yes to a question that holds the value.

    Args:
        candidate: what an extractor proposes.
        keys: the declaration.
        message: the user's own words and nothing else: no injected text, no tool output.
        question: what the assistant said before.
        conversation: where it was said.
        turn: in which turn.
        at: when, in microseconds since the epoch.
    """
    heard = _Heard(keys, message, question, conversation, turn, at, Folded(message), secrets(message))
    outcome = _consider(candidate, heard, ())
    return outcome.fact if isinstance(outcome, _Admitted) else outcome


def admit_all(
    candidates: Iterable[Candidate],
    *,
    keys: Mapping[str, Key],
    message: str,
    question: str = "",
    conversation: str,
    turn: int,
    at: int,
) -> tuple[Fact | Refusal, ...]:
    """As `admit`, for all candidates from one message, in order: a list is one candidate per item, words feed one key.

    A candidate that repeats one before it is left out.
    """
    heard = _Heard(keys, message, question, conversation, turn, at, Folded(message), secrets(message))
    outcomes: list[Fact | Refusal] = []
    places: list[_Place] = []
    for candidate in candidates:
        for single in _one_by_one(candidate, keys):
            outcome = _consider(single, heard, places)
            if isinstance(outcome, Refusal):
                outcomes.append(outcome)
            elif not any(outcome.place[:2] == place[:2] for place in places):
                outcomes.append(outcome.fact)
                places.append(outcome.place)
    return tuple(outcomes)


def _one_by_one(candidate: Candidate, keys: Mapping[str, Key]) -> Iterator[Candidate]:
    items = candidate.value
    if (
        isinstance(items, list | tuple | set | frozenset)
        and candidate.key in keys
        and keys[candidate.key].many
    ):
        yield from (replace(candidate, value=item) for item in cast("Iterable[object]", items))
    else:
        yield candidate


def _refusal(candidate: Candidate, reason: str, heard: _Heard) -> Refusal:
    """The refusal, with no secret in it."""
    if not (
        heard.exposes(_spelled(candidate.value))
        or heard.exposes(candidate.quote)
        or secrets(candidate.question)
    ):
        return Refusal(candidate, reason)
    return Refusal(Candidate(candidate.key, "[redacted]", "[redacted]"), reason)


def _consider(candidate: Candidate, heard: _Heard, places: Sequence[_Place]) -> _Admitted | Refusal:
    """A candidate with one value, after those whose words are in `places`."""
    key = heard.keys.get(candidate.key)
    if key is None:
        return _refusal(candidate, f"There is no such key; the keys are {', '.join(heard.keys)}.", heard)
    coerced = coerce(key, candidate.value)
    values = list(coerced.values)
    if not key.sensitive and heard.exposes(_spelled(candidate.value)):
        outcome: _Admitted | str = "It looks like a payment card or a secret, which is not remembered."
    elif coerced.problem or not values:
        outcome = f"{coerced.problem or 'No value was given'}."
    elif len(values) > 1:
        outcome = f"{len(values)} values were given at once."
    else:
        outcome = _stated(key, values[0], candidate, heard, places) or _confirmed(
            key, values[0], candidate, heard
        )
    if isinstance(outcome, _Admitted):
        return outcome
    return _refusal(candidate, outcome or _why_not(candidate, heard), heard)


def _quotes(key: Key, value: Scalar, candidate: Candidate, heard: _Heard) -> Iterator[Span]:
    """Where the message has the candidate's quote; without a quote, where it says the value."""
    if candidate.quote:
        for words in dict.fromkeys((candidate.quote, candidate.quote.strip(_EDGES))):
            yield from heard.folded.occurrences(words)
    elif key.base is not bool:
        yield from heard.folded.occurrences(_spelled(candidate.value))
        found = _locate(key, value, candidate.value, heard.message)
        if found:
            yield found


def _stated(
    key: Key, value: Scalar, candidate: Candidate, heard: _Heard, places: Sequence[_Place]
) -> _Admitted | str:
    """The fact that the message states, or why it cannot be one; "" where the message does not state it."""
    problem = ""
    for quoted in _quotes(key, value, candidate, heard):
        found = _locate(key, value, candidate.value, heard.message[slice(*quoted)])
        if found is None:
            continue
        words = Span(quoted.start + found.start, quoted.start + found.end)
        place = _Place(key.name, meaning(value), words, exact=key.base is not bool)
        holds_secret = not key.sensitive and any(quoted.meets(secret) for secret in heard.secrets)
        if holds_secret and not place.exact:
            problem = "Its quote holds a payment card or a secret."
        elif any(place.excludes(other) and place[:2] != other[:2] for other in places):
            problem = "The same words already stand for another value."
        else:
            question = _verbatim(candidate.question, heard.question)
            span = words if holds_secret else quoted
            return _Admitted(heard.fact(key, value, Source.USER_QUOTE, span, question), place)
    return problem


_EDGES: Final = " \t\n.,;:!?…\"'“”‘’«»"


def _why_not(candidate: Candidate, heard: _Heard) -> str:
    if any(heard.folded.occurrences(candidate.quote.strip(_EDGES))):
        return "The quote does not say the value."
    return (
        "The quote does not stand in the user's message."
        if candidate.quote
        else "The user did not say the value."
    )


def _verbatim(words: str, text: str) -> str:
    """`words` as they stand in `text`, or ""."""
    span = next(Folded(text).occurrences(words), None) if words else None
    return text[slice(*span)] if span else ""


def _confirmed(key: Key, value: Scalar, candidate: Candidate, heard: _Heard) -> _Admitted | str:
    """The fact that a yes makes of the value in a question; none where the question offers a choice or asks for another thing."""
    if key.base is bool or not affirms(heard.message):
        return ""
    parts = [(span, heard.question[slice(*span)]) for span in sentences(heard.question)]
    asking = [index for index, (_, text) in enumerate(parts) if re.search(r"[?？؟]|吗", text)]
    if not asking:
        return ""
    last = asking[-1]
    if _GENERIC_CHECK.fullmatch(re.sub(r"[?？.,!。吗]+$", "", parts[last][1]).strip().casefold()):
        about = parts[:last]
    else:
        about = [] if _UNCLEAR.search(parts[last][1].casefold()) else [parts[last]]
    for span, text in about:
        if found := _locate(key, value, candidate.value, text):
            start = len(heard.message) - len(heard.message.lstrip())
            answer = Span(start, start + len(heard.message.strip()))
            # A place in the question cannot meet one in the message: it stands before the message's first character
            offset = span.start - len(heard.question) - 1
            place = _Place(
                key.name, meaning(value), Span(offset + found.start, offset + found.end), exact=True
            )
            return _Admitted(heard.fact(key, value, Source.USER_CONFIRMED, answer, text), place)
    return ""


def _locate(key: Key, value: Scalar, raw: object, text: str) -> Span | None:
    """Where `text` says `value`; anywhere, for a yes or no."""
    if isinstance(value, bool) and not key.options:
        contrary = _NO if value else _YES
        return None if fold(text).strip(_EDGES) in contrary else Span(0, len(text))
    if key.options:
        said = Folded(re.sub(r"[_-]", " ", text))
        words = [option for option, meant in key.options.items() if meant == value]
        return next((span for option in words for span in said.occurrences(option)), None)
    if key.base is not str and key.base is not date:
        exact = Decimal(str(value))
        return next((Span(at.start, at.end) for at in numbers(text) if at.value == exact), None)
    spellings = [str(value), *([raw] if isinstance(raw, str) else [])]
    literal = (span for words in spellings for span in Folded(text).occurrences(words.strip(_EDGES)))
    return next(literal, None) or _locate_meaning(str(value), text)


def _locate_meaning(value: str, text: str) -> Span | None:
    """Where `text` says an id, amount, date… that means `value` and leaves no more open than it does."""
    meant = [found for found in find(value) if (found.start, found.end) == (0, len(value))]
    for said in find(text) if meant else ():
        open_parts = [sum(found.norm.count(mark) for mark in "?|") for found in (said, meant[0])]
        alike = said.kind is meant[0].kind or {said.kind, meant[0].kind} <= {ValueKind.ID, ValueKind.PHONE}
        if alike and open_parts[0] <= open_parts[1] and same(said, meant[0]):
            return Span(said.start, said.end)
    runs = [Span(*match.span()) for match in re.finditer(r"[^\W_]+", text)]
    wanted = re.sub(r"[\W_]+", "", fold(value))
    if any(char.isdecimal() for char in wanted):
        for first in range(len(runs)):
            joined = ""
            for run in runs[first : first + 12]:
                joined += fold(text[slice(*run)])
                if joined == wanted:
                    return Span(runs[first].start, run.end)
    return None


def told(
    keys: Mapping[str, Key], values: Mapping[str, object], *, conversation: str, at: int
) -> tuple[Fact, ...]:
    """The facts that an application states about its user; a list holds several values of a `Many` key.

    Raises:
        FactsDeclarationError: no such key, the value does not fit it, or it is a secret.
    """
    facts: list[Fact] = []
    heard = _Heard(keys, "", "", conversation, 0, at, Folded(""), ())
    for name, raw in values.items():
        key = _declared_key(keys, name)
        coerced = coerce(key, raw)
        if coerced.problem or not coerced.values:
            fix = "Give a value of its type; forget(...) takes a fact back"
            raise FactsDeclarationError(name, coerced.problem or "no value was given", fix)
        if not key.sensitive and any(secrets(str(value)) for value in coerced.values):
            fix = "Do not remember it, or declare the key with key(..., sensitive=True)"
            raise FactsDeclarationError(name, "the value looks like a payment card or a secret", fix)
        facts += [heard.fact(key, value, Source.APP, Span(0, 0), "") for value in coerced.values]
    return tuple(facts)


def forgotten(
    keys: Mapping[str, Key], names: Iterable[str], standing: Iterable[Fact], *, conversation: str, at: int
) -> tuple[Fact, ...]:
    """The retractions, by the application, of what stands under some keys.

    Raises:
        FactsDeclarationError: no such key, neither declared nor on record.
    """
    held = tuple(fact for fact in standing if not fact.retracted)
    recorded = {fact.key for fact in held}
    for name in dict.fromkeys(names):
        if name not in recorded:
            _declared_key(keys, name)
    return tuple(
        Fact(
            fact.key,
            fact.value,
            Source.APP,
            "",
            0,
            0,
            conversation,
            0,
            at,
            None,
            retracted=True,
            many=fact.many,
        )
        for fact in held
        if fact.key in set(names)
    )


def _declared_key(keys: Mapping[str, Key], name: str) -> Key:
    if name not in keys:
        known = f"Use one of {', '.join(keys)}" if keys else "Declare a Facts class and pass it as facts="
        raise FactsDeclarationError(name, "there is no such key", known)
    return keys[name]


# Superseding ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Projection:
    """Facts folded by key; every fact in it is one of those that were folded.

    Attributes:
        standing: those not superseded or taken back, by key. What a user says of a key that the application has
            verified stands behind the application's fact.
        said: all of them, each once, in order of time.
        single: the keys with one value at a time.
    """

    standing: tuple[Fact, ...]
    said: tuple[Fact, ...]
    single: frozenset[str]

    def active(self, now: int) -> tuple[Fact, ...]:
        """The facts in force at `now` (microseconds since the epoch): none expired, one for each single key."""
        good = [fact for fact in self.standing if not _ended(fact, now)]
        by_app = {fact.key for fact in good if fact.source is Source.APP} & self.single
        return tuple(fact for fact in good if fact.source is Source.APP or fact.key not in by_app)

    def history(self, key: str) -> tuple[Fact, ...]:
        """Everything that was said about a key, retractions included, in order of time."""
        return tuple(fact for fact in self.said if fact.key == key)


def supersede(history: Iterable[Fact], keys: Mapping[str, Key] | None = None) -> Projection:
    """Fold facts into what stands. Of facts said at the same time, the later in `history` is the newer.

    It makes no difference how often a fact is repeated in `history` after its first mention.

    Args:
        history: the facts of one owner.
        keys: the declaration of today: its order, and which keys collect. Facts of other keys do not stand. Without
            it, each fact says itself whether its key collects.
    """
    said = sorted(dict.fromkeys(history), key=lambda fact: fact.at)
    standing: dict[str, _Held] = {name: {} for name in keys or ()}
    single: set[str] = set()
    for fact in said:
        if keys is None or fact.key in keys:
            many = fact.many if keys is None else keys[fact.key].many
            if not many:
                single.add(fact.key)
            _apply(standing.setdefault(fact.key, {}), fact, many=many)
    in_order = tuple(fact for held in standing.values() for fact in held.values())
    return Projection(in_order, tuple(said), frozenset(single))


_Held: TypeAlias = dict[tuple[bool, str], Fact]
"""The facts of one key by whether they are the application's, and by what they mean."""


def _apply(held: _Held, fact: Fact, *, many: bool) -> None:
    """Apply one fact to those of its key: the application's word goes over the user's, never the other way round."""
    by_app, what = fact.source is Source.APP, meaning(fact.value)
    replaced = [
        (app, other)
        for app, other in held
        if (by_app or not app)
        and (not many or other == what)
        and (fact.retracted or (app, other) != (by_app, what))
    ]
    for place in replaced:
        del held[place]
    verified = held.get((True, what))
    if fact.retracted or (many and not by_app and verified and not _ended(verified, fact.at)):
        return
    before = held.get((by_app, what))
    if before is None or _ended(before, fact.at) or _rank(fact) > _rank(before) or _outlives(fact, before):
        held[by_app, what] = fact


def _outlives(fact: Fact, before: Fact) -> bool:
    return before.expires_at is not None and (fact.expires_at is None or fact.expires_at > before.expires_at)


def _ended(fact: Fact, now: int) -> bool:
    return fact.expires_at is not None and fact.expires_at <= now


def _rank(fact: Fact) -> int:
    return list(Source).index(fact.source)


# Showing -------------------------------------------------------------------------------------------------------------

_SHOWN: Final = 80
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


def render(facts: Iterable[Fact], keys: Mapping[str, Key] | None = None) -> str:
    """One line per key: its values, each with its source, as in `order_id: 12345 (customer said on 2026-11-23: "order 12345")`.

    Args:
        facts: what to show; retractions are left out.
        keys: the declaration that orders the lines; without it a key stands where it first occurs in `facts`.
    """
    lines: dict[str, list[Fact]] = {name: [] for name in keys or ()}
    for fact in facts:
        if not fact.retracted:
            lines.setdefault(fact.key, []).append(fact)
    return "\n".join(
        f"{name}: " + "; ".join(dict.fromkeys(_render_fact(fact) for fact in sorted(held, key=_by_value)))
        for name, held in lines.items()
        if held
    )


def _by_value(fact: Fact) -> tuple[str, str, int]:
    return (str(fact.value), fact.source, fact.at)


def _render_fact(fact: Fact) -> str:
    try:
        day = (_EPOCH + timedelta(microseconds=fact.at)).date().isoformat()
    except OverflowError:
        day = "an unknown day"
    match fact.source:
        case Source.APP:
            source = "verified by the application"
        case Source.USER_CONFIRMED:
            source = f"customer confirmed on {day}: {_quoted(fact.question)} {_quoted(fact.quote)}"
        case Source.USER_QUOTE:
            source = f"customer said on {day}: {_quoted(fact.quote)}"
        case Source.TRANSCRIPT:
            source = f"unconfirmed, from a transcript of {day}: {_quoted(fact.quote)}"
    return f"{_rendered_value(fact.value)} ({source})"


def _rendered_value(value: Scalar) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    text = " ".join(str(value).split())
    # What could be taken for the source of a fact stands in quotation marks
    return _quoted(text) if re.search(r"[:;\"]|\([^\d)]", text) else text


def _quoted(text: str) -> str:
    text = " ".join(text.split()).replace('"', "”")
    return f'"{text if len(text) <= _SHOWN else text[: _SHOWN - 1].rstrip() + "…"}"'
