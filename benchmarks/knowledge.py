"""`python -m benchmarks.knowledge`: is anything answered without evidence, and how much that could be answered is refused.

For each of three languages there are the documents of two products that do not exist, and questions about them: some that
the documents answer, in other words; some that they do not answer though they come near (another product, another number,
a detail that is not there); some of which they answer one half; and messages that ask nothing. The rules were set on `dev` (one
product) and `dev2` (the other). `test` has further questions about the other: what came of them when they were first asked
is told in docs/knowledge.md; the rules were corrected by them since. All were written by those who wrote the rules.
"""

from __future__ import annotations

import argparse
import asyncio
import csv
import json
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Literal, cast

from turnstate.core.evidence import Level
from turnstate.knowledge import Research, SqliteKnowledge, open_knowledge, research
from turnstate.knowledge.ingest import read_file

DATA = Path(__file__).parent / "knowledge_gate"
RESULT = Path(__file__).parent / "results" / "knowledge.json"
LANGUAGES = {"en": "English", "de": "German", "zh": "Chinese"}

Kind = Literal["yes", "no", "half", "none"]


@dataclass(frozen=True, slots=True)
class Case:
    """A message and what is right.

    Attributes:
        kind: "yes" (the handbook answers it), "no" (it does not), "half" (one of two parts) or "none" (it asks nothing).
        message: in the user's words.
        answer: what stands in the passage that answers it.
        gap: what the named gap has to have in it.
    """

    kind: Kind
    message: str
    answer: str = ""
    gap: str = ""


@dataclass(slots=True)
class Tally:
    """What came of the questions of one language.

    Attributes:
        passages: of the knowledge base.
        questions: that were asked, without the messages that ask nothing.
        unanswerable: questions, or halves of them, that the handbook does not answer.
        invented: of these, how many were taken as answered; and answers for which the wrong passage was given.
        answerable: questions that the handbook answers.
        refused: of these, how many were refused.
        halves: questions of two parts of which one is answered.
        right: of these, how many were PARTIAL, with the right passage and the right gap.
        statements: messages that ask nothing.
        mistaken: of these, how many were taken as questions.
        inventions: the messages that were wrongly answered.
        refusals: the messages that were wrongly refused.
        missed: the halves that were not right.
    """

    passages: int = 0
    questions: int = 0
    unanswerable: int = 0
    invented: int = 0
    answerable: int = 0
    refused: int = 0
    halves: int = 0
    right: int = 0
    statements: int = 0
    mistaken: int = 0
    inventions: list[str] = field(default_factory=list[str])
    refusals: list[str] = field(default_factory=list[str])
    missed: list[str] = field(default_factory=list[str])


def cases(language: str, half: str) -> Iterator[Case]:
    """The messages of a language: those of "dev", "dev2" or "test"."""
    with (DATA / language / half / "questions.tsv").open(encoding="utf-8", newline="") as file:
        for row in csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            kind, message, *expected = row
            answer, _, gap = (expected[0] if expected else "").partition("|")
            yield Case(cast("Kind", kind), message, answer, gap)


def build(language: str, half: str, path: Path) -> SqliteKnowledge:
    """The knowledge base of a language."""
    knowledge = open_knowledge(path, create=True)
    for file in sorted((DATA / language / half).iterdir()):
        if file.suffix != ".tsv":
            knowledge.add(file.name, read_file(file))
    return knowledge


async def measure(language: str, half: str, folder: Path) -> Tally:
    """Ask every question of a language."""
    knowledge = build(language, half, folder / f"{language}-{half}.db")
    tally = Tally(passages=sum(document.passages for document in knowledge.documents()))
    for case in cases(language, half):
        count(tally, case, await research(knowledge, case.message))
    knowledge.close()
    return tally


def count(tally: Tally, case: Case, result: Research) -> None:
    """Count what came of one message."""
    level = result.grounding.level
    answered = result.grounding.asked and level is not Level.MISSING
    where = f"{case.message} [{level.value}: {' | '.join(each.title for each in result.evidence)}]"
    if case.kind == "none":
        tally.statements += 1
        tally.mistaken += result.grounding.asked
        return
    tally.questions += 1
    wrong = bool(case.answer) and answered and not _found(case.answer, result)
    if case.kind == "yes":
        tally.answerable += 1
        if not answered or level is not Level.ACCURATE:
            tally.refused += 1
            tally.refusals.append(case.message)
    else:
        tally.unanswerable += 1
        wrong = wrong or (answered if case.kind == "no" else level is Level.ACCURATE)
    if case.kind == "half":
        tally.halves += 1
        named = case.gap.casefold() in result.grounding.gap.casefold()
        if level is Level.PARTIAL and named and not wrong:
            tally.right += 1
        else:
            tally.missed.append(where)
    if wrong:
        tally.invented += 1
        tally.inventions.append(where)


def _found(answer: str, result: Research) -> bool:
    return any(answer.casefold() in f"{each.title} {each.text}".casefold() for each in result.evidence)


def table(tallies: Sequence[tuple[str, Tally]]) -> str:
    """The results as a Markdown table."""
    lines = [
        "| language | passages | questions | answered without evidence | refused though answerable | half answered, gap named |",
        "|---|---|---|---|---|---|",
    ]
    for language, tally in tallies:
        invented = f"{tally.invented} of {tally.questions}"
        refused = f"{tally.refused} of {tally.answerable}"
        half = f"{tally.right} of {tally.halves}"
        lines.append(
            f"| {LANGUAGES[language]} | {tally.passages} | {tally.questions} | {invented} | {refused} | {half} |"
        )
    return "\n".join(lines)


HALVES = ("test", "dev2", "dev")
"""What is measured: the questions that nothing was set on before they were first asked, then the others."""


def measure_all(half: str) -> dict[str, Tally]:
    """What came of the questions of each language."""
    with tempfile.TemporaryDirectory() as folder:
        return {language: asyncio.run(measure(language, half, Path(folder))) for language in LANGUAGES}


def main() -> None:
    """Measure, print and keep the results."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    kept: dict[str, dict[str, dict[str, object]]] = {}
    for half in HALVES:
        tallies = measure_all(half)
        print(f"{half}:\n{table(tuple(tallies.items()))}")
        for language, tally in tallies.items():
            print(
                f"{LANGUAGES[language]}: of {tally.statements} messages that ask nothing {tally.mistaken} were looked up"
            )
        kept[half] = {language: asdict(tally) for language, tally in tallies.items()}
    RESULT.write_text(json.dumps(kept, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
