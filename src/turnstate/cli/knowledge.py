"""What `turnstate kb` does: adding files to a knowledge base, searching, listing, removing.

The JSON of a search has `question`, `kb`, `level` (null where nothing is asked), `gap`, `problem`, `parts` (`question`,
`evidence`: ids) and `passages` (`id`, `source`, `title`, `text`, `score`, `answers`). That of a listing has `kb` and
`documents` (`source`, `title`, `kind`, `passages`, `notes`).
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path

import typer

from turnstate.cli.render import Screen, many, print_json, words
from turnstate.cli.table import Column, Rows
from turnstate.cli.text import clipped, one_line
from turnstate.core.evidence import Evidence, Grounding
from turnstate.errors import KnowledgeError
from turnstate.knowledge import SqliteKnowledge, open_knowledge, research
from turnstate.knowledge.ingest import read_file

SHOWN = 300
"""Characters of a passage that are shown; the JSON has all of it."""


def add(base: Path, paths: Sequence[Path]) -> None:
    """Add files; those that cannot be read are reported, the others are added.

    Raises:
        KnowledgeError: a file cannot be read (the last one that could not), or the knowledge base cannot be written.
    """
    screen, failed = Screen(), list[KnowledgeError]()
    with _opened(base, create=True) as knowledge:
        for path in paths:
            try:
                document = read_file(path)
            except KnowledgeError as error:
                failed.append(error)
                continue
            added = knowledge.add(source_of(path, base), document)
            screen.say(
                words(added.change, "bold"), f" {one_line(added.source)}: {many(added.passages, 'passage')}"
            )
            for note in document.notes:
                screen.say(words(f"  {note}", "yellow"))
    for error in failed[:-1]:
        typer.echo(one_line(str(error)), err=True)
    if failed:
        raise failed[-1]


def search(base: Path, question: str, most: int, *, as_json: bool) -> None:
    """Search, and say whether what was found answers the question.

    Raises:
        KnowledgeError: the knowledge base is not there, or cannot be read.
    """
    with _opened(base) as knowledge:
        result = asyncio.run(research(knowledge, question, k=most))
        found = result.found or knowledge.find(question, most)
    if as_json:
        print_json({"question": question, "kb": str(base), **_data(result.grounding, found)})
    else:
        _show(result.grounding, found)


def _data(grounding: Grounding, found: Sequence[Evidence]) -> dict[str, object]:
    return {
        "level": grounding.level.value if grounding.asked else None,
        "gap": grounding.gap,
        "problem": grounding.problem,
        "parts": [{"question": part.question, "evidence": list(part.evidence)} for part in grounding.parts],
        "passages": [
            {
                "id": one.id,
                "source": one.source,
                "title": one.title,
                "text": one.text,
                "score": one.score,
                "answers": one.id in grounding.evidence,
            }
            for one in found
        ],
    }


def _show(grounding: Grounding, found: Sequence[Evidence]) -> None:
    screen = Screen()
    screen.say(words(grounding.level.value if grounding.asked else "nothing is asked", "bold"))
    if grounding.problem:
        screen.say(words(one_line(grounding.problem), "red"))
    if grounding.gap:
        screen.say(words(f"not answered: {one_line(grounding.gap)}", "yellow"))
    for one in found:
        answers = one.id in grounding.evidence
        mark = words("answers", "green") if answers else words("found", "dim")
        screen.say()
        screen.say(mark, f" {one_line(one.title)} ", words(one_line(one.id), "dim"))
        screen.say(clipped(one.text, SHOWN))


def list_all(base: Path, *, as_json: bool) -> None:
    """List the documents.

    Raises:
        KnowledgeError: the knowledge base is not there, or cannot be read.
    """
    with _opened(base) as knowledge:
        listed = knowledge.documents()
    if as_json:
        documents = [
            {
                "source": one.source,
                "title": one.title,
                "kind": one.kind,
                "passages": one.passages,
                "notes": one.notes,
            }
            for one in listed
        ]
        print_json({"kb": str(base), "documents": documents})
        return
    screen = Screen()
    screen.say(words(str(base), "bold"), f": {many(len(listed), 'document')}")
    if listed:
        rows = Rows(Column("source", "text"), Column("title", "line"), "kind", Column("passages", "number"))
        for one in listed:
            rows.add(one.source, one.title, one.kind, f"{one.passages:,}")
            if one.notes:
                rows.note(one.notes)
        rows.show(screen)


def remove(base: Path, names: Sequence[str]) -> None:
    """Remove documents; the files stay.

    Raises:
        KnowledgeError: one of them is not in the knowledge base (the others are removed), or it cannot be written.
    """
    screen, absent = Screen(), list[str]()
    with _opened(base) as knowledge:
        for name in names:
            known = dict.fromkeys((name, source_of(Path(name), base)))
            source = next((source for source in known if knowledge.remove(source)), None)
            if source is None:
                absent.append(name)
            else:
                screen.say(words("removed", "bold"), f" {one_line(source)}")
    if absent:
        missing = ", ".join(map(repr, absent))
        raise KnowledgeError(str(base), f"has no {missing}", "List what it has with `turnstate kb list`.")


def source_of(path: Path, base: Path) -> str:
    """What a file is known by: its path from the folder of the knowledge base, or in full where it stands elsewhere."""
    try:
        full, folder = path.resolve(), base.resolve().parent
    except (OSError, ValueError, RuntimeError):
        return os.fspath(path)
    return (full.relative_to(folder) if full.is_relative_to(folder) else full).as_posix()


@contextmanager
def _opened(base: Path, *, create: bool = False) -> Generator[SqliteKnowledge]:
    knowledge = open_knowledge(base, create=create)
    try:
        yield knowledge
    finally:
        knowledge.close()
