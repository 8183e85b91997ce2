"""The policy: the sample reads, a business's own file does, and what is wrong in one is said."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

import pytest

from turnstate.apps.sales.policy import read_policy
from turnstate.apps.sales.states import DIMENSIONS, PHASES
from turnstate.errors import SettingError

SAMPLE = resources.files("turnstate.apps.sales").joinpath("policy.toml").read_text("utf-8")


def test_the_sample_is_complete() -> None:
    """Every dimension has a meaning and two wordings, every phase its place, every reply an English text."""
    policy = read_policy()
    assert set(policy.questions) == set(policy.meanings) == set(DIMENSIONS)
    assert all(len(set(wordings)) >= 2 for wordings in policy.questions.values())
    assert policy.way.phases == PHASES
    assert 0 < policy.ruled_out < policy.at_least <= 100
    assert {"missing", "farewell"} <= set(policy.answers["en"])
    assert policy.currency == "USD"


def test_a_business_changes_its_own_file(tmp_path: Path) -> None:
    """The order of the questions is the file's."""
    own = tmp_path / "policy.toml"
    text = SAMPLE.replace("at_least = 50", "at_least = 70").replace(
        'product = "Larkline"', 'product = "Ours"'
    )
    own.write_text(text, encoding="utf-8")
    policy = read_policy(own)
    assert (policy.at_least, policy.product) == (70, "Ours")
    assert next(iter(policy.questions)) == "need"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('goal = "', 'gaol = "'),
        ("[phases]", "[fazes]"),
        ("hops = 12", 'hops = "many"'),
        ("year = 48_000", "year = []"),
        ("need = [", "needs = ["),
        ('need = "the need"', 'needs = "the need"'),
        ('"contract|locked|tied"', '"contract(locked"'),
        ("[assets]", "assets = 3\n[unused]"),
        ("[answers.en]", "[answers]\nen = 3\n[unused]"),
        ("[answers.en]", "[answers.fr]"),
        ('missing = "I do not', 'mising = "I do not'),
        ('farewell = "Thank you', 'farewell = 3\nfarewelled = "Thank you'),
        ('farewell = "Thank you', 'farewell = " "\nfarewelled = "Thank you'),
        ("[phases]", "[phases"),
    ],
)
def test_what_is_missing_or_wrong_is_said(tmp_path: Path, old: str, new: str) -> None:
    """When it is read, and never in the middle of a conversation."""
    own = tmp_path / "policy.toml"
    assert old in SAMPLE
    own.write_text(SAMPLE.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(SettingError, match="sample"):
        read_policy(own)


def test_a_file_that_is_not_there_or_no_text(tmp_path: Path) -> None:
    """Is said like anything else that is wrong."""
    with pytest.raises(SettingError, match="cannot be read"):
        read_policy(tmp_path / "none.toml")
    (tmp_path / "binary.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(SettingError, match="cannot be read"):
        read_policy(tmp_path / "binary.toml")


@pytest.mark.parametrize(
    ("objection", "question"),
    [
        ("The PRICE is too high", "Is it too expensive?"),
        ("we would have to migrate everything", "How long does the onboarding take?"),
        ("I do not want to be locked in", "Can the contract be ended in the first days?"),
        ("my cat is against it", ""),
        ("", ""),
    ],
)
def test_an_objection_has_the_question_that_answers_it(objection: str, question: str) -> None:
    """The business says where its answer stands; where it does not, nothing is looked up."""
    assert read_policy().question_for(objection) == question


def test_an_answer_is_in_the_buyer_s_language_or_in_english() -> None:
    """Whatever the language is."""
    policy = read_policy()
    assert policy.answer("missing", "de").startswith("Dazu habe ich nichts Belegtes")
    assert policy.answer("missing", "ja") == policy.answer("missing", "en")
