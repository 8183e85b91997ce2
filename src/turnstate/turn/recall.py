"""Finding again what a conversation said: candidates by the log's postings, ranked by core, quoted word for word."""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Mapping, Sequence

from turnstate.core.context.counting import estimate_text
from turnstate.core.context.types import NeedRecall, Quote
from turnstate.core.events import GuardActed, Recorded
from turnstate.core.messages import moment
from turnstate.core.search import Index, Said, Statistics, asked_words
from turnstate.core.search.need import BAR, sentences
from turnstate.ports import Log, spoken

CANDIDATES = 24
"""Turns that are read and ranked, with the turns beside each: reading them is most of the work."""

POSTINGS = 256
"""Turns of one word that are looked at, the newest: a word of more turns tells little, and a long conversation must not make
its next turn dearer."""

ASKED = 32
"""Words of one message that are looked for, the longest: a pasted page would ask for all there is."""

NOTHING = "Nothing that was said earlier in this conversation has any of these words. Try other words."
"""What the tool answers when nothing was found."""


async def recall(
    store: Log, conversation: str, need: NeedRecall, *, asked: bool = False
) -> tuple[Quote, ...]:
    """What the conversation said that `need` asks for, the best first; nothing where its message needs nothing.

    The log is asked for the turns of each word and for the events of the turns that promise most; the messages of a
    turn are taken to be two for the statistics, which is what keeps the work to those turns.

    Args:
        store: the log.
        conversation: its id.
        need: what is wanted.
        asked: whether somebody asked for it, so that whatever fits best is an answer.

    Raises:
        StoreError: the store could not be read.
    """
    wanted = _wanted(need.query)
    if not wanted or need.before <= 1 or (not asked and not any(sentences(need.query))):
        return ()
    postings = await store.search(conversation, wanted, before=need.before, most=POSTINGS)
    statistics = _statistics(postings, need.before)
    turns = _candidates(postings, statistics)
    if not turns or not (asked or _may_ask(need.query, postings, statistics)):
        return ()
    around = {near for turn in turns for near in (turn - 1, turn, turn + 1) if 0 < near < need.before}
    index = _index(await store.read_turns(conversation, sorted(around)))
    hits = index.find(
        need.query,
        before=need.before,
        tokens=need.tokens,
        measure=estimate_text,
        asked=asked,
        statistics=Statistics(statistics.messages, index.length, statistics.having),
    )
    return tuple(Quote(hit.turn, hit.at, hit.speaker, hit.text, hit.score) for hit in hits)


async def recalled_text(store: Log, conversation: str, query: str, *, before: int, tokens: int) -> str:
    """What the conversation said before a turn about `query`, in order, as text for a model.

    Args:
        store: the log.
        conversation: its id.
        query: words to look for.
        before: only turns before this one are searched.
        tokens: the most that is quoted.

    Returns:
        One line for each quote, with its turn, day and speaker; or a sentence that nothing was found.

    Raises:
        StoreError: the store could not be read.
    """
    quotes = await recall(store, conversation, NeedRecall(query, before, tokens), asked=True)
    lines = [
        f"[turn {quote.turn}, {moment(quote.at):%Y-%m-%d}] {quote.speaker}: {quote.text}"
        for quote in sorted(quotes, key=lambda quote: quote.turn)
    ]
    return "\n".join(lines) or NOTHING


def _wanted(query: str) -> tuple[str, ...]:
    wanted = asked_words(query)
    return wanted if len(wanted) <= ASKED else tuple(sorted(wanted, key=lambda word: -len(word))[:ASKED])


def _statistics(postings: Mapping[str, Sequence[int]], before: int) -> Statistics:
    """The conversation's statistics from its postings: two messages a turn, each seen from the one beside it.

    A word stands in one of a turn's two messages, and is seen from the turn's other one and from one of the next turn
    or the one before.
    """
    having: dict[str, int] = {}
    for word, turns in postings.items():
        own = set(turns)
        beside = {near for turn in turns for near in (turn - 1, turn + 1) if 0 < near < before} - own
        # Of a common word only the newest turns are known: it is taken to be as common before them.
        whole = (before - 1) / (before - turns[0]) if len(turns) == POSTINGS else 1.0
        having[word] = round((2 * len(own) + len(beside) // 2) * whole)
    return Statistics(2 * (before - 1), 0.0, having)


def _may_ask(query: str, postings: Mapping[str, Sequence[int]], statistics: Statistics) -> bool:
    """Whether any sentence may need an answer: asked before anything is read, for most messages need nothing."""
    for sentence in sentences(query):
        words = [word for word in asked_words(sentence) if postings.get(word)]
        named = any(len(word) > 3 and any(sign.isdigit() for sign in word) for word in words)
        if named or sum(statistics.weight(word) for word in words) >= BAR:
            return True
    return False


def _candidates(postings: Mapping[str, Sequence[int]], statistics: Statistics) -> list[int]:
    """The turns that promise most: by the weight of the words in them, and half that of those beside them."""
    promise: defaultdict[int, float] = defaultdict(float)
    for word, turns in postings.items():
        weight = statistics.weight(word)
        for turn in turns:
            promise[turn] += weight
    for word, turns in postings.items():
        weight, own = statistics.weight(word), set(turns)
        for near in {turn + step for turn in turns for step in (-1, 1)} - own:
            if near in promise:
                promise[near] += weight / 2
    return heapq.nlargest(CANDIDATES, promise, key=lambda turn: (promise[turn], turn))


def _index(events: Sequence[Recorded]) -> Index:
    """What the events say, in the order of their turns; what is said twice in a turn, once."""
    index = Index()
    last = 0
    said: set[tuple[str, str]] = set()
    stopped = [(each.turn, each.event) for each in events if isinstance(each.event, GuardActed)]
    for recorded in sorted(events, key=lambda recorded: (recorded.turn, recorded.seq)):
        what = spoken(recorded.event)
        if recorded.turn != last:
            said.clear()
        for turn, act in stopped:
            # What a guard stopped was never said.
            if what is not None and turn == recorded.turn and act.action != "flagged":
                what = what._replace(text=what.text.replace(act.sentence.strip(), act.written.strip(), 1))
        if what is None or not what.text.strip() or what in said:
            continue
        said.add(what)
        index.add(Said(recorded.turn, recorded.at, *what), follows=recorded.turn <= last + 1)
        last = recorded.turn
    return index
