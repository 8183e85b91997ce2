"""The sample functions of the business: what is sent is sent once, whatever happens in between."""

from __future__ import annotations

from acceptance.doors import assistant, run
from turnstate.apps.sales.outbox import Outbox, tools
from turnstate.apps.sales.policy import read_policy
from turnstate.testing.scripted import Call
from turnstate.turn.tools import EFFECT


def test_they_are_the_assets_of_the_policy() -> None:
    """Every asset has its function, and can be run again safely after a crash."""
    made = {each.name: each for each in tools(Outbox())}
    assert set(made) == set(read_policy().assets)
    for each in made.values():
        assert each.metadata is not None
        assert each.metadata[EFFECT] == "idempotent"


def test_what_is_called_is_in_the_outbox() -> None:
    """By the call's id, so that a call that is repeated changes nothing; the model is told what happened."""
    outbox = Outbox()

    async def scenario() -> None:
        case = Call("send_case_study", {"industry": "freight"})
        meeting = Call("book_meeting", {"when": "Thursday at 10:00"})
        async with assistant([[case, meeting], "Done."], tools=tools(outbox)) as shop:
            assert (await shop.conversation("c").send("Send it.")).text == "Done."

    run(scenario())
    assert sorted(outbox.sent.values()) == ["case study: freight", "meeting: Thursday at 10:00"]


def test_two_outboxes_share_nothing() -> None:
    """Each assistant has its own."""
    assert Outbox().sent is not Outbox().sent
