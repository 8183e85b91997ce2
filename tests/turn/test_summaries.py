"""Summaries on record: checked, tried once more, replaced by an extract, and never seen by a user as an error."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from acceptance.doors import always, assistant, recorded, run, sentences
from generators.histories import exchange, record
from turnstate import Budget, Reply
from turnstate.core.context.counting import estimate_text
from turnstate.core.context.types import Excerpt, SummaryDraft
from turnstate.core.events import Span, SummaryWritten
from turnstate.core.fidelity import verify
from turnstate.core.history import fold
from turnstate.testing.scripted import ScriptedModel
from turnstate.turn.summaries import FAILURES, PAUSE, ExtractiveSummarizer, Guarded, write_summaries

SAID = "The customer talked about their lamp. "


class Scripted:
    """A summarizer of an application."""

    name = "mine"

    def __init__(self, write: Callable[[Excerpt, Sequence[str]], Any]) -> None:
        self.write = write
        self.asked: list[tuple[Excerpt, tuple[str, ...]]] = []

    async def summarize(self, excerpt: Excerpt, faults: Sequence[str] = ()) -> SummaryDraft:
        """Answer as scripted."""
        self.asked.append((excerpt, tuple(faults)))
        await asyncio.sleep(0)
        return self.write(excerpt, faults)


class Talk:
    """A conversation that was cut several times."""

    def __init__(self) -> None:
        self.replies: list[Reply] = []
        self.streamed: list[str] = []
        self.written: list[SummaryWritten] = []


def talk(summarizer: Any, *, strategy: str = "hybrid", turns: int = 14) -> Talk:
    """Talk until the context was cut, alternating send and stream."""
    found = Talk()

    async def scenario() -> None:
        model = ScriptedModel(always("I see, the lamp is broken and you want a refund. " * 6))
        async with assistant(
            model, summarizer=summarizer, strategy=strategy, budget=Budget(target=900)
        ) as door:
            chat = door.conversation("c")
            for number in range(turns):
                text = f"Message {number}: my lamp from order A-{number}77 is broken. " * 4
                if number % 2:
                    stream = chat.stream(text)
                    found.streamed.append("".join(await sentences(stream)))
                    found.replies.append(await stream.reply())
                else:
                    found.replies.append(await chat.send(text))
            found.written = await recorded(chat, SummaryWritten)

    run(scenario())
    assert found.written
    return found


def good(excerpt: Excerpt, faults: Sequence[str]) -> SummaryDraft:
    """A summary that may be used."""
    return SummaryDraft(SAID, "mine", usage=(100, 9))


@pytest.mark.parametrize("strategy", ["hybrid", "summarize"])
def test_a_good_summary_stands_in_the_log_and_in_the_head(strategy: str) -> None:
    """By its author, with its usage, each excerpt asked for once."""
    mine = Scripted(good)
    found = talk(mine, strategy=strategy)
    assert {event.by for event in found.written} == {"mine"}
    assert {event.text for event in found.written} == {SAID}
    assert {event.usage for event in found.written} == {(100, 9)}
    covered = [excerpt.covers for excerpt, _ in mine.asked]
    assert len(covered) == len(set(covered)) == len(found.written)
    turns = [number for event in found.written for number in range(event.covers.first, event.covers.last + 1)]
    assert turns == list(range(1, len(turns) + 1))


def raises(excerpt: Excerpt, faults: Sequence[str]) -> SummaryDraft:
    """A summarizer whose provider is down."""
    raise ConnectionError("503 with sk-ant-abcdefgh123456")


def draft(text: Any, **more: Any) -> Callable[[Excerpt, Sequence[str]], SummaryDraft]:
    """A summarizer that always writes this."""
    return lambda excerpt, faults: SummaryDraft(text, "mine", **more)


BAD: dict[str, tuple[Callable[[Excerpt, Sequence[str]], Any], str]] = {
    "raises": (raises, "ConnectionError"),
    "times out": (lambda excerpt, faults: asyncio.timeout(-1).reschedule(0), "failed"),
    "empty": (draft(" \n"), "is empty"),
    "longer than the source": (draft("the lamp was mentioned and " * 500), "smaller"),
    "over its cap": (draft("the lamp was mentioned and " * 40), "cap"),
    "invents a value": (draft("The refund of $1,234.56 was promised for order B-999."), "never said"),
    "nothing": (lambda excerpt, faults: None, "failed"),
    "a string": (lambda excerpt, faults: "just text", "failed"),
    "no text": (draft(None), "failed"),
    "a number": (draft(5), "failed"),
    "odd usage": (draft(SAID, usage=None), "failed"),
}


@pytest.mark.parametrize("how", BAD)
def test_a_bad_summary_is_replaced_by_an_extract_and_no_user_notices(how: str) -> None:
    """The turn goes on; the reason stands in the log."""
    write, words = BAD[how]
    mine = Scripted(write)
    found = talk(mine)
    for event in found.written:
        assert event.by == "extractive"
        assert event.text.strip()
        # One that fails again and again is left alone for a while.
        assert words in " ".join(event.notes) or "left alone" in " ".join(event.notes)
        assert "sk-ant" not in " ".join(event.notes)
    assert all(reply.text.startswith("I see") for reply in found.replies)


class Down:
    """A summarizer that is down, in one way or the other."""

    name = "down"

    def __init__(self, how: str) -> None:
        self.how = how
        self.asked = 0

    async def summarize(self, excerpt: Excerpt, faults: Sequence[str] = ()) -> SummaryDraft:
        """Never answers, or fails, until it is well again."""
        self.asked += 1
        if self.how == "hangs":
            await asyncio.Event().wait()
        if self.how == "fails":
            raise ConnectionError("down")
        return SummaryDraft(SAID, self.name)


@pytest.mark.parametrize("how", ["hangs", "fails"])
def test_a_summarizer_that_is_down_is_left_alone_for_a_while(how: str) -> None:
    """A few failures in a row, time-outs too, and extracts take its place at once; then it is tried again."""
    down = Down(how)
    turns = fold(record([exchange("Please help with my lamp. " * 9, "I see. " * 9)] * 2)).turns
    excerpt = Excerpt(Span(1, 2), turns, 90)

    async def scenario() -> None:
        guarded = Guarded(down, patience=0.01)
        for _ in range(FAILURES + PAUSE):
            (written,) = await write_summaries(guarded, [excerpt])
            assert written.by == "extractive"
        assert down.asked == FAILURES
        down.how = "well"
        (written,) = await write_summaries(guarded, [excerpt])
        assert (written.by, written.text) == ("down", SAID)

    run(scenario())


def test_a_refused_draft_is_asked_for_once_more_with_its_faults() -> None:
    """The second one is used, and both are paid for."""

    def better(excerpt: Excerpt, faults: Sequence[str]) -> SummaryDraft:
        return SummaryDraft(SAID if faults else "", "mine", usage=(10, 1))

    mine = Scripted(better)
    found = talk(mine)
    for event in found.written:
        assert (event.text, event.by, event.usage) == (SAID, "mine", (20, 2))
        assert event.notes == ("The summary is empty.",)
    assert [bool(faults) for _, faults in mine.asked[:2]] in ([False, True], [False, False])


def test_notes_of_an_odd_draft_do_not_break_the_log() -> None:
    """What cannot be recorded is replaced like any other fault."""
    for odd in (
        SummaryDraft(SAID, None),  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]  # the point
        SummaryDraft(SAID, "mine", notes=(object(),)),  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]  # the point
        SummaryDraft(SAID, "mine", usage=("a", "b")),  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]  # the point
    ):
        found = talk(Scripted(lambda excerpt, faults, odd=odd: odd), turns=8)
        assert all(reply.text.startswith("I see") for reply in found.replies)


def test_a_summary_is_never_streamed_to_the_user() -> None:
    """What the summarizer writes is for the model alone."""
    found = talk(Scripted(good))
    said = "".join(found.streamed) + "".join(reply.text for reply in found.replies)
    assert SAID.strip() not in said
    assert "<summary" not in said


def test_excerpts_are_summarised_side_by_side() -> None:
    """One that waits for the others is not waited for one by one."""

    async def scenario() -> tuple[SummaryWritten, ...]:
        gate, running = asyncio.Event(), list[int]()

        class Meeting(Scripted):
            async def summarize(self, excerpt: Excerpt, faults: Sequence[str] = ()) -> SummaryDraft:
                running.append(1)
                if len(running) == len(excerpts):
                    gate.set()
                await gate.wait()
                return SummaryDraft(f"They talked about lamps {excerpt.covers.first}.", "mine")

        source = Scripted(good)
        await asyncio.to_thread(talk, source)
        excerpts = [excerpt for excerpt, _ in source.asked][:3]
        return await write_summaries(Meeting(good), excerpts)

    written = run(scenario())
    assert [event.covers.first for event in written] == sorted(event.covers.first for event in written)


def test_the_extract_needs_no_call_and_passes_its_own_check() -> None:
    """The default summarizer is within its cap and invents nothing."""
    source = Scripted(raises)
    talk(source)
    for excerpt, _ in source.asked:
        (written,) = run(write_summaries(ExtractiveSummarizer(), [excerpt]))
        assert verify(written.text, excerpt) == ()
        assert (written.by, written.notes, written.tokens) == ("extractive", (), estimate_text(written.text))


def test_every_turn_that_leaves_was_seen_whole_by_the_summarizer() -> None:
    """Nothing is dropped before it is read, and no summary is read again."""
    mine = Scripted(good)
    talk(mine, turns=30)
    seen = [turn.number for excerpt, _ in mine.asked for turn in excerpt.turns]
    assert seen == list(range(1, len(seen) + 1))
    assert SAID.strip() not in str([excerpt.turns for excerpt, _ in mine.asked])
