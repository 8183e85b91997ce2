"""Values of the user's that the agent contradicts: in what it says, and in what it calls tools with."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date
from typing import Final, NamedTuple

from turnstate.audit.findings import Finding
from turnstate.audit.values.agree import matches
from turnstate.audit.values.fit import LOWER, PLACED, Case, bound, fits, living, read_back, stands_alone
from turnstate.audit.values.heard import Ears, Given, holds
from turnstate.audit.values.mentions import Mention
from turnstate.audit.values.names import CITIES
from turnstate.audit.values.story import Said
from turnstate.core.questions import changes

RESTATES: Final = re.compile(
    r"\b(?:confirm\w*|correct|is (?:this|that|it|everything) (?:right|ok|okay|fine|correct)|right\s*\?|verify|to be clear|details|"
    r"(?<!if )you(?:['’]d| would|['’]re| are| will|['’]ll)? (?:want|wish|like|need|going|be|to)|"
    r"(?:your|the) [\w ,]{1,60}(?:is|are|will be|has been|have been) (?:set|booked|scheduled|reserved|picked)|"
    r"(?:i(?:['’]ll| will| am|['’]m| have|['’]ve)?|let me|shall i|should i|we(?:['’]ll| will)?) (?:now |just |going to )?"
    r"(?:book|reserv|mak|mad|schedul|set|purchas|buy|order|send|sent|transfer|pay)\w*|"
    r"booking|booked|reserving|reserved|scheduling|scheduled|purchasing|ordering|^so\b|yes\s*\?|okay\?)",
    re.IGNORECASE,
)
"""What an agent says who repeats what the user wants."""
_CONFIRMS: Final = re.compile(
    r"\b(?:please (?:\w+ )?(?:confirm|verify)|(?:can|could|would) you (?:please )?(?:confirm|verify)|let(?: me|'s|’s) (?:just )?(?:confirm|see if)|"
    r"to (?:confirm|be clear)|confirm(?:ing)?\b[^.?!]{0,40}:|(?:is|are) (?:this|that|it|everything|these|they)(?: details)? (?:all )?(?:right|ok|okay|fine|correct)|"
    r"(?:right|correct)\s*\?|yes\s*\?|do i have)",
    re.IGNORECASE,
)
"""What an agent says who asks whether it has understood."""
_PROPOSES: Final = re.compile(
    r"\b(?:unfortunately|how about|what about|instead|closest|nearest|another|other|suggest|recommend|alternativ\w+|options?|"
    r"i can (?:give|offer|get)|(?:can|will|would) get you|could i interest|would you (?:prefer|rather)|earliest|latest|"
    r"do you (?:like|prefer))\b",
    re.IGNORECASE,
)
"""What an agent says who openly brings another value."""
_TELLS: Final = re.compile(
    r"\b(?:there(?:['’]s| is| are)|i (?:found|see|have found|can see)|i (?:only )?have|available|would you (?:like|be)|do you want|which|next|"
    r"currently|today|or|leaves?|departs?|arrives?|starts?|runs?|located|costs?|found (?:at|in))\b",
    re.IGNORECASE,
)
"""What an agent says who tells of what there is."""
_LABEL: Final = re.compile(r"\**\s?[:=]|\s\((?![^)]*\bor\b)")
"""What stands behind a heading."""
_IN_TEXT: Final = frozenset({"date", "time", "name", "count", "money", "contact", "span"})
_ALONE: Final = 0.7
_LATELY: Final = 3
_DOUBLED: Final = 0.8
_STALE: Final = 0.65
_TRIED: Final = 0.5
_DERIVED: Final = 0.4
_EPOCH: Final = date(1970, 1, 1).toordinal()
_MICROSECONDS: Final = 86_400_000_000
_FIGURES: Final = 3
_DAY: Final = 86_400


class Suspect(NamedTuple):
    """A contradiction and how sure it is."""

    given: Given
    case: Case
    sure: float


def check_text(said: Said, ears: Ears) -> Iterator[Finding]:
    """What an agent says against what the user gave."""
    confirms = _CONFIRMS.search(said.text) is not None
    found: list[Suspect] = []
    for mention in said.mentions:
        label = mention.sort == "name" and _LABEL.match(said.text, mention.end)
        if (
            mention.sort in _IN_TEXT
            and not label
            and (one := _judge(Case(said, mention, "", confirms), ears))
        ):
            found.append(one)
    names = [one for one in found if one.case.mention.sort == "name"]
    for one in found:
        alone = confirms and names == [one] and _alone(one, ears)
        sure = max(one.sure, _ALONE * living(one.given, said)) if alone else one.sure
        yield _finding(one._replace(sure=sure * _manner(one.case)))


def _alone(one: Suspect, ears: Ears) -> bool:
    """Whether only one name is new in what the agent confirms, and only one of the user's last names is missing from it."""
    said = one.case.said
    lacking = [
        given
        for given in ears.recent("name")
        if said.turn - given.said.turn <= _LATELY
        and given.said.task == said.task
        and not holds(said, given.mention)
    ]
    if lacking != [one.given]:
        return False
    ours, theirs = one.case.mention, one.given.mention
    placed = theirs.norm not in CITIES or ours.cue in PLACED
    proper = ours.text[:1].isupper() and theirs.text[:1].isupper() and not LOWER.search(ours.text)
    return placed and proper and stands_alone(said.text, ours) and stands_alone(one.given.said.text, theirs)


def check_call(said: Said, ears: Ears, turn: Sequence[Said]) -> Iterator[Finding]:
    """A call's arguments against what the user gave.

    Args:
        said: the call.
        ears: what was said before it.
        turn: the calls before it in the same turn.
    """
    for argument in said.arguments:
        if found := _judge(Case(said, argument.said, argument.key.name), ears):
            tried = any(other.tool == said.tool and _carries(other, found) for other in turn)
            yield _finding(found._replace(sure=found.sure * (_TRIED if tried else 1.0)))


def _carries(call: Said, found: Suspect) -> bool:
    """Whether a call has carried the user's value where another stands now: the agent looks for something else."""
    return any(
        argument.key.name == found.case.key and matches(argument.said, found.given.mention)
        for argument in call.arguments
    )


def _judge(case: Case, ears: Ears) -> Suspect | None:
    """Whether one value of the agent's stands where the user gave another."""
    said, mention, key, _ = case
    given = ears.of(mention)
    doubled = _doubled(case, given)
    if (given and not key and not doubled) or (mention.sort == "count" and _summed(mention, ears)):
        return None
    candidates = ears.replaced(said, mention)
    if not candidates or (mention.sort == "date" and _computed(mention, ears)):
        return None
    last = ears.last(mention)
    talked = ears.talked(mention)
    best: Suspect | None = None
    for other in candidates:
        if doubled and not other.mention.ways & mention.ways:
            continue
        new = _DOUBLED if doubled else _novel(other, case, last, given, talked=talked)
        sure = new * fits(other, case) if new else 0.0
        sure *= _DERIVED if sure and _derived(other, case, ears) else 1.0
        if sure and (best is None or sure > best.sure):
            best = Suspect(other, case, sure)
    return best


_RELATIVE: Final = re.compile(
    r"\b(?:\d+|an?|one|two|three|four|five|ten|fifteen|twenty|thirty|half an|few|couple(?: of)?)[ -](?:minute|min|hour|day|night|week|month)s?[ -]"
    r"(?:before|earlier|after|later|prior|ahead|in advance|beforehand)|\b(?:day|night|morning|evening|week) (?:before|after)\b|"
    r"\b(?:next|following|same|previous) day\b",
    re.IGNORECASE,
)
"""What a user says who has a day or an hour counted from another."""


def _derived(given: Given, case: Case, ears: Ears) -> bool:
    """Whether a day or an hour of a call may follow from what the user said: counted from another, or the day itself."""
    said, mention, key, _ = case
    if not key or mention.sort not in {"date", "time"}:
        return False
    if mention.sort == "date" and said.at is not None and not (read_back(given, said) or bound(given, case)):
        today = date.fromordinal(_EPOCH + said.at // _MICROSECONDS)
        if mention.norm == today.isoformat():
            return True
    newest = ears.newest.text if ears.newest else ""
    return _RELATIVE.search(newest) is not None or _RELATIVE.search(given.said.text) is not None


def _doubled(case: Case, given: Sequence[Given]) -> bool:
    """Whether one value stands for both ends of a trip or a stay, this end being the wrong one."""
    ways = case.mention.ways
    if not ways or not given or any(other.mention.ways & ways for other in given):
        return False
    return any(
        other.ways
        and not other.ways & ways
        and other.sort == case.mention.sort
        and matches(other, case.mention)
        for other in case.said.mentions
    )


def _novel(given: Given, case: Case, last: int, own: Sequence[Given], *, talked: bool) -> float:
    """How likely the agent's value is out of place: nobody said it before, or not since the user's was last said.

    Args:
        given: the user's value.
        case: the agent's.
        last: where that was last said, -1 for nowhere.
        own: what the user gave that it may be.
        talked: whether the user or the agent has said it, and not only a tool.
    """
    said, mention, key, confirms = case
    if last < 0:
        return 1.0
    if mention.sort == "code" or last >= given.last.order or given.last.turn < said.turn - 1:
        return 0.0
    ends = bool(given.mention.ways & mention.ways)
    if mention.sort == "name":
        same = changes.corrects(given.said.text) or changes.varies(given.said.text)
        same = same and (bound(given, case) or (bool(own) and read_back(given, said)))
    elif own:
        later = max(other.said.order for other in own) < given.said.order
        same = later and (bound(given, case) or read_back(given, said))
    elif key:
        same = bound(given, case) or ends or (talked and read_back(given, said))
    else:
        only = sum(other.sort == mention.sort for other in said.mentions) == 1
        same = ends or (confirms and only and given.said.turn == said.turn)
    return _STALE if same else 0.0


def _computed(mention: Mention, ears: Ears) -> bool:
    """Whether a date follows from a date and a span of time that the user gave; the first day of something does not."""
    if mention.ways == frozenset({"start"}):
        return False
    days = {days for given in ears.recent("span") if (days := _days(given.mention.norm)) is not None}
    if not days:
        return False
    apart = [_apart(given.mention.norm, mention.norm) for given in ears.recent("date")]
    return any(days_apart is None or days_apart in days for days_apart in apart)


def _days(norm: str) -> int | None:
    amount, _, unit = norm.partition(" ")
    try:
        return round(float(amount) / _DAY) if unit == "s" else None
    except (ValueError, OverflowError):
        return None


def _apart(one: str, other: str) -> int | None:
    """How many days lie between two dates; None where they are not said in full."""
    try:
        return abs((date.fromisoformat(one) - date.fromisoformat(other)).days)
    except ValueError:
        return None


def _summed(mention: Mention, ears: Ears) -> bool:
    """Whether a number is what two of the user's numbers make together."""
    norms = [mention.norm, *(given.mention.norm for given in ears.recent("count"))]
    wanted, *known = [int(norm) if norm.isdecimal() and len(norm) <= _FIGURES else -1 for norm in norms]
    known = sorted({number for number in known if number > 0})[: 2 * _FIGURES]
    return any(one + other == wanted for at, one in enumerate(known) for other in known[at + 1 :])


def _manner(case: Case) -> float:
    """How likely the agent repeats what the user wants, rather than bringing something of its own."""
    mention = case.mention
    sentence = case.said.sentence(mention).replace(mention.text, " ")
    if mention.loose or _PROPOSES.search(sentence):
        return 0.3
    tells = _TELLS.search(sentence) is not None
    if case.confirms or RESTATES.search(sentence):
        return 0.85 if tells and case.confirms else 0.7 if tells else 1.0
    if tells:
        return 0.3
    return 0.95 if RESTATES.search(case.said.text) and mention.sort != "name" else 0.4


def _finding(found: Suspect) -> Finding:
    """A contradiction as it is reported."""
    given, (said, mention, key, _), sure = found
    where = "calls a tool with" if key else "says"
    return Finding(
        "value_changed",
        given.said.place(given.mention),
        said.place(mention),
        f"The user said “{given.mention.text}”; the agent {where} “{mention.text}”.",
        round(min(sure, 1.0), 3),
        key or mention.sort,
    )
