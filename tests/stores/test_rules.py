"""The rules that all stores share: what a turn takes, who a conversation belongs to, which facts stand."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stores.events import events
from turnstate.core.events import (
    ConversationOpened,
    Event,
    FactsLearned,
    HandedOff,
    Resumed,
    Said,
    SummaryWritten,
    TurnClosed,
    TurnFailed,
    TurnOpened,
    TurnPinned,
)
from turnstate.core.facts import Fact, Source, supersede
from turnstate.core.history import TurnStatus
from turnstate.errors import KeyConflict, TurnNotOpen, UserConflict
from turnstate.stores.rules import (
    Standing,
    admit,
    check_message,
    check_user,
    in_force,
    owner_of,
)

AT = 1_767_225_600_000_000

some_events = st.lists(events.filter(lambda event: not isinstance(event, ConversationOpened)), max_size=5)
standings: st.SearchStrategy[Standing] = st.sampled_from([*get_args(TurnStatus), "absent"])

facts = st.builds(
    Fact,
    st.sampled_from(["city", "allergies"]),
    st.sampled_from(["Oslo", "Rome", 5, True]),
    st.sampled_from(Source),
    st.just(""),
    st.just(0),
    st.just(0),
    st.sampled_from(["c1", "c2"]),
    st.just(1),
    st.integers(AT, AT + 4),
    st.none() | st.integers(AT, AT + 9),
    st.just(""),
    st.booleans(),
    st.booleans(),
)


def taken(turn: int, standing: Standing, closed: int, event: Event) -> bool:
    """Whether a turn takes one event."""
    try:
        admit("c1", turn, standing, closed, [event])
    except TurnNotOpen:
        return False
    return True


@given(st.integers(1, 3), standings, st.integers(0, 3), some_events)
def test_events_are_taken_all_or_none_as_one_by_one(
    turn: int, standing: Standing, closed: int, some: list[Event]
) -> None:
    """A list is admitted exactly if each would be after the ones before it."""
    places: list[int] = []
    now, newest = standing, closed
    refused = False
    for place, event in enumerate(some):
        if refused := not taken(turn, now, newest, event):
            break
        one = admit("c1", turn, now, newest, [event])
        places += [place] * len(one.places)
        now, newest = one.standing, one.closed
    if refused:
        with pytest.raises(TurnNotOpen):
            admit("c1", turn, standing, closed, some)
    else:
        admitted = admit("c1", turn, standing, closed, some)
        assert (list(admitted.places), admitted.standing, admitted.closed) == (places, now, newest)


@given(events, st.integers(0, 3))
def test_only_an_open_turn_takes_progress(event: Event, closed: int) -> None:
    """Late work is taken by every turn that is on record, and a turn is reopened only after it failed."""
    if isinstance(event, ConversationOpened):
        return
    late = isinstance(event, FactsLearned | SummaryWritten | TurnPinned | Said)
    reopens = isinstance(event, TurnOpened)
    assert taken(2, "open", closed, event) == (not reopens or closed <= 2)
    assert taken(2, "failed", closed, event) == (late or (reopens and closed <= 2))
    assert taken(2, "closed", closed, event) == late
    assert not taken(2, "absent", closed, event)
    assert taken(0, "absent", closed, event) == isinstance(
        event, FactsLearned | SummaryWritten | Said | HandedOff | Resumed
    )


@given(events)
def test_what_an_open_turn_becomes(event: Event) -> None:
    """Closed or failed by the events of that name, and nothing else."""
    if isinstance(event, ConversationOpened):
        return
    admitted = admit("c1", 2, "open", 1, [event])
    match event:
        case TurnClosed():
            assert (admitted.standing, admitted.closed) == ("closed", 2)
        case TurnFailed():
            assert (admitted.standing, admitted.closed) == ("failed", 1)
        case _:
            assert (admitted.standing, admitted.closed) == ("open", 1)


def test_a_conversation_is_not_opened_by_an_append() -> None:
    """That is a mistake of the caller, not a state of the turn."""
    with pytest.raises(ValueError, match="start"):
        admit("c1", 1, "open", 0, [ConversationOpened()])


def test_a_conversation_has_one_user() -> None:
    """And nobody is a user of their own."""
    check_user("c1", "ann", "ann")
    check_user("c1", None, None)
    for owner, user in [("ann", "bob"), ("ann", None), (None, "ann"), (None, "")]:
        with pytest.raises(UserConflict):
            check_user("c1", owner, user)


def test_a_key_has_one_message() -> None:
    """By its digest."""
    check_message("k1", 1, "digest", "digest")
    with pytest.raises(KeyConflict):
        check_message("k1", 1, "digest", "another")


@given(st.text(max_size=3), st.text(max_size=3))
def test_users_and_conversations_own_facts_apart(user: str, conversation: str) -> None:
    """Also where they have the same name."""
    assert owner_of(user, conversation) == owner_of(user, "elsewhere")
    assert owner_of(user, conversation) != owner_of(None, conversation)
    assert (owner_of(user, "c") == owner_of(conversation, "c")) == (user == conversation)


@given(st.lists(facts, max_size=8))
def test_the_facts_in_force_are_those_that_stand(said: list[Fact]) -> None:
    """Each once, and folding them again changes nothing."""
    flags = in_force(said)
    standing = [fact for fact, stands in zip(said, flags, strict=True) if stands]
    assert len(flags) == len(said)
    assert sorted(standing, key=repr) == sorted(supersede(said).standing, key=repr)
    assert set(supersede(standing).standing) == set(standing)


@given(st.lists(facts, max_size=6))
def test_keys_do_not_meddle_with_each_other(said: list[Fact]) -> None:
    """So that only the touched keys need to be settled again."""
    flags = dict(enumerate(in_force(said)))
    for key in ("city", "allergies"):
        places = [place for place, fact in enumerate(said) if fact.key == key]
        assert [flags[place] for place in places] == list(in_force([said[place] for place in places]))


@given(st.lists(facts, min_size=1, max_size=6))
def test_a_fact_learned_again_stands_once(said: list[Fact]) -> None:
    """Repeating everything changes nothing."""
    again = in_force([*said, *said])
    assert again == (*in_force(said), *[False] * len(said))


def test_expiry_does_not_count_here() -> None:
    """The store has no clock; an expired fact still stands."""
    city = Fact("city", "Oslo", Source.USER_QUOTE, "Oslo", 0, 4, "c1", 1, AT, AT + 1)
    assert in_force([city, replace(city, key="town", expires_at=1)]) == (True, True)
