"""Values of the user's that a call leaves out although its tool takes them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from turnstate.audit.findings import Finding, Place
from turnstate.audit.values.agree import matches
from turnstate.audit.values.arguments import Argument, Key, key
from turnstate.audit.values.changed import RESTATES
from turnstate.audit.values.fit import PLACED, living, read_back
from turnstate.audit.values.heard import Ears, Given, holds
from turnstate.audit.values.mentions import Mention
from turnstate.audit.values.names import CITIES, words_of
from turnstate.audit.values.signatures import Signature, Signatures
from turnstate.audit.values.story import Said

_BY_RESULT: Final = 0.75
_BY_CALL: Final = 0.85
_ALIVE: Final = 0.5
_READ_BACK: Final = 0.7
_AMOUNTS: Final = frozenset({"count", "money"})
_NEAR: Final = 0.7
_BOTH: Final = 2


class Around(NamedTuple):
    """What a call is looked at with.

    Attributes:
        said: the call.
        signature: what its tool takes, as other transcripts show.
        hindsight: what this transcript shows.
    """

    said: Said
    signature: Signature
    hindsight: Hindsight


class _Lost(NamedTuple):
    """A value that a call should have carried, and how sure that is."""

    given: Given
    key: str
    sure: float


class Hindsight:
    """What the whole of a transcript shows of what its tools take and of what the user's values are for."""

    def __init__(self, story: Sequence[Said]) -> None:
        self._keys: dict[str, set[str]] = {}
        self._under: dict[str, dict[str, Mention]] = {}
        self._calls: dict[int, list[Said]] = {}
        self._results: dict[tuple[int, int, str], Said] = {}
        for said in story:
            if said.speaker == "tool":
                self._results.setdefault((said.turn, said.step, said.tool), said)
            elif said.speaker == "call":
                self._keys.setdefault(said.tool, set()).update(said.carried)
                self._calls.setdefault(said.turn, []).append(said)
                for argument in said.arguments:
                    self._under.setdefault(argument.key.name, {})[argument.said.norm] = argument.said

    def takes(self, call: Said) -> Mapping[str, float]:
        """The keys of the tool's other calls and of this call's result."""
        looks_up = any(_names_a_record(argument) for argument in call.arguments)
        by_result = {leaf.key.name: _BY_RESULT for leaf in self._fields(call)} if not looks_up else {}
        return by_result | dict.fromkeys(self._keys.get(call.tool, ()), _BY_CALL)

    def bound(self, given: Given, name: str) -> bool:
        """Whether a call anywhere carries what the user gave under this key."""
        return any(matches(given.mention, other) for other in self._under.get(name, {}).values())

    def returned(self, given: Given, call: Said, name: str) -> bool:
        """Whether the call's result holds it under this key."""
        return any(leaf.key.name == name and _is(given.mention, leaf.said) for leaf in self._fields(call))

    def elsewhere(self, given: Given, call: Said) -> bool:
        """Whether another call of the same turn carries it."""
        return any(holds(other, given.mention) for other in self._calls.get(call.turn, ()))

    def _fields(self, call: Said) -> Sequence[Argument]:
        result = self._results.get((call.turn, call.step, call.tool))
        return result.fields if result else ()


def _names_a_record(argument: Argument) -> bool:
    """Whether an argument is the id of something: what comes back is then its record, not what was asked for."""
    return argument.said.sort == "code" or (
        argument.said.sort != "count" and not argument.key.about.isdisjoint({"id", "code"})
    )


def _is(mention: Mention, other: Mention) -> bool:
    """Whether a result holds a value itself, and not only a name like it."""
    if other.sort == "name" and other.norm not in CITIES and words_of(other.text) != words_of(mention.text):
        return False
    return matches(mention, other)


def check_left_out(
    call: Said, ears: Ears, hindsight: Hindsight, known: Signatures, reply: Said | None
) -> Iterator[Finding]:
    """The values that one call leaves out, for each argument that it lacks the likeliest.

    Args:
        call: the call.
        ears: what was said before it.
        hindsight: what the transcript shows.
        known: what other transcripts show.
        reply: what the agent said last before it.
    """
    signature = known.tools.get(call.tool, Signature())
    takes = dict(signature.takes())
    if not signature.certain:
        takes = {**hindsight.takes(call), **takes}
    missing = [
        given for given in ears.recent() if living(given, call) >= _ALIVE and not holds(call, given.mention)
    ]
    around = Around(call, signature, hindsight)
    found = False
    for name, sure in takes.items() if missing else ():
        if name in call.carried:
            continue
        lost = [
            _Lost(given, name, likely)
            for given in missing
            if (likely := _likely(given, key(name), sure, around))
        ]
        if lost:
            found = True
            yield _finding(call, _newest(lost))
    if (
        not found
        and not signature.certain
        and (one := _read_back(Around(call, signature, hindsight), ears, missing, reply))
    ):
        yield _finding(call, one)


def _newest(lost: Sequence[_Lost]) -> _Lost:
    """The likeliest value, or one of its sort that the user gave later and that is nearly as likely: it took its place."""
    best = max(lost, key=lambda one: (one.sure, one.given.said.order))
    near = [
        one
        for one in lost
        if one.sure >= _NEAR * best.sure and one.given.mention.sort == best.given.mention.sort
    ]
    return max(near, key=lambda one: (one.given.said.order, one.sure))


def _likely(given: Given, name: Key, takes: float, around: Around) -> float:
    meant = _meant(given, name, takes, around)
    return meant * living(given, around.said) if meant else 0.0


def _meant(given: Given, name: Key, takes: float, around: Around) -> float:
    """How likely what the user gave is what an argument is for, and the tool wants it."""
    call, signature, hindsight = around
    ways = given.mention.ways
    if ways and name.ways and not ways & name.ways:
        return 0.1 * takes
    if hindsight.returned(given, call, name.name):
        fresh = call.turn - given.said.turn <= 1 or read_back(given, call)
        return max(takes, _BY_RESULT) if fresh else takes if signature.certain else 0.4
    if not signature.certain and takes < _BY_CALL:
        return 0.0
    return takes * (1.0 if hindsight.bound(given, name.name) else _of_a_kind(given, name, around))


def _of_a_kind(given: Given, name: Key, around: Around) -> float:
    """How well a value goes with an argument, by what is said of both."""
    mention, signature = given.mention, around.signature
    sort = signature.sort(name.name)
    if sort and sort != mention.sort and not {sort, mention.sort} <= _AMOUNTS:
        return 0.0
    always = bool(sort) and signature.always(name.name) and around.said.turn - given.said.turn <= 1
    if mention.sort == "name":
        return (
            0.9
            if mention.norm in signature.values.get(name.name, ())
            else _placed(mention, name, always=always)
        )
    if mention.sort == "count":
        return 0.8 if mention.about & name.about else 0.65 if always else 0.0
    wanted = _WANTED.get(mention.sort, "")
    if not sort and (
        wanted not in name.about or not _UNLIKE.isdisjoint(name.about) or _COARSE.search(name.name)
    ):
        return 0.0
    return 0.0 if not wanted else 0.9 if mention.ways == name.ways else 0.8


_WANTED: Final = {"date": "date", "time": "time", "money": "howmuch"}
_UNLIKE: Final = frozenset({"price", "howmany"})
_COARSE: Final = re.compile(r"(?:year|month)$", re.IGNORECASE)


def _placed(mention: Mention, name: Key, *, always: bool) -> float:
    """How well a name goes with an argument that has not carried it: cities with places, others where one is due."""
    if mention.norm not in CITIES:
        return 0.65 if always else 0.0
    place = "place" in name.about or bool(name.ways)
    return 0.8 if place and (not mention.cue or mention.cue in PLACED) else 0.0


def _read_back(around: Around, ears: Ears, missing: Sequence[Given], reply: Said | None) -> _Lost | None:
    """A value that the agent had just read back with others, of which the call carries the most but not this one."""
    call, _, hindsight = around
    if reply is None or reply.turn < call.turn - 1 or not RESTATES.search(reply.text):
        return None
    carried = [said for said in reply.mentions if any(matches(said, other) for other in call.mentions)]
    lacking = [
        given
        for given in missing
        if given.said.order < reply.order
        and any(matches(given.mention, said) for said in reply.mentions)
        and not hindsight.elsewhere(given, call)
    ]
    newer = {given.mention.sort for given in ears.recent() if given.said.order > reply.order}
    lacking = [given for given in lacking if given.mention.sort not in newer]
    return _Lost(lacking[0], "", _READ_BACK) if len(carried) >= _BOTH and len(lacking) == 1 else None


def _finding(call: Said, lost: _Lost) -> Finding:
    """A lost value as it is reported."""
    given, name, sure = lost
    what = f"{name}, which the tool takes" if name else "it, though the agent had just read it back"
    return Finding(
        "value_left_out",
        given.said.place(given.mention),
        Place(call.turn, "call", call.text, call.step),
        f"The user said “{given.mention.text}”; the call leaves out {what}.",
        round(sure, 3),
        name or given.mention.sort,
    )
