"""Promises of an agent that nothing shows to have been kept."""

from __future__ import annotations

import pytest
from hypothesis import given
from tests.audit.dialogues import dialogue, sound, transcripts

from turnstate.audit.promises import HANGING, MISSED, UNDONE, check_promises
from turnstate.readers.transcript import Transcript

FOUND = 'call find_order: {"order": "A1"} -> {"status": "paid"}'


def test_a_user_who_still_waits_shows_that_a_promise_was_not_kept() -> None:
    """Promised, and asked for later: both are quoted."""
    talk = dialogue(
        "I need the invoice.",
        "I'll send you the invoice by e-mail.",
        "Thanks.",
        "You're welcome.",
        "I still haven't received the invoice.",
        "Oh, I am sorry.",
    )
    found = check_promises(talk)
    assert [(one.kind, one.first.quote, one.then.quote, one.sure) for one in found] == [
        (
            "promise_open",
            "I'll send you the invoice by e-mail.",
            "I still haven't received the invoice.",
            MISSED,
        )
    ]


def test_a_promise_without_any_call_is_open_where_calls_are_on_record() -> None:
    """The agent has tools, and uses none for what it promised."""
    talk = dialogue(
        "Where is order A1?",
        FOUND,
        "It is paid.",
        "Then ship the lamp.",
        "I'll ship the lamp today.",
        "Thanks.",
        "Bye.",
    )
    assert [(one.first.turn, one.sure) for one in check_promises(talk)] == [(2, UNDONE)]


@pytest.mark.parametrize(
    "talk",
    [
        dialogue("Where is A1?", FOUND, "Paid.", "Ship it.", 'call ship_order: {"order": "A1"} -> {"ok": true}', "I'll ship it today.", "Thanks.", "Bye."),
        dialogue("Where is A1?", FOUND, "Paid.", "Ship it.", "I'll ship it today.", "Good.", 'call ship_order: {"order": "A1"} -> {"ok": true}', "Done."),
        dialogue("Where is A1?", FOUND, "Paid.", "Ship it.", "I'll ship it. Do you agree?", "Yes.", "Bye."),
        dialogue("Where is A1?", FOUND, "Paid.", "Ship it.", "I'll ship it today.", "Never mind.", "Fine."),
        dialogue("Ship it.", "I'll ship it today.", "Thanks.", "Bye."),
        dialogue("Where is A1?", FOUND, "Paid.", "Ship it.", "If you pay, I'll ship it.", "Thanks.", "Bye."),
        dialogue("Where is A1?", FOUND, "Paid.", "Ship it.", "We will ship it within 5 days.", "Thanks.", "Bye."),
        dialogue("Where is A1?", FOUND, "Paid.", "Good.", "You will receive it soon.", "Thanks.", "Bye."),
    ],
    ids=["call before", "call after", "waits for a yes", "released", "no calls on record", "conditional", "later", "not the agent's deed"],
)  # fmt: skip
def test_what_was_kept_or_cannot_be_judged_is_no_finding(talk: Transcript) -> None:
    """Kept, still to be agreed, released, conditional, or nothing on record to judge by."""
    assert not check_promises(talk)


def test_a_transcript_that_ends_while_the_user_waits_is_open() -> None:
    """The last words are "let me check": the user was left there."""
    found = check_promises(dialogue("Where is order A1?", "Let me check that for you."))
    assert [(one.then.quote, one.sure) for one in found] == [("Let me check that for you.", HANGING)]


@given(transcripts())
def test_every_finding_is_sound_and_the_same_each_time(talk: Transcript) -> None:
    """No transcript breaks it, every quote stands where it says, and looking again finds the same."""
    found = check_promises(talk)
    assert all(sound(one, talk) for one in found)
    assert check_promises(talk) == found
