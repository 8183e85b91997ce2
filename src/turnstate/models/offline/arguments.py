"""The arguments of a tool call, from what is known, as the tool's schema wants them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, cast

from pydantic_ai.tools import ToolDefinition

from turnstate.models.offline.families import vocabulary
from turnstate.models.offline.fields import name_parts
from turnstate.models.offline.questions import Wanted
from turnstate.models.offline.toolbox import Call, properties, required, slot_of
from turnstate.models.offline.words import families


@dataclass(frozen=True, slots=True)
class Values:
    """What a call can be filled with; "" is unknown.

    Attributes:
        order: the order number.
        address: the new address.
        reason: the reason, in the customer's words.
        person: the customer's "email", "name" or "phone", or "".
        fact: the value on record under a key, or "".
    """

    order: str
    address: str
    reason: str
    person: Callable[[Literal["email", "name", "phone"]], str]
    fact: Callable[[str], str]

    def of(self, slot: str, parameter: str) -> str:
        """What is known for a parameter of this slot, or ""."""
        match slot:
            case "order" | "address" | "reason":
                return str(getattr(self, slot))
            case "email" | "name" | "phone":
                return self.person(slot)
            case _:
                return self.fact(parameter)


@dataclass(frozen=True, slots=True)
class Missing:
    """A call cannot be made yet.

    Attributes:
        wants: what to ask the customer for; None if no answer could fill the tool.
    """

    wants: Wanted | None


_REASONS: Final[tuple[tuple[str, frozenset[str]], ...]] = (
    (
        "broken",
        vocabulary("damaged damage broken defective defect faulty fault quality"),
    ),
    ("wrong", frozenset(["wrong", "incorrect", "mismatch", "different"])),
    ("late", frozenset(["late", "missing", "lost", "received", "delayed", "delivered"])),
    ("mind", frozenset(["changed", "mind", "unwanted", "longer", "needed"])),
)
_MISSING: Final[dict[str, Wanted]] = {
    "order": "order",
    "address": "address",
    "reason": "reason",
    "email": "email",
    "name": "name",
    "phone": "phone",
}


def fill(tool: ToolDefinition, values: Values) -> Call | Missing:
    """A call of `tool`, or what is missing for one."""
    args: dict[str, Any] = {}
    for parameter, schema in properties(tool).items():
        slot = slot_of(parameter, tool)
        known = values.of(slot, parameter)
        value = _as_schema(parameter, schema, known, slot) if known else _constant(schema)
        if value is not None:
            args[parameter] = value
        elif parameter in required(tool):
            return Missing(_MISSING.get(slot) if slot else None)
    return Call(tool.name, args)


def _constant(schema: Mapping[str, Any]) -> Any:
    """The only value that a parameter can have, if there is just one."""
    if "const" in schema:
        return schema["const"]
    options = schema.get("enum")
    return (
        cast("list[Any]", options)[0]
        if isinstance(options, list) and len(cast("list[Any]", options)) == 1
        else None
    )


def _as_schema(parameter: str, schema: Mapping[str, Any], text: str, slot: str) -> Any:
    """`text` as its schema wants it; None if it cannot be that."""
    options = schema.get("enum")
    if isinstance(options, list):
        return _option(cast("list[Any]", options), text)
    match schema.get("type", "string"):
        case "string":
            return text if _fits(schema, text) else None
        case "integer":
            digits = text.strip().lstrip("#")
            return int(digits) if digits.isascii() and digits.isdigit() else None
        case "array":
            inner = schema.get("items")
            item = _as_schema(
                parameter, cast("dict[str, Any]", inner) if isinstance(inner, dict) else {}, text, slot
            )
            return None if item is None else [item]
        case "object" if slot == "address":
            return _address_record(schema, text)
        case _:
            return None


def _fits(schema: Mapping[str, Any], text: str) -> bool:
    shortest, longest, pattern = schema.get("minLength", 0), schema.get("maxLength"), schema.get("pattern")
    if len(text) < shortest or (isinstance(longest, int) and len(text) > longest):
        return False
    try:
        return not isinstance(pattern, str) or re.search(pattern, text) is not None
    except re.error:
        return False


def _option(options: list[Any], text: str) -> Any:
    """The option that says the same as `text`, or the one for everything else; None if there is neither."""
    said = text.casefold()
    for option in options:
        if isinstance(option, str) and option.replace("_", " ").casefold() in said:
            return option
    told = {family for word in re.findall(r"[a-z]+", said) for family in families(word)}
    for family, names in _REASONS:
        if family in told:
            for option in options:
                if isinstance(option, str) and names & set(name_parts(option)):
                    return option
    return next(
        (
            option
            for option in options
            if isinstance(option, str) and option.casefold() in {"other", "others", "else"}
        ),
        None,
    )


_POSTCODE: Final = re.compile(
    r"\b(?:[A-Z]{1,2}\d[A-Z\d]?\s?\d[A-Z]{2}|\d{3}\s\d{2}|\d{4,6}(?:-\d{3,4})?)\b", re.IGNORECASE
)


def _address_record(schema: Mapping[str, Any], text: str) -> dict[str, Any] | None:
    """An address taken apart for a tool that wants its parts; None if a required part is not in it."""
    lines = [line.strip() for line in re.split(r"[,\n]", text) if line.strip()]
    if not lines:
        return None
    rest = ", ".join(lines[1:])
    code = _POSTCODE.search(rest)
    town = (rest[: code.start()] + rest[code.end() :] if code else rest).strip(" ,").split(",")[0].strip()
    parts = {
        "street": lines[0],
        "line": lines[0],
        "city": town,
        "town": town,
        "postcode": code[0] if code else "",
    }
    synonyms = {"zip": "postcode", "postal": "postcode", "address": "street", "line1": "street"}
    found: dict[str, Any] = {}
    properties = cast("dict[str, Any]", schema.get("properties") or {})
    for name in properties:
        words = name_parts(name)
        value = next(
            (parts[key] for word in words if (key := synonyms.get(word, word)) in parts and parts[key]), ""
        )
        if value:
            found[name] = value
        elif name in cast("list[str]", schema.get("required") or []):
            return None
    return found or None
