"""Looking up: what the knowledge holds becomes evidence, and a search that fails finds nothing, so nothing is claimed."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from acceptance.doors import run
from apps.sales.pictures import POLICY, heard, mention
from turnstate.apps.sales.hearing import hear
from turnstate.apps.sales.looking_up import LONGEST, PASSAGES, look_up, sample
from turnstate.apps.sales.states import Heard, Research
from turnstate.core.evidence import Evidence

ASKS = heard(asks=True)


class Fixed:
    """A knowledge that finds the same for everything, and remembers what it was asked."""

    def __init__(self, *found: Evidence) -> None:
        self.found = found
        self.queries: list[str] = []

    async def search(self, query: str, k: int) -> Sequence[Evidence]:
        """The same."""
        self.queries.append(query)
        return self.found[:k]


class Down:
    """A knowledge that cannot be reached."""

    async def search(self, query: str, k: int) -> Sequence[Evidence]:
        """Never."""
        raise ConnectionError("no route")


def passage(number: int, text: str) -> Evidence:
    """What a search may find."""
    return Evidence(f"docs/file{number}.md", f"Title {number}", text, 1.0 / number, f"id{number}")


def looked_up(message: str, *, said: Heard | None = None) -> Research:
    """What the sample knowledge holds on a message, as it is heard."""
    return run(look_up(sample(), message, hear(message) if said is None else said, POLICY))


@pytest.mark.parametrize(
    ("question", "source", "words"),
    [
        ("Where is our data stored?", "security.md", "Frankfurt"),
        ("Does it integrate with QuickBooks?", "integrations.md", "QuickBooks Online"),
        ("Does the driver app work offline on Android phones?", "product.md", "Android"),
    ],
)
def test_what_the_sample_holds_is_evidence(question: str, source: str, words: str) -> None:
    """With the file and the heading that it stands under."""
    found = looked_up(question)
    assert found.level == "ACCURATE"
    assert found.evidence[0].source.startswith(f"{source}, ")
    assert words in found.evidence[0].text
    assert found.gap == ""


def test_what_it_does_not_hold_is_missing() -> None:
    """With the buyer's words for a gap, and nothing that could be taken for an answer."""
    found = looked_up("Do you have a COBOL SDK for our mainframe?")
    assert (found.level, found.evidence) == ("MISSING", ())
    assert "COBOL" in found.gap


def test_a_knowledge_that_fails_is_missing() -> None:
    """Whatever it raises; the turn goes on."""
    found = run(look_up(Down(), "Where is our data stored?", ASKS, POLICY))
    assert (found.level, found.evidence) == ("MISSING", ())
    objecting = heard(mention("objection", "the price is too high"))
    assert run(look_up(Down(), "The price is too high.", objecting, POLICY)) == Research()


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("We need this live in six weeks.", heard(mention("timeline", "six weeks"))),
        ("Thank you!", heard(thanks=True)),
        ("Could you send me a case study?", heard(mention("topic", "references"), asks=True)),
        ("Can we meet on Thursday?", heard(mention("topic", "meeting"), asks=True)),
        ("My cat is against it.", heard(mention("objection", "my cat is against it"))),
    ],
)
def test_what_asks_for_no_fact_is_not_looked_up(message: str, said: Heard) -> None:
    """Statements, thanks, what is shared rather than told, and objections that the business has no answer to."""
    fixed = Fixed(passage(1, "Something."))
    assert run(look_up(fixed, message, said, POLICY)) == Research()
    assert fixed.queries == []


def test_an_objection_is_looked_up_in_the_business_s_words() -> None:
    """Nobody asked, so nothing is missing where it is not found."""
    fixed = Fixed(passage(1, "It pays back."), passage(2, "More."))
    objecting = heard(mention("objection", "the price is too high"))
    found = run(look_up(fixed, "The price is too high.", objecting, POLICY))
    assert fixed.queries == ["Is it too expensive?"]
    assert [(each.source, each.text) for each in found.evidence] == [("file1.md, Title 1", "It pays back.")]
    assert found.level == "NOTHING ASKED"
    assert run(look_up(Fixed(), "The price is too high.", objecting, POLICY)) == Research()


def test_evidence_is_bounded() -> None:
    """A brief stays small, whatever a search brings back."""
    many = Fixed(*(passage(n, f"Backups are kept for {n} days. " + "x" * 2_000) for n in range(1, 9)))
    found = run(look_up(many, "How long are backups kept?", ASKS, POLICY))
    assert 1 <= len(found.evidence) <= PASSAGES
    assert all(len(each.text) <= LONGEST for each in found.evidence)


def test_the_sample_may_be_opened_more_than_once() -> None:
    """Each has a file of its own, which goes with it."""
    first, second = sample(), sample()
    for knowledge in (first, second):
        assert run(knowledge.search("Where is our data stored?", 3))
