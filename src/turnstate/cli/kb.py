"""`turnstate kb`: its commands and options; what they do is in `cli/knowledge.py`, imported when one is run."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

kb = typer.Typer(
    help="Keep documents that replies may use as facts.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

DEFAULT = Path("knowledge.db")

Base = Annotated[
    Path, typer.Option("--kb", metavar="PATH", dir_okay=False, help="The knowledge base, a file of its own.")
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON on stdout, and nothing else.")]


@kb.command("add")
def add_files(
    *,
    files: Annotated[list[Path], typer.Argument(metavar="FILES…", help="Markdown, text, HTML or CSV.")],
    base: Base = DEFAULT,
) -> None:
    """Add files. One that is there already is replaced; those that cannot be read are reported."""
    from turnstate.cli.knowledge import add

    add(base, files)


@kb.command("search")
def search_for(
    *,
    question: Annotated[str, typer.Argument(metavar="QUESTION", help="As a user would ask it.")],
    base: Base = DEFAULT,
    most: Annotated[int, typer.Option("-k", min=1, metavar="N", help="Passages to look at.")] = 6,
    json: Json = False,
) -> None:
    """Search. Says whether what is found answers the question."""
    from turnstate.cli.knowledge import search

    search(base, question, most, as_json=json)


@kb.command("list")
def list_documents(*, base: Base = DEFAULT, json: Json = False) -> None:
    """List the documents."""
    from turnstate.cli.knowledge import list_all

    list_all(base, as_json=json)


@kb.command("remove")
def remove_documents(
    *,
    names: Annotated[
        list[str], typer.Argument(metavar="FILES…", help="As `kb list` names them, or the files' paths.")
    ],
    base: Base = DEFAULT,
) -> None:
    """Remove documents. The files themselves stay."""
    from turnstate.cli.knowledge import remove

    remove(base, names)
