"""The command line program: its commands, options and exit codes.

Exit codes: 0 done; 1 what was asked for failed, with the reason on stderr; 2 the command line is wrong; 130 interrupted.
A reader that closes the pipe early has had enough: that is 0.

What does the work is imported inside the commands: pydantic-ai and rich take longer to import than `--help` may take.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from turnstate._version import __version__
from turnstate.cli.kb import kb
from turnstate.errors import TurnstateError

__all__ = ["app", "main"]

VERBOSE = "turnstate.verbose"
"""The key under which a run remembers that -v was given."""


class Program(TyperGroup):
    """The program: errors become one line on stderr and an exit code."""

    def invoke(self, ctx: Any) -> Any:
        """Run the command that was asked for."""
        from turnstate.cli.streams import abandon, complain, prepare

        prepare()
        try:
            return super().invoke(ctx)
        except TurnstateError as error:
            complain(error, traced=VERBOSE in ctx.meta)
            raise typer.Exit(1) from error
        except BrokenPipeError as error:
            abandon()
            raise typer.Exit(0) from error


app = typer.Typer(
    name="turnstate",
    cls=Program,
    help="Bounded context, owned state, durable facts and a log that keeps every turn, for LLM agents.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(__version__)
        raise typer.Exit


def _count_requests(ctx: typer.Context, wanted: bool) -> bool:
    if wanted and VERBOSE not in ctx.meta:
        from turnstate.cli.streams import log_requests

        ctx.meta[VERBOSE] = True
        ctx.find_root().call_on_close(log_requests())
    return wanted


Verbose = Annotated[
    bool,
    typer.Option(
        "-v", "--verbose", callback=_count_requests, help="Log the token count of every request to stderr."
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON on stdout, and nothing else.")]
Store = Annotated[
    str | None,
    typer.Option(
        "--store",
        metavar="PATH|URL",
        help="The database. Default: $TURNSTATE_STORE, else .turnstate/demo.db if it is there, else turnstate.db.",
    ),
]
Model = Annotated[
    str,
    typer.Option(
        "--model", help="'offline' (rules, no key), or provider:name as in 'anthropic:claude-sonnet-5-5'."
    ),
]
Target = Annotated[
    int, typer.Option("--budget-target", min=1, metavar="TOKENS", help="Tokens that a request may have.")
]


@app.callback()
def program(
    *,
    version: Annotated[
        bool,
        typer.Option("--version", is_eager=True, callback=_show_version, help="Print the version and exit."),
    ] = False,
    _verbose: Verbose = False,
) -> None:
    """Bounded context, owned state, durable facts and a log that keeps every turn, for LLM agents."""


@app.command("demo")
def play_demo(
    which: Annotated[str, typer.Argument(metavar="[support|sales]", help="Which demo to play.")] = "support",
    *,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Delete the demo's database and start over.")
    ] = False,
    store: Annotated[
        str | None,
        typer.Option(
            "--store", metavar="PATH", help="The demo's database. Default: demo.db or sales.db in .turnstate."
        ),
    ] = None,
    budget_target: Target = 4_000,
    model: Model = "offline",
    json: Json = False,
    _verbose: Verbose = False,
) -> None:
    """Play a session, offline: a support customer (run it again: the next visit is known), or a buyer and a sales team."""
    if which == "sales":
        from turnstate.cli.selling import Sale, sell

        sell(Sale(store or ".turnstate/sales.db", budget_target, model), fresh=fresh, as_json=json)
        return
    if which != "support":
        raise typer.BadParameter(f"there is no demo {which!r}; choose from: support, sales")
    from turnstate.cli.demo import Demo, play

    play(Demo(store or ".turnstate/demo.db", budget_target, model), fresh=fresh, as_json=json)


@app.command("chat")
def open_chat(
    *,
    agent: Annotated[str, typer.Option("--app", help="The agent to talk to: support, sales.")] = "support",
    model: Model = "offline",
    user: Annotated[
        str | None, typer.Option("--user", metavar="NAME", help="Who you are: facts persist under this name.")
    ] = None,
    budget_target: Target = 8_000,
    store: Annotated[
        str | None,
        typer.Option(
            "--store", metavar="PATH|URL", help="The database. Default: $TURNSTATE_STORE, else turnstate.db."
        ),
    ] = None,
    conversation: Annotated[
        str | None,
        typer.Option("--conversation", metavar="ID", help="Go on with this one. Default: a new one."),
    ] = None,
    _verbose: Verbose = False,
) -> None:
    """Talk to an agent. What you say can also come through a pipe, one message a line."""
    from turnstate.cli.chat import Chat, talk

    talk(Chat(agent, model, user, budget_target, store, conversation))


@app.command("show")
def show_conversation(
    *,
    conversation: Annotated[
        str | None, typer.Argument(metavar="[CONVERSATION]", help="Without it: the conversations there are.")
    ] = None,
    turn: Annotated[
        int | None, typer.Option("--turn", min=1, metavar="N", help="This turn, in full.")
    ] = None,
    events: Annotated[bool, typer.Option("--events", help="Every event of the log.")] = False,
    test: Annotated[
        bool, typer.Option("--test", help="With --turn: print the turn as a pytest module.")
    ] = False,
    agent: Annotated[
        str | None, typer.Option("--app", metavar="NAME", help="With --test: the app that is tested.")
    ] = None,
    redact: Annotated[
        str,
        typer.Option(
            "--redact", metavar="KINDS", help="Mask values, as in email,phone,card,id,money,secret."
        ),
    ] = "",
    store: Store = None,
    json: Json = False,
    _verbose: Verbose = False,
    ctx: typer.Context,
) -> None:
    """Show what the log has of a conversation. Without one: the conversations there are."""
    if redact:
        from turnstate.cli.text import masking
        from turnstate.redaction import checked, mask

        kinds = checked(redact.split(","))
        ctx.call_on_close(masking(lambda text: mask(text, kinds)))
    if test:
        if redact:
            raise typer.BadParameter("a test is made of what was said: give --test without --redact")
        if conversation is None or turn is None:
            raise typer.BadParameter("give a conversation and --turn N with --test")
        from turnstate.cli.as_test import print_test

        print_test(store, conversation, turn, agent)
        return
    from turnstate.cli.show import Choice, show

    show(store, conversation, Choice(turn, events), as_json=json)


@app.command("facts")
def list_facts(
    *,
    user: Annotated[str, typer.Argument(metavar="USER", help="Whose facts.")],
    everything: Annotated[
        bool, typer.Option("--all", help="With the history: superseded and expired ones too.")
    ] = False,
    store: Store = None,
    json: Json = False,
    _verbose: Verbose = False,
) -> None:
    """Show what is on record about a user. Each fact has its source."""
    from turnstate.cli.facts import show_facts

    show_facts(store, user, everything=everything, as_json=json)


@app.command("why")
def explain(
    *,
    conversation: Annotated[str, typer.Argument(metavar="CONVERSATION", help="Which conversation.")],
    value: Annotated[str, typer.Argument(metavar="VALUE", help="An id, an amount, a date, or any words.")],
    store: Store = None,
    json: Json = False,
    _verbose: Verbose = False,
) -> None:
    """Follow a value from request to request. Says where it stood, or what took it out of view."""
    from turnstate.cli.why import show_why

    show_why(store, conversation, value, as_json=json)


@app.command("replay")
def replay_file(
    *,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="OpenAI chat records, one on each line.")],
    strategy: Annotated[
        list[str] | None,
        typer.Option(
            "--strategy", metavar="NAME", help="append, truncate, summarize, hybrid or all; may be repeated."
        ),
    ] = None,
    budget_target: Target = 8_000,
    model: Annotated[str | None, typer.Option("--model", metavar="ID", help="Whose prices to take.")] = None,
    instructions: Annotated[
        Path | None,
        typer.Option(
            "--instructions",
            metavar="FILE",
            exists=True,
            dir_okay=False,
            help="Take these instead of the recorded ones.",
        ),
    ] = None,
    plot: Annotated[
        Path | None,
        typer.Option("--plot", metavar="PNG", dir_okay=False, help="Draw the longest conversation."),
    ] = None,
    probes: Annotated[
        Path | None,
        typer.Option(
            "--probes",
            metavar="FILE",
            dir_okay=False,
            help="Ask these after the last turn: lines of JSON with conversation, question and answer.",
        ),
    ] = None,
    recall: Annotated[
        bool,
        typer.Option(
            "--recall/--no-recall", help="Bring earlier exchanges back for messages that need them."
        ),
    ] = True,
    json: Json = False,
    _verbose: Verbose = False,
) -> None:
    """Replay recorded conversations. Compares context strategies by tokens, cost and cuts, without a model."""
    from turnstate.cli.replay import Replay, show_replay

    wanted = Replay(file, tuple(strategy or ()), budget_target, model, instructions, plot, probes, recall)
    show_replay(wanted, as_json=json)


@app.command("measure")
def measure_file(
    *,
    file: Annotated[Path, typer.Argument(metavar="TRANSCRIPT", help="Recorded conversations.")],
    model: Annotated[str | None, typer.Option("--model", metavar="ID", help="Whose prices to take.")] = None,
    target: Annotated[
        int,
        typer.Option(
            "--target",
            "--budget-target",
            min=1,
            metavar="TOKENS",
            help="Tokens that a bounded request may have.",
        ),
    ] = 8_000,
    fields: Annotated[
        str,
        typer.Option(
            "--fields", metavar="NAMES", help="Fields of the state, as in budget,timeline,industry."
        ),
    ] = "",
    plot: Annotated[
        Path | None,
        typer.Option("--plot", metavar="PNG", dir_okay=False, help="Draw the longest conversation."),
    ] = None,
    json: Json = False,
    _verbose: Verbose = False,
) -> None:
    """Compare re-deriving from the transcript with keeping state. Says from which turn on state wins, if it does."""
    from turnstate.cli.measure import Wanted, show_measure

    show_measure(Wanted(file, target, model, fields, plot), as_json=json)


@app.command("migrate")
def migrate_store(
    *,
    url: Annotated[
        str, typer.Argument(metavar="URL", help="A path, or a URL as in postgresql://user@host/database.")
    ],
    schema: Annotated[
        str, typer.Option("--schema", metavar="NAME", help="In PostgreSQL: the schema that has the tables.")
    ] = "turnstate",
    _verbose: Verbose = False,
) -> None:
    """Make the tables of a store, or bring them up to date. A SQLite file is also brought up to date when it is opened."""
    from turnstate.cli.migrate import migrate

    migrate(url, schema)


@app.command("doctor")
def examine_store(
    *,
    store: Store = None,
    schema: Annotated[
        str, typer.Option("--schema", metavar="NAME", help="In PostgreSQL: the schema that has the tables.")
    ] = "turnstate",
    agent: Annotated[
        str | None,
        typer.Option(
            "--app", metavar="MODULE:TEAM", help="Whose states the store should have, as in shop:team."
        ),
    ] = None,
    json: Json = False,
    _verbose: Verbose = False,
) -> None:
    """Look for what is wrong in a store, and change nothing. Exits with 1 when it finds something."""
    from turnstate.cli.doctor import examine

    examine(store, schema, agent, as_json=json)


OneConversation = Annotated[
    str | None, typer.Option("--conversation", metavar="ID", help="Only this conversation.")
]
OneUser = Annotated[str | None, typer.Option("--user", metavar="ID", help="Only this user's conversations.")]


@app.command("erase")
def erase_for_good(
    *,
    store: Store = None,
    conversation: OneConversation = None,
    user: OneUser = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    json: Json = False,
    _verbose: Verbose = False,
) -> None:
    """Erase a conversation, or all of a user, for good. Prints a receipt that says what erasing cannot reach."""
    from turnstate.cli.forgetting import erase

    erase(store, conversation, user, sure=yes, as_json=json)


@app.command("retention")
def erase_the_old(
    *,
    older_than: Annotated[str, typer.Option("--older-than", metavar="AGE", help="As in 90d, 12h or 8w.")],
    store: Store = None,
    user: OneUser = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would be erased.")] = False,
    json: Json = False,
    _verbose: Verbose = False,
) -> None:
    """Erase turns that ended long ago, whole, and conversations of which nothing else is left."""
    from turnstate.cli.forgetting import retain

    retain(store, older_than, user, dry=dry_run, as_json=json)


@app.command("export")
def export_conversations(
    *,
    store: Store = None,
    conversation: OneConversation = None,
    user: OneUser = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Where to; stdout unless given.")
    ] = None,
    _verbose: Verbose = False,
) -> None:
    """Write conversations as lines of JSON, bit for bit: one, a user's, or all."""
    from turnstate.cli.forgetting import write

    write(store, conversation, user, out)


@app.command("import")
def import_conversations(
    *,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="What `turnstate export` wrote.")],
    store: Annotated[
        str,
        typer.Option("--store", metavar="PATH|URL", help="Where to; a database is made unless it is there."),
    ],
    _verbose: Verbose = False,
) -> None:
    """Read conversations that were exported, from this kind of store or another."""
    from turnstate.cli.forgetting import read

    read(store, file)


app.add_typer(kb, name="kb")


def main() -> None:
    """Run the program; the console script's entry point."""
    app()
