"""`turnstate chat`: talking to an agent, at a terminal or through a pipe.

Ctrl-C cancels the turn that is running, and ends the chat at the prompt. An error is one line, and the chat goes on.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import logging
import os
import sys
import time
from dataclasses import dataclass

from turnstate.assistant import Conversation
from turnstate.cli.agents import Setting, agent
from turnstate.cli.facts import in_force, print_facts
from turnstate.cli.render import Screen, words
from turnstate.cli.store import OWN, VARIABLE, file_of, url_of
from turnstate.cli.streams import listen
from turnstate.cli.text import printable
from turnstate.errors import TurnstateError

PROMPT = "you> "
HELP = (
    "/facts shows what is on record, /quit (or Ctrl-D) ends, Ctrl-C cancels a reply. Everything else is sent."
)


@dataclass(frozen=True, slots=True)
class Chat:
    """A chat as it was asked for.

    Attributes:
        agent: the agent's name.
        model: the model's id.
        user: who speaks, or None.
        target: tokens that a request may have.
        store: a path or URL, or None for the usual one.
        conversation: the conversation to go on with, or None for a new one.
    """

    agent: str
    model: str
    user: str | None
    target: int
    store: str | None
    conversation: str | None


def talk(chat: Chat) -> None:
    """Talk until the input ends.

    Raises:
        typer.BadParameter: there is no such agent.
        TurnstateError: the agent cannot be set up, or its store cannot be opened.
        KeyboardInterrupt: Ctrl-C at the prompt.
    """
    url = url_of(chat.store or os.environ.get(VARIABLE) or str(OWN))
    assistant = agent(chat.agent, Setting(chat.model, chat.target, url))
    name = chat.conversation or time.strftime("chat-%Y%m%d-%H%M%S")
    # One loop for all turns, entered once for each: the prompt waits outside, where Ctrl-C is an ordinary interrupt.
    with asyncio.Runner() as runner:
        runner.run(assistant.__aenter__())
        try:
            conversation = assistant.conversation(name, user=chat.user)
            Talk(runner, conversation).run()
        finally:
            runner.run(assistant.__aexit__())
    _say_what_next(url, name)


def _say_what_next(url: str, name: str) -> None:
    path = file_of(url)
    if path is not None and sys.stdin.isatty():
        where = "" if path == OWN else f" --store {path}"
        Screen().say(words(f"The log of this chat: turnstate show {name}{where}", "dim"))


class Talk:
    """The loop of a chat.

    Args:
        runner: runs a turn.
        conversation: where what is said goes.
    """

    def __init__(self, runner: asyncio.Runner, conversation: Conversation) -> None:
        self._runner = runner
        self._conversation = conversation
        self._screen = Screen()
        self._speaking = False

    def run(self) -> None:
        """Read lines and answer them, until there are no more or one says /quit."""
        stop = listen(logging.INFO, self._aside)
        try:
            if sys.stdin.isatty():
                # What is typed can be edited and recalled where the platform has the module.
                with contextlib.suppress(ImportError):
                    importlib.import_module("readline")
                self._screen.say(words(HELP, "dim"))
            while (line := _read_line(self._screen)) is not None:
                match line.strip():
                    case "":
                        continue
                    case "/quit":
                        break
                    case "/help":
                        self._screen.say(words(HELP, "dim"))
                    case "/facts":
                        self._runner.run(self._show_facts())
                    case command if command.startswith("/"):
                        self._screen.say(words(f"There is no {command}. {HELP}", "yellow"))
                    case text:
                        self.answer(text)
        finally:
            stop()

    def answer(self, text: str) -> None:
        """Send `text` and show the reply while it is written; Ctrl-C cancels the turn, an error is one line."""
        self._runner.run(self._answer(text))

    async def _answer(self, text: str) -> None:
        self._speaking = False
        stream = self._conversation.stream(text)
        try:
            async for sentence in stream:
                if not self._speaking:
                    self._screen.say(words("assistant> ", "bold green"), end="")
                    self._speaking = True
                self._screen.say(sentence, end="")
            await stream.reply()
        except asyncio.CancelledError:
            await self._conversation.cancel()
            self._aside("[cancelled] Your message is in the log; say it again to try again.")
        except TurnstateError as error:
            self._aside(f"[error] {error}", bad=True)
        finally:
            self._end_line()

    def _aside(self, line: str, *, bad: bool = False) -> None:
        """Show a line that is no part of the reply, on a line of its own."""
        self._end_line()
        self._screen.say(words(line, "red" if bad else "yellow"))

    def _end_line(self) -> None:
        if self._speaking:
            self._screen.say()
            self._speaking = False

    async def _show_facts(self) -> None:
        try:
            facts = await self._conversation.facts()
        except TurnstateError as error:
            self._aside(f"[error] {error}", bad=True)
            return
        if facts:
            print_facts(self._screen, in_force(facts))
        else:
            self._screen.say("Nothing is on record yet.")


def _read_line(screen: Screen) -> str | None:
    """The next line, or None at the end; one that comes through a pipe is shown, as it would be when typed."""
    if sys.stdin.isatty():
        try:
            return input(PROMPT)
        except EOFError:
            screen.say()
            return None
        except KeyboardInterrupt:
            screen.say()
            raise
    line = sys.stdin.readline()
    if line.strip():
        screen.say(words(PROMPT, "bold cyan"), printable(line.strip()))
    return line or None
