"""Finds what an agent promised to do and, as far as the transcript shows, never did."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from turnstate.audit.findings import Finding, Place
from turnstate.core.commitments import Firmness, action_of, deeds_of, find_commitments
from turnstate.core.history import Turn
from turnstate.core.messages import args_text, calls, response_text, user_text
from turnstate.core.questions import QuestionKind, find_questions
from turnstate.readers.transcript import Transcript

MISSED: Final = 0.9
"""How sure it is where the user asks for what was promised."""
UNDONE: Final = 0.7
"""How sure it is where calls are on record, and none was made for it."""
HANGING: Final = 0.5
"""How sure it is where the transcript ends while the user is told to wait; it may have been cut off."""

_LONGEST: Final = 4_000
_SHOWN: Final = 300
_SHORT_WAIT: Final = 200
_FIRST_PERSON: Final = re.compile(
    r"\b(?:i|we)(?:['’]ll| will| shall|['’]m going to| am going to|['’]re going to| are going to| promise to)\b",
    re.IGNORECASE,
)
_NO_DEED: Final = re.compile(
    r"\b(?:['’]ll|will|going to) (?:\w+ )?(?:need|be (?:happy|glad|able|here|sure|more than)|have to|help|assist|try|do my best|let you|proceed|wait|see|keep|look|check|"
    r"assume|recommend|suggest|stick|start|continue|go (?:ahead|with)|use|require|ask|want|like|take (?:that|this|a look)|note|make sure|respect|follow|consider)\b",
    re.IGNORECASE,
)
"""What is said as a promise and is none, or is met by saying it."""
_LATER: Final = re.compile(
    r"\b(?:within|in (?:the next |about |around )?(?:\d+|a|an|a few|few|several|one|two|three|five|seven|ten)[\w– -]{0,12} (?:minutes?|hours?|days?|weeks?|months?)|tomorrow|next (?:week|month|day)|"
    r"by (?:tomorrow|monday|tuesday|wednesday|thursday|friday|the end)|as soon as|once|when(?:ever)?|if)\b",
    re.IGNORECASE,
)
"""What is to come after the conversation, or only then: no transcript shows whether it came."""
_WAITS: Final = re.compile(
    r"\b(?:let me (?:just |quickly )?(?:check|look|see|find|verify|pull|search|get)|(?:i|we)(?:['’]ll| will) (?:just |quickly )?(?:check|look|find out|get back|verify|search))\b"
    r"|(?:^|[.!?,] )(?:one|just a|give me a|please hold|hold) (?:moment|second|minute|sec|on)\b(?! at)",
    re.IGNORECASE,
)
"""What an agent says who will be back with something."""
_MISSES: Final = re.compile(
    r"\b(?:(?:have|has|did|had|do|does)(?:n['’]t| not) (?:\w+ ){0,3}(?:receiv\w*|get|got|gotten|arriv\w*|com[ei]\w*|hear\w*|see[n]?|sent|called|happen\w*)|(?:still|never) (?:\w+ )?(?:wait\w*|receiv\w*|got|came|arriv\w*|heard|called|sent|no(?:thing)?|nothing|missing)|"
    r"you (?:said|promised|told me) you(?:['’]d| would|['’]ll| will)|where(?:['’]s| is) (?:the|my) \w+ you|(?:did|have) you (?:\w+ )?(?:send|sent|call|called|done))\b",
    re.IGNORECASE,
)
"""What a user says who has not had it."""
_RELEASES: Final = re.compile(
    r"\b(?:never ?mind|no need|forget (?:it|that)|don['’]?t (?:bother|worry|do|send|call)|cancel that|not necessary|wait|stop|instead)\b",
    re.IGNORECASE,
)
"""What a user says who no longer wants it."""
_CAMEL: Final = re.compile(r"(?<=[a-z])(?=[A-Z])|_")
_VAGUE: Final = frozenset(
    [
        "back",
        "away",
        "right",
        "shortly",
        "minut",
        "hour",
        "day",
        "soon",
        "moment",
        "help",
        "make",
        "let",
        "you",
        "know",
        "thing",
    ]
)


class _Promise(NamedTuple):
    """What was promised: where, in which words, and what it is about."""

    turn: int
    step: int
    text: str
    action: frozenset[str]


class _Deed(NamedTuple):
    """What the agent did or says it did, and when."""

    turn: int
    step: int
    action: frozenset[str]


def check_promises(transcript: Transcript) -> Sequence[Finding]:
    """Promises of the agent's own that were not kept: the user asks for it, no call was made for it, or nothing follows at all.

    What comes true only after the conversation ("you will receive…") is not judged, nor a promise that waits for the user's yes.
    """
    found: list[Finding] = []
    for promise in _promises(transcript):
        finding = _judged(promise, transcript)
        if finding:
            found.append(finding)
    return [*found, *_hanging(transcript)]


def _promises(transcript: Transcript) -> Iterator[_Promise]:
    for turn in transcript.turns:
        for number, step in enumerate(turn.steps, start=1):
            text = response_text(step.response)[:_LONGEST]
            if not _FIRST_PERSON.search(text) or _awaits(text):
                continue
            for said in find_commitments(text, "assistant"):
                promised = said.firmness in {Firmness.PROMISED, Firmness.INTENDED}
                if promised and _FIRST_PERSON.search(said.text) and not _NO_DEED.search(said.text):
                    yield _Promise(turn.number, number, said.text, said.action - _VAGUE)


def _awaits(text: str) -> bool:
    """Whether a message waits for the user's answer, on which its promises hang."""
    return any(question.kind is not QuestionKind.COURTESY for question in find_questions(text))


def _judged(promise: _Promise, transcript: Transcript) -> Finding | None:
    later = [turn for turn in transcript.turns if turn.number > promise.turn]
    for turn in later:
        said = user_text(turn.user)
        if _MISSES.search(said) and promise.action & action_of(said):
            place = Place(turn.number, "user", _sentence(said, _MISSES))
            return _finding(promise, place, "The user is still waiting for what the agent promised.", MISSED)
    answered = any(_RELEASES.search(user_text(turn.user)) for turn in later[:1])
    unknown = _LATER.search(promise.text) is not None or not promise.action or not _recorded(transcript)
    if answered or unknown or _kept(promise, transcript):
        return None
    last = next(filter(None, map(_last_of, reversed(transcript.turns))), None)
    if last is None:
        return None
    return _finding(
        promise, last, "The agent promised it, and no call and no later word shows that it was done.", UNDONE
    )


def _finding(promise: _Promise, then: Place, why: str, sure: float) -> Finding:
    return Finding(
        "promise_open", Place(promise.turn, "assistant", promise.text, promise.step), then, why, sure
    )


def _last_of(turn: Turn) -> Place | None:
    """The last words of the agent in a turn."""
    for number, step in reversed(list(enumerate(turn.steps, start=1))):
        text = response_text(step.response).strip()
        if text:
            return Place(turn.number, "assistant", text[:_SHOWN].rstrip(), number)
    return None


def _recorded(transcript: Transcript) -> bool:
    """Whether the agent's calls are on record."""
    return any(step.calls for turn in transcript.turns for step in turn.steps)


def _kept(promise: _Promise, transcript: Transcript) -> bool:
    """Whether something shows that a promise was kept: a call of its turn or a later one, or a call or word about it."""
    return any(
        deed.turn >= promise.turn or _about(promise, deed.action) for deed in _calls(transcript)
    ) or any(_about(promise, deed.action) for deed in _reports(promise, transcript))


def _about(promise: _Promise, action: frozenset[str]) -> bool:
    return bool(promise.action & action or deeds_of(promise.action) & deeds_of(action))


def _calls(transcript: Transcript) -> Iterator[_Deed]:
    for turn in transcript.turns:
        for number, step in enumerate(turn.steps, start=1):
            for call in calls(step.response):
                words = f"{_CAMEL.sub(' ', call.tool_name)} {_CAMEL.sub(' ', args_text(call)[:_LONGEST])}"
                yield _Deed(turn.number, number, action_of(words))


def _reports(promise: _Promise, transcript: Transcript) -> Iterator[_Deed]:
    """What the agent says later that it has done."""
    for turn in transcript.turns:
        for number, step in enumerate(turn.steps, start=1):
            if (turn.number, number) > (promise.turn, promise.step):
                for said in find_commitments(response_text(step.response)[:_LONGEST], "assistant"):
                    if said.firmness in {Firmness.DONE, Firmness.REFUSED}:
                        yield _Deed(turn.number, number, said.action)


def _hanging(transcript: Transcript) -> Iterator[Finding]:
    """A transcript that ends while the user is told to wait."""
    if not transcript.turns or transcript.turns[-1].status != "closed":
        return
    turn = transcript.turns[-1]
    last = _last_of(turn)
    if last is None or last.step != len(turn.steps) or turn.steps[-1].calls:
        return
    text = response_text(turn.steps[-1].response)
    if _WAITS.search(text) and not _awaits(text) and len(text) <= _SHORT_WAIT and not _reports_done(text):
        opening = user_text(turn.user).strip()[:_SHOWN].rstrip()
        if opening:
            quote = _sentence(text, _WAITS)
            yield Finding(
                "promise_open",
                Place(turn.number, "user", opening),
                Place(turn.number, "assistant", quote, last.step),
                "The transcript ends while the user waits for what the agent said it would look up.",
                HANGING,
            )


def _reports_done(text: str) -> bool:
    """Whether a message reports something done."""
    return any(said.firmness is Firmness.DONE for said in find_commitments(text, "assistant"))


_STOP: Final = re.compile(r"(?<=[.!?])\s+|\n+")


def _sentence(text: str, pattern: re.Pattern[str]) -> str:
    """The sentence of a text in which a pattern stands."""
    start = 0
    for end in [*_STOP.finditer(text), None]:
        part = text[start : end.start() if end else len(text)]
        if pattern.search(part):
            return part.strip()[:_SHOWN].rstrip()
        start = end.end() if end else start
    return text.strip()[:_SHOWN].rstrip()
