"""`plan_messages`: a plan for a list of messages that the application keeps itself."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, cast

from turnstate.adapters.formats import (
    SECOND,
    SYSTEM,
    Group,
    Object,
    blocks,
    family_of,
    grouped,
    text_of,
    turn_of,
)
from turnstate.adapters.pairs import paired_anthropic, paired_openai
from turnstate.core.context.budget import Budget
from turnstate.core.context.counting import Calibration, estimate_text
from turnstate.core.context.extractive import extract_summary, spoken
from turnstate.core.context.families import Family, Wire
from turnstate.core.context.plan import plan
from turnstate.core.context.shorten import Shortening
from turnstate.core.context.strategies import strategy as named
from turnstate.core.context.types import (
    Answer,
    Excerpt,
    Inputs,
    Need,
    NeedRecall,
    NeedSummaries,
    Plan,
    Quote,
    Strategy,
)
from turnstate.core.events import Cut, Kept, Span, SummaryWritten
from turnstate.core.fidelity import ledger
from turnstate.core.history import History, Summary, Turn
from turnstate.core.messages import ModelRequest, ToolCallPart, UserPromptPart, args_text, moment
from turnstate.core.search import Index, Said
from turnstate.errors import SettingError

_VERSION = 1


@dataclass(frozen=True, slots=True)
class PlannedMessages:
    """What to send.

    Attributes:
        messages: in the format that they were given in; kept messages are the caller's own dicts.
        system: the system text or blocks, as given.
        tokens: the estimated size of the request, with system text and tools.
        bound: a number of tokens that the request is never above.
        managed: the line that says what was done, or "".
        dropped: spans of turns that left the view without a summary.
        summarised: spans of turns that left the view into summaries.
        notes: what was repaired, one sentence each.
        recalled: the turns that are quoted from beyond the view.
        state: JSON data to give to the next call, so that cuts stay rare and summaries are never rewritten.
    """

    messages: list[Object]
    system: str | list[Object] | None
    tokens: int
    bound: int
    managed: str = ""
    dropped: tuple[Span, ...] = ()
    summarised: tuple[Span, ...] = ()
    notes: tuple[str, ...] = ()
    recalled: tuple[int, ...] = ()
    state: Object = field(default_factory=dict[str, Any])


def plan_messages(
    messages: Sequence[Object],
    budget: Budget,
    *,
    system: str | list[Object] | None = None,
    tools: Sequence[Object] = (),
    strategy: str | Strategy = "hybrid",
    state: Mapping[str, Any] | None = None,
) -> PlannedMessages:
    """Bring a conversation under its budget.

    Args:
        messages: the whole conversation, as OpenAI chat or Anthropic messages; never changed.
        budget: the tokens that a request may have.
        system: Anthropic's system text or blocks; counted, and given back.
        tools: the tools of the request; counted.
        strategy: the name of a strategy, or a function.
        state: `PlannedMessages.state` of the call before, for the same conversation.

    Raises:
        ContextTooLarge: system text, tools and the newest exchange alone exceed the target.
        SettingError: a message that cannot be read, or a state of another conversation.
        StrategyError: there is no such strategy.
    """
    family = family_of(messages)
    if family is None and system is not None:
        family = Family.ANTHROPIC  # only there the system text stands apart
    groups = grouped(messages)
    instructions = [text_of(message) for message in messages if message["role"] in SYSTEM]
    instructions.append(text_of({"content": system}) if system else "")
    turns = tuple(turn_of(number, group) for number, group in enumerate(groups, start=1))
    known = _read(state, len(turns))
    newest = _with_recalled(turns[-1], known)
    history = History(
        head=SECOND,
        last_turn=len(turns),
        opening=turns[0],
        turns=tuple(turn for turn in (*turns[:-1], newest) if turn.number >= known.cut.first),
        summaries=known.summaries,
        cut=known.cut,
    )
    inputs = Inputs(
        history=history,
        turn=newest,
        instructions="\n\n".join(text for text in instructions if text),
        tools=json.dumps(list(tools), ensure_ascii=False, separators=(",", ":")) if tools else "",
        facts="",
        update="",
        budget=budget,
        strategy=named(strategy),
        calibration=Calibration(),
        wire=Wire(family or Family.ANTHROPIC),
        recall=budget.recalled,
    )
    answers = _Answers(turns)
    made = _run(inputs, answers)
    notes: list[str] = []
    out = _rendered(groups, made, family, notes)
    return PlannedMessages(
        out,
        system,
        made.count.best,
        made.count.bound,
        made.managed,
        made.dropped,
        made.summarised,
        tuple(dict.fromkeys(notes)),
        made.recalled,
        _written(made, (*known.summaries, *answers.written), len(turns)),
    )


class _Answers:
    """What a plan asks for, from the conversation itself."""

    def __init__(self, turns: Sequence[Turn]) -> None:
        self.written: list[Summary] = []
        self._turns = turns

    def answer(self, need: Need) -> Answer:
        match need:
            case NeedSummaries():
                made = tuple(_summary(excerpt) for excerpt in need.excerpts)
                self.written.extend(Summary(SECOND + 1 + index, one) for index, one in enumerate(made))
                return made
            case NeedRecall():
                return self._quotes(need)
            case _:
                return None

    def _quotes(self, need: NeedRecall) -> tuple[Quote, ...]:
        index = Index()
        for turn in self._turns[:-1]:
            for speaker, text in spoken(turn):
                index.add(Said(turn.number, 0, speaker, text))
        hits = index.find(need.query, before=need.before, tokens=need.tokens, measure=estimate_text)
        return tuple(Quote(hit.turn, 0, hit.speaker, hit.text, hit.score) for hit in hits)


def _summary(excerpt: Excerpt) -> SummaryWritten:
    text = extract_summary(excerpt).text
    return SummaryWritten(excerpt.covers, text, "extractive", estimate_text(text), kept=ledger(excerpt))


def _run(inputs: Inputs, answers: _Answers) -> Plan:
    planning = plan(inputs)
    given: Answer = None
    while True:
        try:
            need = planning.send(given)
        except StopIteration as done:
            return cast("Plan", done.value)
        given = answers.answer(need)


def _rendered(groups: Sequence[Group], made: Plan, family: Family | None, notes: list[str]) -> list[Object]:
    """The dicts in view, with what was put before them and before the newest message."""
    head, once = _blocks(made, len(groups) * SECOND)
    shortening = Shortening(made.cut.cap, 1.0, reader=False)
    shown = list(enumerate(groups, start=1))[made.cut.first - 1 :]
    left = groups[: made.cut.first - 1]
    pieces: list[Object] = [m for group in left for m in group.dicts if m["role"] in SYSTEM]
    start = len(pieces)
    for number, group in shown:
        lead, own = group.dicts[: group.lead], group.dicts[group.lead :]
        pieces += lead
        if number == made.cut.first:
            start = len(pieces)
        place = len(pieces)
        pieces += [_shortened(message, shortening) for message in own]
        if number == len(groups) and once:
            pieces[place:] = _put(once, pieces[place:], family)
    if head:
        pieces[start:] = _put(head, pieces[start:], family)
    if family is Family.OPENAI_CHAT:
        return paired_openai(pieces, notes)
    return paired_anthropic(pieces, notes) if family is Family.ANTHROPIC or head or once else pieces


def _put(texts: Sequence[str], messages: Sequence[Object], family: Family | None) -> list[Object]:
    """`messages` with data of the user's role before the first of them."""
    if family is Family.OPENAI_CHAT:
        return [{"role": "user", "content": "\n\n".join(texts)}, *messages]
    first, *others = messages
    said = [{"type": "text", "text": text} for text in texts]
    return [{**first, "content": [*said, *blocks(first)]}, *others]


def _blocks(made: Plan, newest: int) -> tuple[list[str], list[str]]:
    """The texts of the head, and those of the newest message only: both are known by their times."""
    head: list[str] = []
    once: list[str] = []
    for message in made.messages:
        for part in message.parts if isinstance(message, ModelRequest) else ():
            if isinstance(part, UserPromptPart) and part.timestamp in (moment(0), moment(newest)):
                items = [part.content] if isinstance(part.content, str) else part.content
                words = [item for item in items if isinstance(item, str) and item.startswith("<")]
                (head if part.timestamp == moment(0) else once).extend(words)
    return head, once


def _shortened(message: Object, shortening: Shortening) -> Object:
    """A message, or a copy of it in which long texts are shortened."""
    thought = any(block.get("type") in ("thinking", "redacted_thinking") for block in blocks(message))
    if not shortening.cap or message["role"] in SYSTEM or thought:
        return message
    cap = shortening.cap * (2 if message["role"] == "user" else 1)
    content = _short(message.get("content"), shortening, cap)
    message = message if content is message.get("content") else {**message, "content": content}
    made = cast("list[Object]", message.get("tool_calls") or [])
    called = [_short_call(call, shortening) for call in made]
    same = all(new is old for new, old in zip(called, made, strict=True))
    return message if same else {**message, "tool_calls": called}


def _short_call(call: Object, shortening: Shortening) -> Object:
    """An OpenAI call whose long arguments are shortened one by one, as the plan counted them."""
    function = cast("Object", call.get("function") or {})
    part = ToolCallPart("call", str(function.get("arguments") or "{}"))
    short = shortening.arguments(part)
    return call if short is part else {**call, "function": {**function, "arguments": args_text(short)}}


def _short(content: Any, shortening: Shortening, cap: int) -> Any:
    if isinstance(content, str):
        return shortening.text(content, "", cap)
    if not isinstance(content, list):
        return content
    items = cast("list[Object]", content)
    new = [_short_block(block, shortening, cap) for block in items]
    return content if all(a is b for a, b in zip(new, items, strict=True)) else new  # pyright: ignore[reportUnknownVariableType]  # as given


def _short_block(block: Object, shortening: Shortening, cap: int) -> Object:
    if block.get("type") == "tool_use":
        part = ToolCallPart("call", cast("Any", block.get("input") or {}))
        short = shortening.arguments(part)
        return block if short is part else {**block, "input": short.args}
    key = {"text": "text", "tool_result": "content"}.get(str(block.get("type")))
    if key is None:
        return block
    text = _short(block.get(key), shortening, shortening.cap if key == "content" else cap)
    return block if text is block.get(key) else {**block, key: text}


@dataclass(frozen=True, slots=True)
class _Known:
    """The state of the call before."""

    cut: Cut = field(default_factory=Cut)
    summaries: tuple[Summary, ...] = ()
    turn: int = 0
    recalled: tuple[int, ...] = ()


def _read(state: Mapping[str, Any] | None, turns: int) -> _Known:
    if not state:
        return _Known()
    fix = "Give the state of the call before for the same, whole conversation, or None."
    try:
        known = _Known(
            Cut(**state["cut"]),
            tuple(_decoded(SECOND - 1, given) for given in state["summaries"]),
            state["turn"],
            tuple(state["recalled"]),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise SettingError("state", "cannot be read", fix) from error
    if state.get("version") != _VERSION or known.turn > turns or known.cut.first > turns:
        raise SettingError("state", f"is not of this conversation, which has {turns} turns", fix)
    return known


def _decoded(seq: int, given: Mapping[str, Any]) -> Summary:
    kept = tuple(Kept(**one) for one in given["kept"])
    text = str(given["text"])
    return Summary(
        seq, SummaryWritten(Span(*given["covers"]), text, "extractive", estimate_text(text), kept=kept)
    )


def _written(made: Plan, summaries: Sequence[Summary], turn: int) -> Object:
    oldest = min(made.cut.since, made.cut.values or made.cut.since)
    held = (one.written for one in summaries if one.written.covers.first >= oldest)
    return {
        "version": _VERSION,
        "turn": turn,
        "cut": asdict(made.cut),
        "recalled": list(made.recalled),
        "summaries": [
            {
                "covers": [one.covers.first, one.covers.last],
                "text": one.text,
                "kept": [asdict(kept) for kept in one.kept],
            }
            for one in held
        ],
    }


def _with_recalled(turn: Turn, known: _Known) -> Turn:
    """The newest turn, whose later rounds quote again what its first one did."""
    if not turn.steps or known.turn != turn.number or not known.recalled:
        return turn
    first, *others = turn.steps
    return replace(turn, steps=(replace(first, trace=replace(first.trace, recalled=known.recalled)), *others))
