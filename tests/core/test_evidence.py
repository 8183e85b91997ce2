"""What a message asks, and whether the evidence answers it: rather refused than invented."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnstate.core.evidence import AskedPart, Evidence, Level, asked_parts, ground, search_words, unjudged
from turnstate.core.search import Statistics


def passage(text: str, title: str = "Handbook › Page", name: str = "a#1") -> Evidence:
    """A passage."""
    return Evidence("a", title, text, 1.0, name)


SALESFORCE = passage("Records are synchronised with Salesforce every ten minutes.", "Handbook › Integrations")


@pytest.mark.parametrize(
    ("message", "parts"),
    [
        ("How much is Starter, and does it include fax?", ["How much is Starter", "does it include fax?"]),
        ("We have 40 people, how long does setup take?", ["how long does setup take?"]),
        ("Tell me about your backups.", ["Tell me about your backups."]),
        ("Was kostet Halle und wie lange läuft der Test?", ["Was kostet Halle", "wie lange läuft der Test?"]),
        ("基础版多少钱？可以试用吗？", ["基础版多少钱？", "可以试用吗？"]),
        ("Thanks! That helps.", []),
        ("Our budget is 2,000 dollars.", []),
        ("Wir haben zwei Lager.", []),
        ("我们公司有八十个员工。", []),
        ("", []),
    ],
)
def test_a_message_is_split_into_what_it_asks(message: str, parts: list[str]) -> None:
    """One part for each question, in the user's words; what is only told is none."""
    assert [part.question for part in asked_parts(message)] == parts


def test_a_part_that_points_back_is_about_the_one_before() -> None:
    """What "it" is has to be told apart: an app that is free is not a plan that is."""
    _, second = asked_parts("Is there an iPhone app, and is it free?")
    assert second.about == "Is there an iPhone app"
    free = passage("The Starter plan is free.")
    app = passage("There is an iPhone app.", name="a#2")
    assert ground("Is there an iPhone app, and is it free?", [free, app]).level is Level.PARTIAL


def test_a_message_that_asks_nothing_lacks_nothing() -> None:
    """ACCURATE, and `asked` says that there was no question."""
    grounding = ground("Thank you!", ())
    assert (grounding.level, grounding.asked, grounding.gap) == (Level.ACCURATE, False, "")


def test_no_evidence_is_missing() -> None:
    """Nothing found is never everything answered."""
    grounding = ground("How much is Starter?", ())
    assert (grounding.level, grounding.asked, grounding.gap) == (Level.MISSING, True, "How much is Starter?")


def test_an_evaluator_that_fails_is_missing() -> None:
    """Whatever it raises, nothing was judged, and the reason is told."""

    def broken(part: AskedPart, evidence: Evidence) -> bool:
        raise RuntimeError(part.question)

    grounding = ground("How much is Starter?", [SALESFORCE], covers=broken)
    assert grounding.level is Level.MISSING
    assert grounding.problem == "RuntimeError: How much is Starter?"
    assert unjudged("hello", "down").gap == "hello"


@pytest.mark.parametrize(
    ("question", "text", "level"),
    [
        ("Do you have a Salesforce integration?", SALESFORCE.text, Level.ACCURATE),
        ("Do you have an SAP integration?", SALESFORCE.text, Level.MISSING),
        (
            "Is there a 60-day trial?",
            "The trial ends after 14 days. Data is kept for 60 days.",
            Level.MISSING,
        ),
        ("Is there a 14-day trial?", "There is a trial of 14 days.", Level.ACCURATE),
        ("How much is Starter?", "Starter has three seats.", Level.MISSING),
        ("How much is Starter?", "Starter costs $39 a month.", Level.ACCURATE),
        ("How much is Starter for 500 people?", "Starter costs $39 a month.", Level.MISSING),
        ("How many backups are kept?", "Backups are kept for 35 days.", Level.MISSING),
        ("How long are backups kept?", "Backups are kept for 35 days.", Level.ACCURATE),
        (
            "Wie lange werden Sicherungen aufbewahrt?",
            "Sicherungen werden 35 Tage aufbewahrt.",
            Level.ACCURATE,
        ),
        ("Kann ich kündigen?", "Die Kündigung ist jederzeit möglich.", Level.ACCURATE),
        ("Was kostet der Datenexport?", "Der Export von Daten dauert zwei Stunden.", Level.MISSING),
        ("备份保留多久？", "备份保留60天。", Level.ACCURATE),
        ("备份保留了多少份？", "备份保留60天。", Level.MISSING),
        ("能和飞书集成吗？", "可以与钉钉和企业微信集成。", Level.MISSING),
        ("可以试用十四天吗？", "可以试用14天。", Level.ACCURATE),
        ("Why do offers expire?", "Offers expire after 15 minutes.", Level.MISSING),
        ("Who owns the data?", "The data is yours: the clinic owns it.", Level.ACCURATE),
        ("¿Cuánto cuesta?", "Starter costs $39 a month.", Level.MISSING),
    ],
)
def test_every_word_that_carries_a_question_has_to_be_there(question: str, text: str, level: Level) -> None:
    """Names and numbers exactly, other words in any form, and the kind of thing that is asked for."""
    assert ground(question, [passage(text)]).level is level


def test_a_passage_about_another_product_is_no_evidence() -> None:
    """Even where the words of the question stand in two passages together."""
    found = [passage("Starter has phone support."), passage("Team costs $99.", name="a#2")]
    assert ground("How much is Starter?", found).level is Level.MISSING


def test_a_record_answers_for_its_subject_alone() -> None:
    """A bag that fits a bicycle says nothing of the bicycle's weight."""
    bag = passage("Article: Pannier bag\nWeight: 1.1 kg\nFits: City", "accessories")
    assert ground("What is the weight of the City?", [bag]).level is Level.MISSING
    assert ground("What is the weight of the pannier bag?", [bag]).level is Level.ACCURATE


def test_the_gap_is_named_in_the_users_words() -> None:
    """A half that is answered has its evidence; the other half is the gap."""
    grounding = ground("What does Starter cost, and can I rent a printer?", [passage("Starter costs $39.")])
    assert grounding.level is Level.PARTIAL
    assert [part.evidence for part in grounding.parts] == [("a#1",), ()]
    assert grounding.gap == "can I rent a printer?"


@pytest.mark.parametrize(
    ("question", "text", "gap"),
    [
        ("Do you integrate with Zoom and Webex?", "It is integrated with Zoom.", "Webex"),
        ("Do you have ISO 27001 and ISO 9001?", "We have ISO 27001.", "ISO 9001"),
        ("能和企业微信、飞书集成吗？", "可以与钉钉和企业微信集成。", "飞书"),
    ],
)
def test_of_two_things_the_one_that_is_not_there_is_the_gap(question: str, text: str, gap: str) -> None:
    """A question about two things is two questions where the evidence has one of them."""
    grounding = ground(question, [passage(text)])
    assert grounding.level is Level.PARTIAL
    assert gap in grounding.gap


def test_a_word_that_stands_everywhere_need_not_stand_in_the_answer() -> None:
    """The product's name says nothing of a passage, as far as the statistics show that it is one."""
    asked, found = "How long does Tidewell keep backups?", [passage("Backups are kept for 35 days.")]
    everywhere = Statistics(40, 0.0, {"tidewell": 38})
    assert ground(asked, found).level is Level.MISSING
    assert ground(asked, found, statistics=everywhere).level is Level.ACCURATE
    assert ground(asked, found, statistics=Statistics(40, 0.0, {"tidewell": 3})).level is Level.MISSING


def test_what_is_searched_for_has_no_words_of_asking() -> None:
    """Frame words would find every passage; words that mean the same are looked for too."""
    sought = search_words("Wie oft laufen die Sicherungen?").split()
    assert "Sicherungen" in sought
    assert "backup" in sought
    assert "die" not in sought


TEXTS = st.text() | st.sampled_from(
    ["How much is A and B?", "多少钱、几个？", "wie lange, und was kostet es?"]
)


@given(message=TEXTS, text=TEXTS, title=TEXTS)
def test_any_text_can_be_judged(message: str, text: str, title: str) -> None:
    """No text raises; the level, the parts and the gap say the same."""
    grounding = ground(message, [passage(text, title)])
    answered = [part for part in grounding.parts if part.evidence]
    assert grounding.problem == ""
    assert (grounding.level is Level.ACCURATE) == (len(answered) == len(grounding.parts))
    assert (grounding.level is Level.MISSING) == (bool(grounding.parts) and not answered)
    assert bool(grounding.gap) == (len(answered) < len(grounding.parts))
    search_words(message)


@given(message=TEXTS)
def test_nothing_is_answered_without_evidence(message: str) -> None:
    """Whatever is asked, no passage is no answer."""
    assert all(not part.evidence for part in ground(message, ()).parts)


@given(message=TEXTS)
def test_a_part_is_a_part_of_the_message(message: str) -> None:
    """The parts are the user's own words."""
    assert all(part.question in message for part in asked_parts(message))


@pytest.mark.parametrize(
    "message",
    [
        "A and B " * 500 + "?",
        "丙、" * 2_000 + "吗？",
        "丙丁、" * 700 + "吗？",
        "? a" * 2_000,
        "what is A and " * 400,
    ],
)
def test_a_hostile_message_is_judged_too(message: str) -> None:
    """However many parts, pairs or signs it has: the work is bounded, and nothing is answered."""
    found = [passage("甲、乙 and Starter, 多少 " * 600, name=str(place)) for place in range(3)]
    assert ground(message, found).level is Level.MISSING
