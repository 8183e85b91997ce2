"""`turnstate show --turn N --test`: a recorded turn as a pytest module that passes, and what there is no test of."""

from __future__ import annotations

import asyncio
import types
from pathlib import Path
from typing import Any

import pytest

from cli.conftest import Run
from turnstate.apps.sales.agents import sales
from turnstate.apps.support.agent import support
from turnstate.apps.support.shop import Shop

SAID = (
    "Our dispatchers lose about ten hours a week re-typing orders.",
    "We need this live in six weeks, before our peak season.",
    "Do you have a COBOL SDK for our mainframe?",
)


@pytest.fixture(scope="module")
def sold(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with a sale of three turns, and a support visit of one."""
    path = tmp_path_factory.mktemp("sold") / "sold.db"

    async def play() -> None:
        async with sales(store=f"sqlite:///{path}") as shop:
            for message in SAID:
                await shop.conversation("buyer", user="dana").send(message)
        async with support(store=f"sqlite:///{path}", shop=Shop()) as desk:
            await desk.conversation("visit", user="priya").send("Hello!")

    asyncio.run(play())
    return path


def _ran(source: str) -> None:
    """Run the tests of a module's source."""
    module = types.ModuleType("printed")
    exec(compile(source, "printed.py", "exec"), vars(module))  # our own module, as a reader would save it
    tests: list[Any] = [value for name, value in vars(module).items() if name.startswith("test_")]
    assert len(tests) == 1
    tests[0]()


@pytest.mark.parametrize("turn", [1, 2, 3])
def test_a_turn_of_the_sales_app_is_a_test_that_passes(run: Run, sold: Path, turn: int) -> None:
    """With a model's reply and without one; the module needs nothing but what it imports."""
    printed = run("show", "buyer", "--turn", str(turn), "--test", "--app", "sales", "--store", str(sold))
    assert (printed.code, printed.err) == (0, "")
    assert printed.out.startswith(f'"""Turn {turn} of conversation \'buyer\', played again')
    _ran(printed.out)


def test_a_turn_of_the_support_app_too(run: Run, sold: Path) -> None:
    """A team is not needed."""
    printed = run("show", "visit", "--turn", "1", "--test", "--app", "support", "--store", str(sold))
    assert printed.code == 0
    _ran(printed.out)


def test_a_test_that_does_not_fit_fails(run: Run, sold: Path) -> None:
    """It asserts the reply and the states."""
    printed = run("show", "buyer", "--turn", "2", "--test", "--app", "sales", "--store", str(sold)).out
    with pytest.raises(AssertionError):
        _ran(printed.replace('"reply": "Noted: six weeks.', '"reply": "Noted: seven weeks.'))


def test_an_application_of_one_s_own_is_left_to_be_filled_in(run: Run, sold: Path) -> None:
    """The line says with what."""
    printed = run("show", "buyer", "--turn", "1", "--test", "--store", str(sold)).out
    assert (
        "from your_app import assistant  # a function (model, store) -> Assistant with your team" in printed
    )
    compile(printed, "printed.py", "exec")


@pytest.mark.parametrize(
    ("args", "code", "told"),
    [
        (("buyer", "--test"), 2, "give a conversation and --turn N with --test"),
        (("--turn", "1", "--test"), 2, "give a conversation and --turn N with --test"),
        (
            ("buyer", "--turn", "1", "--test", "--app", "nope"),
            2,
            "there is no app 'nope'; choose from: sales",
        ),
        (("buyer", "--turn", "99", "--test"), 1, "Turn 99 of conversation 'buyer' is absent"),
        (("nobody", "--turn", "1", "--test"), 1, "Give one of these"),
    ],
)
def test_what_there_is_no_test_of_is_said(
    run: Run, sold: Path, args: tuple[str, ...], code: int, told: str
) -> None:
    """On stderr, with nothing on stdout."""
    ran = run("show", *args, "--store", str(sold))
    assert (ran.code, ran.out) == (code, "")
    assert told in " ".join(ran.err.split())
