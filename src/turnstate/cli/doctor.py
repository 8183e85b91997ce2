"""`turnstate doctor`: what is wrong in a store. It only looks; with anything wrong the exit code is 1.

The JSON has `store`, `schema` (`found`, `expected`), `conversations`, `events`, `states` (`state`, `version`,
`conversations`) and `findings` (`kind`, `tenant`, `conversation`, `turn`, `seq`, `problem`, `step`).
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import typer

from turnstate.cli.render import Screen, many, print_json, words
from turnstate.cli.store import NotThere, chosen, file_of
from turnstate.cli.table import Column, Rows
from turnstate.core.state import declaration
from turnstate.stores.doctor import Finding, Report
from turnstate.stores.sqlite.doctor import examine as examine_file
from turnstate.stores.urls import parse
from turnstate.turn.team import Team

SHOWN = 200
"""Findings in a table; JSON has them all."""


def examine(store: str | None, schema: str, app: str | None, *, as_json: bool) -> None:
    """Look at a store and tell what is wrong.

    Raises:
        NotThere: there is no such store, or its driver is not installed.
        TurnstateError: the URL names no store, or the store cannot be read.
        typer.Exit: something is wrong in it.
    """
    report = _report(chosen(store), schema, None if app is None else _states(app))
    if as_json:
        print_json(_data(report))
    else:
        _show(report)
    if report.findings:
        raise typer.Exit(1)


def _report(url: str, schema: str, known: Mapping[str, int] | None) -> Report:
    if url.startswith("memory:"):
        raise NotThere(f"Store {url!r} ends with its process", "Give the path of a database with --store")
    if file_of(url) is not None:
        path = parse(url).path
        if not path.is_file():
            raise NotThere(f"There is no database at {path}", "Check the path")
        return examine_file(path, url, known)
    try:
        from turnstate.stores.postgres.doctor import examine as examine_tables
    except ModuleNotFoundError:
        raise NotThere(
            "The PostgreSQL driver is not installed", "Run `pip install 'turnstate[postgres]'`"
        ) from None
    return examine_tables(url, schema, known)


def _states(app: str) -> Mapping[str, int]:
    """The newest version of each state of a team, by name.

    Raises:
        typer.BadParameter: it names no team.
    """
    module, _, name = app.partition(":")
    sys.path.insert(0, str(Path.cwd()))  # the caller's own modules, as `python -m` finds them
    try:
        found: object = getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError, ValueError) as error:
        raise typer.BadParameter(f"{app!r} does not import ({error})", param_hint="--app") from None
    finally:
        sys.path.pop(0)
    if not isinstance(found, Team):
        raise typer.BadParameter(f"{app!r} is no Team; give MODULE:TEAM", param_hint="--app")
    declared = map(declaration, found.states)
    return {each.name: each.version for each in declared}


def _data(report: Report) -> dict[str, Any]:
    states = [
        {"state": name, "version": version, "conversations": number}
        for (name, version), number in sorted(report.states.items())
    ]
    return {
        "store": report.url,
        "schema": {"found": report.found, "expected": report.expected},
        "conversations": report.conversations,
        "events": report.events,
        "states": states,
        "findings": [asdict(finding) for finding in report.findings],
    }


def _show(report: Report) -> None:
    screen = Screen()
    screen.say(
        words(report.url, "bold"),
        f", schema {report.found}, {many(report.conversations, 'conversation')}, {many(report.events, 'event')}",
    )
    for (name, version), number in sorted(report.states.items()):
        screen.say(f"state {name}, version {version}, in {many(number, 'conversation')}")
    if not report.findings:
        screen.say(words("Nothing is wrong.", "green"))
        return
    rows = Rows(
        "what", Column("where", "text", 2), Column("problem", "text", 4), Column("what to do", "text", 3)
    )
    for finding in report.findings[:SHOWN]:
        rows.add(words(finding.kind, "red"), _where(finding), finding.problem, finding.step)
    rows.show(screen)
    if (left := len(report.findings) - SHOWN) > 0:
        screen.say(f"and {left:,} more: --json has all of them")
    screen.say(words(f"{many(len(report.findings), 'finding')}. Nothing was changed.", "red"))


def _where(finding: Finding) -> str:
    tenant = f"{finding.tenant}/" if finding.tenant not in {"", "default"} else ""
    if not finding.conversation:
        return f"tenant {finding.tenant}" if finding.tenant else "the store"
    event = f", event {finding.seq}" if finding.seq else ""
    turn = f", turn {finding.turn}" if finding.turn else ""
    return f"{tenant}{finding.conversation}{turn}{event}"
