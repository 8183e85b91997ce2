"""Which of the offered tools does what, by their names, parameters and descriptions."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, cast

from pydantic_ai.tools import ToolDefinition

from turnstate.models.offline.families import vocabulary
from turnstate.models.offline.fields import name_parts


class Role(StrEnum):
    """What a support tool is for."""

    LOOKUP = "lookup"
    ADDRESS = "address"
    REFUND = "refund"
    CANCEL = "cancel"


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call to make.

    Attributes:
        tool: the tool's name.
        args: its arguments, valid against its schema as far as the rules can see.
    """

    tool: str
    args: Mapping[str, Any]


_VERBS: Final[dict[Role, frozenset[str]]] = {
    Role.LOOKUP: vocabulary(
        "get lookup look find fetch check track show read view retrieve query search status details info "
        "information"
    ),
    Role.ADDRESS: vocabulary("change update set edit redirect reroute correct modify move"),
    Role.REFUND: frozenset(["refund", "reimburse", "return", "refunds"]),
    Role.CANCEL: frozenset(["cancel", "void", "annul"]),
}
_ACTS: Final = vocabulary(
    "change update set edit redirect reroute modify refund reimburse return cancel void create place "
    "delete remove add send issue book submit"
)
_ORDER_WORDS: Final = vocabulary("order orders purchase parcel package shipment delivery")
_ADDRESS_WORDS: Final = frozenset(["address", "addr", "destination", "shipto"])
_SLOTS: Final[tuple[tuple[str, frozenset[str]], ...]] = (
    ("email", frozenset({"email", "mail"})),
    ("address", _ADDRESS_WORDS | {"street"}),
    (
        "reason",
        vocabulary(
            "reason why note notes comment comments explanation details message issue problem cause justification"
        ),
    ),
    ("phone", frozenset({"phone", "telephone", "mobile"})),
    ("order", vocabulary("order orders purchase reference parcel package shipment")),
    ("name", frozenset({"name"})),
)
_BARE_IDS: Final = frozenset({"id", "number", "no", "code", "ids", "numbers"})


def choose(tools: tuple[ToolDefinition, ...], role: Role) -> ToolDefinition | None:
    """The tool that fits a role best, by its name, parameters and description; None if none does."""
    scored = [(score, -index, tool) for index, tool in enumerate(tools) if (score := _score(tool, role)) > 0]
    return max(scored, key=lambda entry: entry[:2])[2] if scored else None


def role_of(tools: tuple[ToolDefinition, ...], name: str) -> Role | None:
    """The role for which a tool would be chosen, or None."""
    return next(
        (role for role in Role if (tool := choose(tools, role)) is not None and tool.name == name), None
    )


def _score(tool: ToolDefinition, role: Role) -> int:
    name = set(name_parts(tool.name))
    told = set(re.findall(r"[a-z]+", (tool.description or "").lower()[:400]))
    slots = {slot_of(parameter, tool) for parameter in properties(tool)}
    on_order = "order" in slots
    match role:
        case Role.LOOKUP:
            needed = {slot_of(parameter, tool) for parameter in required(tool)}
            by_order = on_order or (name & _ORDER_WORDS and "email" in slots)
            if name & _ACTS or not by_order or needed & {"address", "reason"}:
                return 0
            return 2 * len(name & _VERBS[role]) + 2 * len(name & _ORDER_WORDS) + len(told & _ORDER_WORDS)
        case Role.ADDRESS:
            named = bool(name & (_ADDRESS_WORDS | {"delivery", "shipping"}) or told & _ADDRESS_WORDS)
            if (
                "address" not in slots
                or not named
                or name & (_VERBS[Role.REFUND] | {"get", "validate", "check", "create", "place"})
            ):
                return 0
            return 3 * len(name & _VERBS[role]) + 2 * len(name & _ADDRESS_WORDS) + len(told & _VERBS[role])
        case Role.REFUND | Role.CANCEL:
            if name & {"get", "check", "status", "list", "policy", "lookup", "find"}:
                return 0
            return 3 * len(name & _VERBS[role]) + (
                len(told & _VERBS[role]) if on_order and not name & _VERBS[Role.ADDRESS] else 0
            )


def properties(tool: ToolDefinition) -> dict[str, dict[str, Any]]:
    """The parameters of a tool, each with its schema, references followed."""
    return {
        key: _resolved(value, tool)
        for key, value in _record(tool.parameters_json_schema.get("properties")).items()
    }


def _resolved(schema: Any, tool: ToolDefinition) -> dict[str, Any]:
    """A schema with references followed and `or null` taken off."""
    for _ in range(5):
        record = _record(schema)
        options = record.get("anyOf") or record.get("oneOf")
        if isinstance(record.get("$ref"), str):
            schema = _record(tool.parameters_json_schema.get("$defs")).get(
                str(record["$ref"]).rpartition("/")[2]
            )
        elif isinstance(options, list):
            schema = next((o for o in cast("list[Any]", options) if _record(o).get("type") != "null"), None)
        else:
            return record
    return {}


def _record(value: Any) -> dict[str, Any]:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def slot_of(parameter: str, tool: ToolDefinition) -> str:
    """What a parameter takes: "order", "address", "reason", "email", "name", "phone"; "" if that is not known."""
    parts = frozenset(name_parts(parameter))
    slot = next((slot for slot, names in _SLOTS if parts & names), "")
    if slot:
        # An "address_id" is no address.
        return slot if slot == "order" or not parts & _BARE_IDS or slot == "phone" else ""
    told = set(name_parts(tool.name)) | set(re.findall(r"[a-z]+", (tool.description or "").lower()))
    return "order" if parts and parts <= _BARE_IDS and told & _ORDER_WORDS else ""


def required(tool: ToolDefinition) -> tuple[str, ...]:
    """The names of the parameters that a call must have."""
    return tuple(str(name) for name in tool.parameters_json_schema.get("required") or ())


def same_call(tool: str, args: Mapping[str, Any], call: Call) -> bool:
    """Whether a call that was made is this one: the same tool for the same order, so that nothing runs twice."""
    if tool != call.tool or not args:
        return tool == call.tool
    orders = {
        key: value
        for key, value in call.args.items()
        if set(name_parts(key)) & (_ORDER_WORDS | _BARE_IDS | {"reference"})
    }
    return all(args.get(key) == value for key, value in (orders or call.args).items())
