"""How events and ids are written: a stable tag, a version and compact JSON for every event, and text for any column.

What goes in comes back: NUL, lone surrogates and every other character survive, large binaries stand beside the body
as blobs named by their SHA-256, and a body written by an older version is lifted to the newest one when it is read.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, TypeAlias, cast

from turnstate.core.events import Event
from turnstate.core.facts import Fact
from turnstate.errors import EventDecodeError, EventEncodeError
from turnstate.stores.shapes import EVENTS, FACT

Upcast: TypeAlias = Callable[[dict[str, Any]], dict[str, Any]]
"""A pure function from the body data of one version to that of the next."""

Fetch: TypeAlias = Callable[[str], bytes | None]
"""A blob by its name, or None where there is none."""

UPCASTS: Mapping[tuple[str, int], Upcast] = MappingProxyType({})
"""(tag, version) -> the step from that version to the next. Steps are added, never changed."""

BLOB = 1_000
"""Bytes from which on a binary is a blob: below, its row would cost more than it saves."""

FACTS = 200
"""Characters from which on the facts of a cut are a blob: below, its name would cost more than it saves."""

_SHAPES = {shape.tag: shape for shape in EVENTS}
_TAGS = {shape.kind: shape for shape in EVENTS}
_UNREADABLE = (ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError)
_UNSTORABLE = re.compile("[\\\\\0\ud800-\udfff]")
_ESCAPE = re.compile(r"\\([0-9a-f]{4})")


@dataclass(frozen=True, slots=True)
class Encoded:
    """An event as a store keeps it.

    Attributes:
        tag: which event it is.
        version: the version of the body's fields.
        body: JSON that any database takes as text.
        blobs: large binaries by their SHA-256, hex; the body has the name in their place.
    """

    tag: str
    version: int
    body: str
    blobs: Mapping[str, bytes] = field(default_factory=dict[str, bytes])


def encode(event: Event) -> Encoded:
    """`event` as a store keeps it.

    Raises:
        EventEncodeError: the event holds something that JSON does not.
    """
    shape = _TAGS[type(event)]
    try:
        data = cast("dict[str, Any]", shape.write(event))
        blobs: dict[str, bytes] = {}
        if cut := data.get("request", {}).get("cut"):
            _split_cut(cut, blobs)
        body = _dumps(data)
        if '"kind":"binary"' in body:
            data = json.loads(body)  # a copy: what the event holds is not ours to change
            _split(data, blobs)
            body = _dumps(data)
    except (ValueError, TypeError, RecursionError) as error:
        raise EventEncodeError(shape.tag, str(error)) from error
    return Encoded(shape.tag, shape.version, _storable(body), blobs)


def decode(
    tag: str,
    version: int,
    body: object,
    fetch: Fetch = lambda _: None,
    *,
    upcasts: Mapping[tuple[str, int], Upcast] = UPCASTS,
) -> Event:
    """The event that `encode` wrote, in this or an older version.

    Args:
        tag: as encoded.
        version: as encoded.
        body: as encoded; anything else that a damaged row may hold is refused.
        fetch: where the blobs are.
        upcasts: the steps from older versions.

    Raises:
        EventDecodeError: unknown tag or version, a body that does not read, or a blob that is not there.
    """
    shape = _SHAPES.get(tag)
    if shape is None:
        raise EventDecodeError(tag, version, "there is no such event")
    try:
        data = _loads(body)
        if "blobs" in data:
            _join(data, fetch)
        if cut := data.get("request", {}).get("cut"):
            _join_cut(cut, fetch)
        return shape.read(_lifted(data, tag, version, shape.version, upcasts))
    except _UNREADABLE as error:
        raise EventDecodeError(tag, version, str(error) or type(error).__name__) from error


def _lifted(
    data: dict[str, Any], tag: str, version: int, newest: int, upcasts: Mapping[tuple[str, int], Upcast]
) -> dict[str, Any]:
    for step in range(version, newest):
        data = upcasts[tag, step](data)
    if version > newest:
        raise ValueError(f"this release knows version {newest}")
    return data


def encode_fact(fact: Fact) -> str:
    """One fact as text, for a projection.

    Raises:
        EventEncodeError: the value is not a JSON scalar.
    """
    try:
        return _storable(_dumps(FACT.write(fact)))
    except TypeError as error:
        raise EventEncodeError("fact", f"{fact.key}: {error}") from error


def decode_fact(body: object) -> Fact:
    """The fact that `encode_fact` wrote.

    Raises:
        EventDecodeError: the text does not read as a fact.
    """
    try:
        return FACT.read(_loads(body))
    except _UNREADABLE as error:
        raise EventDecodeError("fact", 1, str(error)) from error


def column(text: str) -> str:
    r"""`text` without NUL and lone surrogates, so that any database takes it as text; `uncolumn` brings them back.

    Those and the backslash become a backslash and four hex digits; different texts stay different, and different
    normal forms of one Unicode text are different texts.
    """
    if _UNSTORABLE.search(text) is None:  # most texts, and finding nothing is quick
        return text
    return _UNSTORABLE.sub(lambda found: f"\\{ord(found[0]):04x}", text)


def uncolumn(text: str) -> str:
    """The text that `column` was given."""
    return _ESCAPE.sub(lambda found: chr(int(found[1], 16)), text)


def _dumps(data: object) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def _storable(body: str) -> str:
    """`body` as text that encodes as UTF-8.

    JSON's own escapes would not do for surrogates: the escapes of a high and a low one that stand side by side, as
    after joining two halves of a stream, read back as one character.
    """
    try:
        body.encode()
    except UnicodeEncodeError:
        return _dumps({"escaped": column(body)})
    return body


def _loads(body: object) -> dict[str, Any]:
    if not isinstance(body, str):
        raise TypeError(f"the body is {type(body).__name__}, not text")
    try:
        body.encode()
    except UnicodeEncodeError:
        raise ValueError("the body is not UTF-8") from None
    data: object = json.loads(body)
    if isinstance(data, dict) and "escaped" in data:
        data = json.loads(uncolumn(cast("dict[str, str]", data)["escaped"]))
    if not isinstance(data, dict):
        raise TypeError("the body is not a JSON object")
    return cast("dict[str, Any]", data)


def _split(data: dict[str, Any], blobs: dict[str, bytes]) -> None:
    """Move the large binaries out of `data` to `blobs`, leave their names, and note the places under "blobs"."""
    places: list[list[str | int]] = []
    for place, node in _objects(data, []):
        if node.get("kind") == "binary" and (content := _binary(node.get("data"))) is not None:
            node["data"] = _named(content, blobs)
            places.append(place)
    if places:
        data["blobs"] = places


def _join(data: dict[str, Any], fetch: Fetch) -> None:
    for place in data.pop("blobs"):
        node: Any = data
        for step in place:
            node = node[step]
        node["data"] = base64.urlsafe_b64encode(_fetched(node["data"], fetch)).decode()


def _split_cut(cut: dict[str, Any], blobs: dict[str, bytes]) -> None:
    """The facts of a cut are the same in every request until the next cut: they are kept once."""
    if len(facts := cut.get("facts", "")) >= FACTS:
        del cut["facts"]
        cut["facts_blob"] = _named(facts.encode("utf-8", "surrogatepass"), blobs)


def _join_cut(cut: dict[str, Any], fetch: Fetch) -> None:
    if name := cut.get("facts_blob"):
        cut["facts"] = _fetched(name, fetch).decode("utf-8", "surrogatepass")


def _named(content: bytes, blobs: dict[str, bytes]) -> str:
    name = hashlib.sha256(content).hexdigest()
    blobs[name] = content
    return name


def _fetched(name: str, fetch: Fetch) -> bytes:
    content = fetch(name)
    if content is None:
        raise ValueError(f"blob {name} is not in the store")
    return content


def _objects(node: object, place: list[str | int]) -> Iterator[tuple[list[str | int], dict[str, Any]]]:
    """Every JSON object in `node`, with the steps that lead to it."""
    if isinstance(node, dict):
        found = cast("dict[str, Any]", node)
        yield place, found
        for key, item in found.items():
            yield from _objects(item, [*place, key])
    elif isinstance(node, list):
        for index, item in enumerate(cast("list[Any]", node)):
            yield from _objects(item, [*place, index])


def _binary(data: object) -> bytes | None:
    """What `data` says in base64, if it is large and written the way it will be written again."""
    if not isinstance(data, str) or len(data) * 3 < BLOB * 4:
        return None
    try:
        content = base64.urlsafe_b64decode(data)
    except ValueError:
        return None
    return content if base64.urlsafe_b64encode(content).decode() == data else None
