"""Finds stretches where an agent speaks of what neither the user nor any tool ever spoke of: it has left the goal.

The goal is what the user and the tools say, from the opening to the end, so that a change of topic of the user's own moves it,
and one that the user takes up. What the agent says is held by its telling words that stand there, and by what it says itself while
it is on the goal; what nothing holds is loose. Two loose messages near each other are a stretch. An agent that speaks loosely
throughout is measured by its own usual share of held words, and then there is nothing to find. Where no tool results are on
record, names and numbers are the agent's own knowledge, and only things of another kind count.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain
from typing import Final, NamedTuple

from turnstate.audit.findings import Finding, Place
from turnstate.core.facts.text import word_set
from turnstate.core.messages import args_text, calls, response_text, result_text, user_text
from turnstate.core.questions.vocabulary import ASKED, EMPTY, THINGS, TOLD
from turnstate.core.search.words import STOP, stem
from turnstate.readers.transcript import Transcript

WINDOW: Final = 6
"""Messages of the agent within which two loose ones are one stretch."""

LEAST: Final = 0.25
"""How sure a finding has to be; where no tool results are on record, `LEAST_UNRECORDED`."""
LEAST_UNRECORDED: Final = 0.8

LONGEST: Final = 20_000
"""Characters of a text that are looked at."""

WORDIEST: Final = 60
"""Telling words of a message from which on it is a piece of writing, not a turn of a conversation."""

USUAL: Final = 0.5
USUAL_UNRECORDED: Final = 0.6
"""The share of held words that an agent has who follows the user, its loosest messages apart; below it nobody can say. It is more
where no tool results are on record."""

_LOOSEST: Final = 3
_FEWEST: Final = 2
"""Messages that are set apart as the loosest, and those that have to be left to say what is usual."""
_LOOSE: Final = -2.0
"""The log-odds that a message of a stretch has at least."""
_SHORT: Final = 10
_MOST_HELD: Final = 0.5
_MOST_HELD_LONG: Final = 0.34
"""The share of held words that a loose message has at most, and that of one of more than `_SHORT` telling words."""
_NUMBER: Final = 0.5
"""What a loose number counts: an agent may have worked it out."""
_OWN: Final = 0.7
"""The share of held words from which on a message of the agent is on the goal."""
_NEVER: Final = -9.0
_SHOWN: Final = 300
_WORD: Final = re.compile(r"[^\W_]+")
_CAMEL: Final = re.compile(r"(?<=[a-z])(?=[A-Z])")
_WEIGHTS: Final = (-2.21, 2.56, -1.65, -0.36)
"""Of a logistic regression: bias, the logarithms of loose and held words, the share of loose ones."""

_PHATIC: Final = frozenset(
    map(
        stem,
        word_set(
            "help assist assistance okay sure great thank thanks welcome day enjoy nice anything else need further moment good bye "
            "goodbye glad yes no confirm confirmed correct right following detail details found find option options results "
            "available like would want another other say hello success successfully complete completed done booked book reserved "
            "reservation made make set unfortunately sorry apologize able unable possible process request proceed provide understand "
            "clarify policy system note total sum charge dollar usd currently already however refer wait check look see update "
            "match meet fit requirement criteria recommend suggest work perfect happy appreciate patience question answer "
            "one two three four five six seven eight nine ten"
        ),
    )
)
"""Words that any agent says of any goal."""


class _Told(NamedTuple):
    """A telling word of a message: its stem, how it is written, what it counts, whether it is a name or a number."""

    stem: str
    written: str
    weight: float
    named: bool


class _Said(NamedTuple):
    """A message of the agent, and how loose it is.

    Attributes:
        turn: its turn.
        step: its step.
        text: its words.
        loose: its telling words that nobody else says, the most telling first.
        words: its telling words.
        held: the share of them that somebody else says; None where it has none.
        score: the log-odds that it is off the goal.
    """

    turn: int
    step: int
    text: str
    loose: tuple[str, ...] = ()
    words: int = 0
    held: float | None = None
    score: float = _NEVER

    @property
    def off(self) -> bool:
        """Whether it may be part of a stretch."""
        most = _MOST_HELD if self.words <= _SHORT else _MOST_HELD_LONG
        return bool(self.loose) and self.score > _LOOSE and (self.held or 0.0) <= most


class _Ground(NamedTuple):
    """What the goal is told by: the words that hold, and whether tool results are on record."""

    words: frozenset[str]
    recorded: bool


def check_goals(transcript: Transcript) -> Sequence[Finding]:
    """Stretches where the agent, not the user, leaves what the conversation is about.

    One finding for a stretch, at its first message, against the user's opening; `sure` is the likelihood of its two messages.
    """
    opening = _shown(user_text(transcript.turns[0].user)) if transcript.turns else ""
    ground = _ground(transcript)
    said = _messages(transcript, ground)
    if not opening or _usual(said) < (USUAL if ground.recorded else USUAL_UNRECORDED):
        return []
    least = LEAST if ground.recorded else LEAST_UNRECORDED
    return [_finding(one, other, opening) for one, other in _stretches(said) if _sure(one, other) >= least]


def _shown(text: str) -> str:
    return text.strip()[:_SHOWN].rstrip()


def _finding(one: _Said, other: _Said, opening: str) -> Finding:
    named = ", ".join(f"“{word}”" for word in one.loose[:3])
    again = ", ".join(f"“{word}”" for word in other.loose[:3])
    where = "" if other.turn == one.turn else f" in turn {other.turn}"
    return Finding(
        "goal_left",
        Place(1, "user", opening),
        Place(one.turn, "assistant", _shown(one.text), one.step),
        f"The agent speaks of {named}, and{where} of {again}, which neither the user nor a tool ever speaks of.",
        round(_sure(one, other), 3),
    )


def _sure(one: _Said, other: _Said) -> float:
    """The likelihood that both messages are off the goal."""
    return 1 / (1 + math.exp(-(one.score + other.score)))


def _stretches(said: Sequence[_Said]) -> Sequence[tuple[_Said, _Said]]:
    """The loosest two messages of each stretch, in order; in the first turn the goal is still asked for."""
    loose = [(at, message) for at, message in enumerate(said) if message.off and message.turn > 1]
    pairs = sorted(
        (
            (-(one.score + other.score), at, to)
            for place, (at, one) in enumerate(loose)
            for to, other in loose[place + 1 : place + WINDOW]
            if to - at < WINDOW
        ),
    )
    taken: list[tuple[int, int]] = []
    for _, at, to in pairs:
        if all(to + WINDOW <= start or end + WINDOW <= at for start, end in taken):
            taken.append((at, to))
    return [(said[at], said[to]) for at, to in sorted(taken)]


def _usual(said: Sequence[_Said]) -> float:
    """The share of held words in what the agent says, its loosest messages apart; 0 where too little is left."""
    telling = sorted((message.score, message.held) for message in said if message.held is not None)
    usual = [held for _, held in telling[: len(telling) - _LOOSEST]]
    return sum(usual) / len(usual) if len(usual) >= _FEWEST else 0.0


def _messages(transcript: Transcript, ground: _Ground) -> Sequence[_Said]:
    """What the agent says, measured by the ground, and again by what it says itself while on the goal."""
    said = [
        _measured(_Said(turn.number, number, text), ground)
        for turn in transcript.turns
        for number, step in enumerate(turn.steps, start=1)
        if (text := response_text(step.response)[:LONGEST]).strip()
    ]
    own = (message.text for message in said if message.held is not None and message.held >= _OWN)
    wide = ground._replace(words=ground.words.union(*map(_spoken, own)))
    return [
        message if message.held is None or message.held >= _OWN else _measured(message, wide)
        for message in said
    ]


def _ground(transcript: Transcript) -> _Ground:
    """All that the user, the tools and the instructions speak of, and what calls are made with."""
    found = _spoken(transcript.instructions[:LONGEST])
    recorded = False
    for turn in transcript.turns:
        found |= _spoken(user_text(turn.user)[:LONGEST])
        for step in turn.steps:
            for part in calls(step.response):
                found |= _spoken(_CAMEL.sub(" ", part.tool_name)) | _spoken(args_text(part)[:LONGEST])
            for call in step.calls:
                if call.result is not None:
                    recorded = True
                    found |= _spoken(result_text(call.result)[:LONGEST])
    return _Ground(frozenset(found), recorded)


def _measured(said: _Said, ground: _Ground) -> _Said:
    """A message with its figures."""
    telling = {told.stem: told for told in _telling(said.text)}
    if len(telling) > WORDIEST:
        return said
    held = {root for root in telling if not ground.words.isdisjoint(_meant(root))}
    loose = [told for root, told in telling.items() if root not in held and _counts(told, ground)]
    apart = sum(_NUMBER if any(map(str.isdigit, told.written)) else told.weight for told in loose)
    kept = sum(telling[root].weight for root in held)
    bias, of_loose, of_held, of_share = _WEIGHTS
    score = bias + of_loose * math.log1p(apart) + of_held * math.log1p(kept)
    score += of_share * apart / (apart + kept + 1)
    if not ground.recorded and all(told.stem not in THINGS for told in loose):
        score = _NEVER
    return said._replace(
        loose=tuple(told.written for told in sorted(loose, key=lambda told: -told.weight)),
        words=len(loose) + len(held),
        held=kept / (apart + kept) if loose or held else None,
        score=score,
    )


def _counts(told: _Told, ground: _Ground) -> bool:
    """Whether a word that nobody else says tells of another goal: not "time" or "address", which go with any."""
    if told.stem in ASKED or told.stem in TOLD:
        return False
    return ground.recorded or not told.named or told.stem in THINGS


def _telling(text: str) -> Iterator[_Told]:
    """The words of a text that say what it is about; names, numbers and things count more."""
    for word in _WORD.findall(text):
        root = _root(word.casefold())
        if root:
            named = word[0].isupper() or any(map(str.isdigit, word))
            yield _Told(root, word, 1 + 0.5 * named + (root in THINGS), named)


def _spoken(text: str) -> set[str]:
    """What a text speaks of: its telling words and the clusters that they stand in."""
    roots = set(map(_root, set(_WORD.findall(text.casefold()))))
    return set(chain.from_iterable(map(_meant, roots)))


@lru_cache(maxsize=65_536)
def _root(small: str) -> str:
    """The stem of a word in small letters; "" where it tells of nothing."""
    if len(small) < 2 or small in STOP or small in EMPTY:
        return ""
    root = stem(small)
    return "" if root in EMPTY or root in _PHATIC else root


@lru_cache(maxsize=65_536)
def _meant(root: str) -> tuple[str, ...]:
    """A word, and the clusters of one meaning that it stands in."""
    return (root, *(f"={table[root]}" for table in (THINGS, TOLD, ASKED) if root in table)) if root else ()
