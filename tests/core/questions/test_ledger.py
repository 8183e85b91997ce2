"""Whether asking again is legitimate."""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnstate.core.questions import (
    Answer,
    AskedQuestion,
    Asks,
    Exchange,
    Outgoing,
    Reason,
    Verdict,
    find_questions,
    repetition,
)

BUDGET = Asks("budget", ("spend",))
ASKED = "What is your budget?"


def judged(
    *said: str, again: str = "And what budget do you have?", key: str = "budget", **fields: object
) -> Verdict:
    """The verdict on asking for the budget again after the user said these things, the assistant's replies between them."""
    users, replies = said[::2], said[1::2]
    exchanges = [Exchange(1, "Hello", ASKED)]
    for turn, user in enumerate(users, start=2):
        exchanges.append(Exchange(turn, user, replies[turn - 2] if turn - 2 < len(replies) else ""))
    outgoing = Outgoing(again, key, asks=fields.pop("asks", BUDGET), **fields)  # pyright: ignore[reportArgumentType] - the test's own shorthand
    return repetition(outgoing, [AskedQuestion(key, ASKED, 1)], exchanges)


def test_what_was_asked_and_answered_is_repeated_with_both_quotes() -> None:
    """A needless repetition names the earlier question, its turn, the user's words and theirs."""
    verdict = judged("Around 20k a year. We are growing.")
    assert (verdict.kind, verdict.by, verdict.reason) == ("repeated", "key", Reason.ANSWERED)
    assert verdict.earlier == AskedQuestion("budget", ASKED, 1)
    assert (verdict.answer, verdict.answered_in) == ("Around 20k a year.", 2)


def test_what_was_never_asked_is_new() -> None:
    """Nothing asked, nothing repeated."""
    assert repetition(Outgoing(ASKED, "budget"), [], []) == Verdict("new", Reason.NEVER_ASKED)
    other = [AskedQuestion("authority", "Who decides?", 1)]
    assert repetition(Outgoing(ASKED, "budget"), other, [Exchange(2, "I do")]).kind == "new"


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        (("Why do you ask?",), Reason.NOT_ANSWERED),
        (("We sell shoes in four countries.",), Reason.NOT_ANSWERED),
        (("I don't know yet.",), Reason.UNKNOWN_TO_USER),
        (("I'd rather not say.",), Reason.UNKNOWN_TO_USER),
        (("About 20k.", "Noted.", "Actually that has changed, we got more."), Reason.CHANGED),
        (("About 20k.", "Great, that order is booked.", "Thanks."), Reason.OTHER_ENTITY),
        (("About 20k.", "Noted.", "I also need a quote for my colleague."), Reason.OTHER_ENTITY),
        (("About 20k.", "Noted.", "Sorry, what was your question?"), Reason.USER_ASKED),
    ],
)
def test_a_reason_to_ask_again_is_named(said: tuple[str, ...], reason: Reason) -> None:
    """Not answered, not known, changed, another thing, or the user's wish: asking again is legitimate."""
    verdict = judged(*said)
    assert (verdict.kind, verdict.reason) == ("legitimate", reason)


def test_an_answer_that_did_not_serve_is_a_reason() -> None:
    """A reply that says that the answer was not accepted may ask again (S33)."""
    verdict = judged("About 5k.", again="Sorry, we do not take less than 10k. Is another budget possible?")
    assert (verdict.kind, verdict.reason) == ("legitimate", Reason.INVALID)


def test_a_lasting_answer_outlives_the_thing_it_was_asked_for() -> None:
    """A name asked for one order is not asked again for the next."""
    name, asked = Asks("name", lasting=True), [AskedQuestion("name", "May I have your name?", 1, "order 1")]
    said = [Exchange(2, "Ben Miller", "Great, your table is booked."), Exchange(3, "I also need a taxi.")]
    assert (
        repetition(Outgoing("And your name?", "name", "order 2", asks=name), asked, said).kind == "repeated"
    )
    day = [AskedQuestion("day", "For what day?", 1, "order 1")]
    assert repetition(Outgoing("For what day?", "day", "order 2"), day, said).reason is Reason.OTHER_ENTITY


def test_a_second_run_asks_afresh() -> None:
    """What was asked and answered for one case says nothing about another (S39)."""
    asked, said = [AskedQuestion("size", "How many seats?", 1, "case 1")], [Exchange(2, "Ten")]
    on_record = [Answer("size", 2, "Ten", entity="case 1")]
    assert (
        repetition(Outgoing("How many seats?", "size", "case 2"), asked, said, on_record).kind == "legitimate"
    )
    assert (
        repetition(Outgoing("How many seats?", "size", "case 1"), asked, said, on_record).kind == "repeated"
    )


def test_what_is_required_may_always_be_asked() -> None:
    """Consent, safety and read-backs are exempt."""
    verdict = judged("About 20k.", asks=Asks("budget", required=True))
    assert (verdict.kind, verdict.reason) == ("legitimate", Reason.REQUIRED)


def test_reading_back_is_no_repetition() -> None:
    """A question that confirms what is known, and a courtesy, are never repetitions."""
    asked, said = [AskedQuestion("budget", ASKED, 1)], [Exchange(2, "About 20k.")]
    (confirms,) = find_questions("So your budget is 20k, right?")
    assert repetition(Outgoing(confirms, "budget"), asked, said).reason is Reason.CONFIRMS
    (courtesy,) = find_questions("Anything else about your budget?")
    assert repetition(Outgoing(courtesy, "budget"), asked, said).kind == "new"


def test_a_proposal_is_no_repetition() -> None:
    """A question that puts a value of its own, to be answered by yes or no, asks something new."""
    asked, said = (
        [AskedQuestion("time", "What time do you want to leave?", 1)],
        [Exchange(2, "After 15:00, please.")],
    )
    assert (
        repetition(Outgoing("Would you like to leave at 15:30?", "time"), asked, said).reason
        is Reason.PROPOSES
    )


def test_what_is_on_record_counts_more_than_what_was_said() -> None:
    """A recorded answer decides: valid and current, refused, or no longer true."""
    asked, said = [AskedQuestion("budget", ASKED, 1)], [Exchange(2, "Hm.")]
    outgoing = Outgoing("What is your budget?", "budget")
    for answer, kind, reason in (
        (Answer("budget", 2, "20k"), "repeated", Reason.ANSWERED),
        (Answer("budget", 2, "20k", valid=False), "legitimate", Reason.INVALID),
        (Answer("budget", 2, "20k", current=False), "legitimate", Reason.CHANGED),
    ):
        verdict = repetition(outgoing, asked, said, [answer])
        assert (verdict.kind, verdict.reason, verdict.answer) == (kind, reason, "20k")


def test_a_record_that_the_newest_message_changes_does_not_count() -> None:
    """What the user changes in the message that is being answered is not yet on record, and may be asked for."""
    asked, on_record = [AskedQuestion("budget", ASKED, 1)], [Answer("budget", 2, "20k")]
    said = [Exchange(2, "20k", "Noted."), Exchange(3, "Our budget has changed, by the way.")]
    verdict = repetition(Outgoing(ASKED, "budget", asks=BUDGET), asked, said, on_record)
    assert (verdict.kind, verdict.reason) == ("legitimate", Reason.CHANGED)
    name = Asks("name", lasting=True)
    said = [Exchange(2, "Ben", "Hi Ben."), Exchange(3, "Actually, that is the wrong name.")]
    asked, on_record = [AskedQuestion("name", "Your name?", 1)], [Answer("name", 2, "Ben")]
    assert (
        repetition(Outgoing("Your name?", "name", asks=name), asked, said, on_record).reason is Reason.CHANGED
    )


def test_what_was_volunteered_need_not_be_asked() -> None:
    """A value on record is a repetition even though nobody asked for it (S32)."""
    verdict = repetition(Outgoing(ASKED, "budget"), [], [], [Answer("budget", 1, "We have 20k for this")])
    assert (verdict.kind, verdict.reason, verdict.answered_in) == ("repeated", Reason.VOLUNTEERED, 1)


def test_the_bots_own_words_answer_nothing() -> None:
    """Only what the user says answers; the assistant's guess does not (S35)."""
    said = [Exchange(2, "Hm, let me think.", "I suppose that is about 20k then."), Exchange(3, "Go on.")]
    verdict = repetition(Outgoing(ASKED, "budget", asks=BUDGET), [AskedQuestion("budget", ASKED, 1)], said)
    assert verdict.kind != "repeated"


def test_an_answer_to_another_question_answers_nothing() -> None:
    """A number that answers another question does not fill this one (S42)."""
    asked = [AskedQuestion("guests", "How many people will come?", 1)]
    said = [Exchange(2, "Why?", "What room number is it?"), Exchange(3, "418")]
    verdict = repetition(Outgoing("How many people will come?", "guests"), asked, said)
    assert verdict.reason is Reason.NOT_ANSWERED


def test_other_words_are_matched_by_paraphrase_and_marked_so() -> None:
    """Without keys the words decide, and the verdict says so, since guards treat it apart."""
    asked, said = [AskedQuestion("", "Where are you flying from?", 1)], [Exchange(2, "From Boston.")]
    verdict = repetition(Outgoing("What city are you flying from?"), asked, said)
    assert (verdict.kind, verdict.by) == ("repeated", "paraphrase")
    assert verdict.likeness < 1.0
    assert repetition(Outgoing("Where are you flying to?"), asked, said).kind == "new"


def test_a_key_that_the_words_suggest_is_marked_as_a_paraphrase() -> None:
    """A key that was only guessed by a paraphrase does not count as an exact one."""
    asked, said = [AskedQuestion("budget", ASKED, 1)], [Exchange(2, "20k")]
    verdict = repetition(Outgoing("What can you afford?", "budget", guessed=True), asked, said)
    assert (verdict.kind, verdict.by) == ("repeated", "paraphrase")


def test_a_similarity_of_the_callers_own_is_used() -> None:
    """How alike two questions are comes from outside, with its own threshold."""
    asked, said = [AskedQuestion("", "x", 1)], [Exchange(2, "Fine by me")]
    assert (
        repetition(Outgoing("y?"), asked, said, similar=lambda one, other: 0.5, same=0.4).by == "paraphrase"
    )
    assert repetition(Outgoing("y?"), asked, said, similar=lambda one, other: 0.5, same=0.6).kind == "new"


def test_what_cannot_be_decided_is_said_so() -> None:
    """A reply of which nothing tells whether it answers is undecided, and so is a question without a reply."""
    asked = [AskedQuestion("kind", "What kind of shop is it?", 1)]
    vague = [Exchange(2, "Well, my grandfather opened it back in the days when all of this was fields.")]
    assert repetition(Outgoing("What kind of shop is it?", "kind"), asked, vague).kind == "undecided"
    assert repetition(Outgoing("What kind of shop is it?", "kind"), asked, []).kind == "undecided"


TEXTS = st.text(max_size=60) | st.sampled_from(
    ["What is your budget?", "20k", "I don't know", "Actually no", "Where?", ""]
)


@given(
    TEXTS,
    st.sampled_from(["", "budget", "name"]),
    st.lists(st.builds(AskedQuestion, st.sampled_from(["", "budget"]), TEXTS, st.integers(1, 5)), max_size=4),
    st.lists(st.builds(Exchange, st.integers(1, 6), TEXTS, TEXTS), max_size=4),
    st.lists(
        st.builds(Answer, st.just("budget"), st.integers(1, 5), TEXTS, st.booleans(), st.booleans()),
        max_size=2,
    ),
)
def test_any_ledger_has_a_verdict(
    text: str, key: str, asked: list[AskedQuestion], said: list[Exchange], answers: list[Answer]
) -> None:
    """Nothing raises; a repetition always has the words that answered, and what matched names what was asked."""
    verdict = repetition(Outgoing(text, key), asked, said, answers)
    assert verdict.kind != "repeated" or verdict.answered_in is not None
    assert (verdict.earlier is None) <= (
        verdict.reason in {Reason.NEVER_ASKED, Reason.VOLUNTEERED, Reason.REQUIRED}
    )


@pytest.mark.parametrize("piece", ["also ", "can't ", "1-", "$1,", "the 1", "Ben ", "what is ", "? ", " "])
def test_hostile_conversations_are_judged_to_their_end(piece: str) -> None:
    """A hundred thousand characters of one kind on either side are judged without a blow-up."""
    text = piece * (100_000 // len(piece))
    asked = [AskedQuestion("name", "What is your name?", 1), AskedQuestion("", text, 2)]
    said = [Exchange(2, text, text), Exchange(3, "Ben Miller", text), Exchange(4, text, text)]
    assert repetition(Outgoing("What is your name?", "name", reply=text), asked, said).kind in KINDS
    assert repetition(Outgoing(text), asked, said).kind in KINDS


KINDS = {"new", "legitimate", "repeated", "undecided"}


@pytest.mark.parametrize(("part", "least"), [("star", 0.53), ("multiwoz", 0.44)])
def test_needless_repetitions_of_recorded_dialogues_are_found(
    shared_data: Path, part: str, least: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On labelled dialogues, by key, F1 of needless repetitions is above what is known to be reached."""
    path = shared_data / "question_repetition_gold" / f"{part}.jsonl"
    if not path.is_file():
        pytest.skip("question_repetition_gold is not among the recorded dialogues")
    monkeypatch.setattr(sys, "path", [str(Path(__file__).parents[3]), *sys.path])
    measured = importlib.import_module("benchmarks.questions")
    wording = measured.templates(shared_data)
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    outcomes = [
        measured.Outcome(
            row["redundant"],
            measured.verdict(row, measured.declared(row["slot"], wording)).kind == "repeated",
        )
        for row in rows
    ]
    assert measured.f1(outcomes) > least
