"""Budgets, as buyers put them."""

from __future__ import annotations

import pytest

from turnstate.apps.sales.hearing import Policy, hear
from turnstate.apps.sales.states import Mention

STATED = (
    ("we have about $40k", "$40k"),
    ("our budget is forty thousand dollars", "forty thousand dollars"),
    ("make that $55k", "$55k"),
    ("up to 60 grand", "60 grand"),
    ("under €30,000 a year", "€30,000"),
    ("Budget's 50k.", "50k"),
    ("budget: 45.000 EUR", "45.000 EUR"),
    ("We've set aside £35,000 for it this year.", "£35,000"),
    ("I've been given $48,000 to spend on this", "$48,000"),
    ("There's about 40 grand in the kitty.", "40 grand"),
    ("somewhere between 40 and 60k", "40 and 60k"),
    ("our ceiling is $70,000", "$70,000"),
    ("we cant go over 50 grand", "50 grand"),
    ("No more than $45,000, and that's pushing it.", "$45,000"),
    ("tbh we're thinking 50-60k", "50-60k"),
    ("Well, if I'm honest, we have $52,000.", "$52,000"),
    ("The board signed off on $80,000 for software this year", "$80,000"),
    ("bugdet is 40k usd", "40k usd"),
    ("We could stretch to fifty thousand pounds", "fifty thousand pounds"),
    ("I can spend $4k a month", "$4k"),
    ("We earmarked a hundred grand", "a hundred grand"),
    ("half a million dollars is set aside", "half a million dollars"),
    ("low six figures is our budget", "low six figures"),
    ("$40,000", "$40,000"),
    ("Finance allocated 48k for this project.", "48k"),
    ("Is $50k enough?", "$50k"),
    ("Our budget of USD 49,500 is approved.", "USD 49,500"),
    ("Wir haben ein Budget von 40.000 €.", "40.000 €"),
    ("Nuestro presupuesto es de 50.000 euros", "50.000 euros"),
    ("預算是5万元", "5万元"),
)  # fmt: skip

CORRECTED = (
    ("55,000 instead of 40", "55,000"),
    ("Actually, finance approved more: the budget is $55,000 now.", "$55,000"),
    ("scrap that, it's now $55k", "$55k"),
    ("Good news: we got more approved, $60,000 in total.", "$60,000"),
    ("We raised the budget from $40k to $55k.", "$55k"),
    ("not 40k but 55k", "55k"),
    ("Sorry, I meant 50 grand.", "50 grand"),
    ("Forget the $40,000. It's $55,000.", "$55,000"),
    ("my boss bumped it up to $65,000", "$65,000"),
    ("The number I gave you was wrong, our budget is $45,000.", "$45,000"),
    ("We now have $58,000 to work with", "$58,000"),
    ("Correction: $70k, not $40k", "$70k"),
    ("It was 40k, now it's 55k", "55k"),
    ("I said $40,000 earlier, but make it $55,000", "$55,000"),
    ("Turns out we can spend 55k rather than 40k", "55k"),
    ("the budget went up, $55,000 now", "$55,000"),
    ("update: budget has been cut to 30k", "30k"),
    ("wait, no, I mean fifty-five thousand dollars", "fifty-five thousand dollars"),
)

NOT_A_BUDGET = (
    "if we had $100k, we would do it tomorrow",
    "a friend has a budget of $90,000",
    "your competitor costs $40k",
    "We lose $5,000 a month on late deliveries.",
    "We pay $12,000 a year today.",
    "Does it cost $40k?",
    "We don't have $40k.",
    "We are 40 people.",
    'My colleague said: "our budget is $50k"',
    "We turned over $2 million in revenue last year.",
    "imagine we had $100k to spend",
    "$48,000 is too much.",
    "They quoted us $30,000.",
    "Suppose our budget were $80,000?",
    "We do 40,000 deliveries a year.",
    "How much is the plan for 50 users?",
)  # fmt: skip

UNSIZED = (
    ("We have no budget for this.", 0),
    ("no budget", 0),
    ("there's no money for it at all", 0),
    ("we don't have any budget", 0),
    ("our budget is zero", 0),
    ("We haven't set a budget yet.", 30),
    ("no fixed budget", 30),
    ("The budget isn't decided yet", 30),
    ("budget tbd", 30),
    ("money is not an issue", 60),
    ("The budget is approved.", 60),
)

BARE = (
    ("forty thousand", "forty thousand"),
    ("40k", "40k"),
    ("about 50", "50"),
    ("55,000", "55,000"),
    ("maybe 45 grand?", "45 grand"),
    ("around 40 to 50k i think", "40 to 50k"),
    ("50", "50"),
    ("up to sixty thousand", "sixty thousand"),
    ("Yes, $48,000.", "$48,000"),
    ("48000", "48000"),
    ("fifty", "fifty"),
    ("Hmm, 30-40k.", "30-40k"),
    ("£40,000 a year", "£40,000"),
    ("40k max", "40k"),
    ("like 60k ish", "60k"),
)


def _one(text: str, kind: str, expecting: tuple[str, ...] = ()) -> Mention | None:
    found = [mention for mention in hear(text, expecting=expecting).mentions if mention.kind == kind]
    assert len(found) <= 1
    return found[0] if found else None


@pytest.mark.parametrize(("text", "said"), STATED)
def test_a_stated_budget_is_heard_as_the_buyer_put_it(text: str, said: str) -> None:
    """The amount stands in the mention in the buyer's own words, whatever the register."""
    found = _one(text, "budget")
    assert found is not None
    assert (found.said, found.corrects) == (said, "make that" in text)


@pytest.mark.parametrize(("text", "said"), CORRECTED)
def test_a_corrected_budget_is_the_new_amount(text: str, said: str) -> None:
    """What takes an earlier amount back says so, and the earlier amount is not heard again."""
    found = _one(text, "budget")
    assert found is not None
    assert (found.said, found.corrects) == (said, True)


@pytest.mark.parametrize("text", NOT_A_BUDGET)
def test_other_money_is_no_budget(text: str) -> None:
    """Supposed, denied, asked, lost and other people's money is not the buyer's budget."""
    assert _one(text, "budget") is None


@pytest.mark.parametrize(("text", "value"), UNSIZED)
def test_a_budget_without_a_number_has_a_score(text: str, value: int) -> None:
    """No budget rules the buyer out; one that is open does not."""
    found = _one(text, "budget")
    assert found is not None
    assert found.value == value


@pytest.mark.parametrize(("text", "said"), BARE)
def test_a_bare_amount_answers_the_question_for_the_budget(text: str, said: str) -> None:
    """A number alone is the budget where the budget was asked for."""
    found = _one(text, "budget", ("budget", "authority"))
    assert (found.said if found else "") == said


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Our budget is $60,000.", 90),
        ("Our budget is about $60,000.", 80),
        ("Our budget is 40 to 60k.", 65),
        ("Our budget is $40,000.", 45),
        ("Our budget is $20,000.", 25),
        ("Our budget is $500.", 5),
        ("Our budget is $5,000 a month.", 90),
    ],
)
def test_the_score_of_a_budget_is_measured_against_the_price(text: str, value: int) -> None:
    """A number from the price on is settled; below it the score falls with the distance."""
    found = _one(text, "budget")
    assert found is not None
    assert found.value == value


def test_the_price_is_the_policys() -> None:
    """A business with another price scores the same words differently."""
    mention = hear("Our budget is $20,000.", policy=Policy(price=10_000)).mentions[0]
    assert (mention.kind, mention.value) == ("budget", 90)
