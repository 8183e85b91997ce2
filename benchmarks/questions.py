"""`python -m benchmarks.questions [FOLDER]`: whether the same question is told from another, and a needless repetition from a legitimate one.

Similarity is fitted (`--fit`) on questions of STAR and MultiWOZ alone, without the dialogues of the labelled repetitions, and
measured on questions of the Schema-Guided Dialogue services, of which nothing was used. Repetition is measured on labelled
dialogues; its rules were written on other dialogues of STAR and MultiWOZ.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import json
import math
import platform
import random
import statistics
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from turnstate.core.questions import (
    SAME,
    AskedQuestion,
    Asks,
    Exchange,
    Outgoing,
    Question,
    QuestionKind,
    Reason,
    Verdict,
    find_questions,
    repetition,
    similarity,
)
from turnstate.core.questions.profile import profile
from turnstate.core.questions.similarity import FEATURES, features

DATA = Path(__file__).parents[2] / "shared" / "data"
RESULT = Path(__file__).parent / "results" / "questions.json"
LEFT_OUT = Path(__file__).parent / "results" / "questions_left_out.json"
"""Digests of what STAR's wizards typed in the labelled dialogues, read from STAR's own recordings."""
PAIRS = 20_000
"""Pairs per set: half of one slot, half of two."""
FALSE_ALARMS = 0.02
"""The share of different questions of the training pairs above the threshold that `--fit` proposes."""
BASELINE: Final = {"star": 0.53, "multiwoz": 0.44}
_UNUSABLE: Final = ("spaceship", "trivia", "more", "continue")

Slot = tuple[str, str]


class Pair(NamedTuple):
    """Two questions, and whether they ask for the same slot."""

    one: str
    other: str
    same: bool


class Training(NamedTuple):
    """Questions by service and slot, and how many were left out because they stand in a labelled dialogue."""

    questions: dict[Slot, list[str]]
    excluded: dict[str, int]


# ---------------------------------------------------------------- similarity


def rows(path: Path) -> list[dict[str, Any]]:
    """The objects of a JSON Lines file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def training(folder: Path) -> Training:
    """The questions that similarity is fitted on: those of STAR's wizards and of MultiWOZ's single requests.

    STAR's questions have no dialogue id here, so what wizards typed in the labelled dialogues is left out by its digest.
    """
    typed = frozenset(json.loads(LEFT_OUT.read_text(encoding="utf-8")))
    labelled = folder / "question_repetition_gold"
    gold = {part: rows(labelled / f"{part}.jsonl") for part in ("star", "multiwoz")}
    said = {message["content"].strip() for row in gold["star"] for message in row["messages"]}
    found: defaultdict[Slot, set[str]] = defaultdict(set)
    excluded: Counter[str] = Counter()
    for row in rows(folder / "star_question_paraphrases" / "pairs.jsonl"):
        domain, _, slot = row["label"].partition("_ask_")
        if any(word in row["label"] for word in _UNUSABLE):
            continue
        found[f"star {domain if slot else 'any'}", row["label"]].add(row["template"])
        if row["typed"].strip() in said or digest(row["typed"]) in typed:
            excluded["star questions"] += 1
        else:
            found[f"star {domain if slot else 'any'}", row["label"]].add(row["typed"].strip())
    ids = {row["id"] for row in gold["multiwoz"]}
    for dialogue in rows(folder / "multiwoz_acts" / "dialogs.jsonl"):
        if dialogue["id"] in ids:
            excluded["multiwoz dialogues"] += 1
            continue
        for message in dialogue["messages"]:
            requests = _requests(message)
            if message["role"] == "assistant" and len(requests) == 1:
                found[f"multiwoz {requests[0][0]}", requests[0][1]].add(message["content"])
    asking = {slot: sorted(filter(_asks, said)) for slot, said in sorted(found.items())}
    return Training({slot: said for slot, said in asking.items() if said}, dict(excluded))


def _requests(message: Mapping[str, Any]) -> list[Slot]:
    return [
        (act.partition("-")[0], slot[0])
        for act, slots in message["acts"].items()
        if act.endswith("-Request")
        for slot in slots
    ]


def _asks(text: str) -> bool:
    return any(question.kind is not QuestionKind.COURTESY for question in find_questions(text))


def digest(text: str) -> str:
    """A short name for a text."""
    return hashlib.sha256(text.strip().encode()).hexdigest()[:12]


def bank(folder: Path) -> dict[Slot, list[str]]:
    """The questions that similarity is measured on, by service and slot."""
    found: defaultdict[Slot, set[str]] = defaultdict(set)
    with (folder / "sgd_question_bank" / "questions.tsv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            found[row["service"], row["slot"]].add(row["question"])
    return {slot: sorted(said) for slot, said in sorted(found.items())}


def pairs(questions: Mapping[Slot, Sequence[str]], near: float, seed: int, count: int = PAIRS) -> list[Pair]:
    """Pairs of one slot, and as many of two, slots being equally likely.

    Args:
        questions: by service and slot.
        near: the share of different pairs that are of two slots of one service.
        seed: of the draw.
        count: pairs in all.
    """
    draw = random.Random(seed)
    slots = list(questions)
    paired = [slot for slot in slots if len(questions[slot]) > 1]
    beside = {slot: [other for other in slots if other[0] == slot[0] and other != slot] for slot in slots}
    found: list[Pair] = []
    while len(found) < count:
        slot = draw.choice(paired)
        found.append(Pair(*draw.sample(list(questions[slot]), 2), same=True))
        close = draw.random() < near and beside[slot]
        other = draw.choice(beside[slot] if close else [other for other in slots if other != slot])
        found.append(Pair(draw.choice(questions[slot]), draw.choice(questions[other]), same=False))
    return found


def fit(of: Sequence[Pair], ridge: float = 1.0) -> list[float]:
    """The weights of a logistic regression over the figures of the pairs, the bias first (Newton's method)."""
    table = [(1.0, *features(profile(pair.one), profile(pair.other))) for pair in of]
    width = len(FEATURES) + 1
    weights = [0.0] * width
    for _ in range(8):
        slope = [-ridge * weight * (at > 0) for at, weight in enumerate(weights)]
        bend = [[ridge * (at == to and at > 0) for to in range(width)] for at in range(width)]
        for row, pair in zip(table, of, strict=True):
            filled = [(at, value) for at, value in enumerate(row) if value]
            likely = 1 / (
                1 + math.exp(-max(-30.0, min(30.0, sum(weights[at] * value for at, value in filled))))
            )
            for at, value in filled:
                slope[at] += (pair.same - likely) * value
                bent = likely * (1 - likely) * value
                for to, other in filled:
                    bend[at][to] += bent * other
        weights = [weight + step for weight, step in zip(weights, _solved(bend, slope), strict=True)]
    return weights


def _solved(matrix: list[list[float]], right: list[float]) -> list[float]:
    """The solution of a linear system, by elimination."""
    size = len(right)
    full = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for at in range(size):
        pivot = max(range(at, size), key=lambda row: abs(full[row][at]))
        full[at], full[pivot] = full[pivot], full[at]
        divisor = full[at][at] or 1e-12
        for row in range(size):
            if row != at and full[row][at]:
                factor = full[row][at] / divisor
                full[row] = [a - factor * b for a, b in zip(full[row], full[at], strict=True)]
    return [full[at][size] / (full[at][at] or 1e-12) for at in range(size)]


def area(of: Sequence[tuple[float, bool]]) -> float:
    """The area under the ROC curve, ties by half."""
    ranked: defaultdict[float, list[int]] = defaultdict(lambda: [0, 0])
    for score, same in of:
        ranked[score][same] += 1
    below = won = 0.0
    for score in sorted(ranked):
        other, same = ranked[score]
        won += same * (below + other / 2)
        below += other
    return won / (below * sum(same for _, same in of))


def judged(of: Sequence[Pair], threshold: float) -> dict[str, Any]:
    """Area under the curve, and what the threshold, and others, suppress rightly and falsely."""
    scored = [(similarity(pair.one, pair.other), pair.same) for pair in of]
    same = [score for score, alike in scored if alike]
    other = [score for score, alike in scored if not alike]
    return {
        "pairs": len(of),
        "area": round(area(scored), 4),
        "false_suppression": _above(other, threshold),
        "found": _above(same, threshold),
        "at": {str(at): [_above(other, at), _above(same, at)] for at in (0.5, 0.6, 0.7, 0.8, 0.9, 0.95)},
    }


def _above(scores: Sequence[float], threshold: float) -> float:
    return round(sum(score >= threshold for score in scores) / len(scores), 4)


def alike(folder: Path) -> dict[str, Any]:
    """The figures of similarity on the services it has never seen."""
    questions = bank(folder)
    sets = {"same_service": 1.0, "any_service": 0.0, "half_and_half": 0.5}
    return {
        "threshold": SAME,
        "slots": len(questions),
        "questions": sum(map(len, questions.values())),
        **{name: judged(pairs(questions, near, seed=7), SAME) for name, near in sets.items()},
    }


# ---------------------------------------------------------------- repetition

_LASTING: Final = frozenset(
    {
        "ask_name",
        "bank_ask_dob",
        "bank_ask_pin",
        "bank_ask_account_number",
        "bank_ask_mothers_maiden_name",
        "bank_ask_childhood_pets_name",
    }
)
_LABELS: Final = {
    "Area": Asks("area", ("part of town", "location")),
    "Arrive": Asks("arrival time", ("time to arrive",)),
    "Day": Asks("day", ("date",)),
    "Depart": Asks("place of departure", ("leaving from where",)),
    "Dest": Asks("destination"),
    "Food": Asks("type of food", ("cuisine",)),
    "Internet": Asks("internet", ("wifi",)),
    "Leave": Asks("departure time", ("time to leave",)),
    "Name": Asks("name"),
    "Parking": Asks("parking"),
    "People": Asks("number of people"),
    "Price": Asks("price range", ("budget",)),
    "Stars": Asks("star rating", ("stars",)),
    "Stay": Asks("number of nights", ("how long",)),
    "Time": Asks("time"),
    "Type": Asks("type of place"),
}
"""What the slots of MultiWOZ ask for, as a caller would declare it."""


def declared(slot: str, templates: Mapping[str, str]) -> Asks:
    """What a slot asks for, as a caller would declare it: its name, and STAR's own wording as an example."""
    if slot in templates:
        return Asks("", (), (templates[slot],), lasting=slot in _LASTING)
    return _LABELS.get(slot.rpartition("-")[2], Asks(""))


def templates(folder: Path) -> dict[str, str]:
    """STAR's own wording of each question."""
    return {
        row["label"]: row["template"] for row in rows(folder / "star_question_paraphrases" / "pairs.jsonl")
    }


def exchanges(messages: Sequence[Mapping[str, Any]]) -> list[Exchange]:
    """A dialogue in turns, each opened by the user."""
    found: list[Exchange] = []
    for message in messages:
        said = message["content"]
        if message["role"] == "user" or not found:
            user, reply = (said, "") if message["role"] == "user" else ("", said)
            found.append(Exchange(len(found) + 1, user, reply))
        else:
            last = found[-1]
            found[-1] = Exchange(last.turn, last.user, f"{last.assistant}\n{said}".strip())
    return found


def verdict(row: Mapping[str, Any], asks: Asks, *, by_key: bool = True) -> Verdict:
    """The verdict on the second question of a labelled pair.

    Args:
        row: the dialogue and the places of both questions.
        asks: what the slot asks for.
        by_key: whether both questions are known to be for one key, as where the state names it.
    """
    messages = row["messages"]
    before = exchanges(messages[: row["second_ask"]])
    first = exchanges(messages[: row["first_ask"] + 1])[-1].turn
    earlier, again = messages[row["first_ask"]]["content"], messages[row["second_ask"]]["content"]
    if by_key:
        asked = [AskedQuestion(row["slot"], about_key(earlier, asks).text, first)]
        return repetition(
            Outgoing(about_key(again, asks), row["slot"], reply=again, asks=asks), asked, before
        )
    asked = [AskedQuestion("", question.text, first) for question in find_questions(earlier)]
    verdicts = [
        repetition(Outgoing(question, reply=again), asked, before) for question in find_questions(again)
    ]
    return max(
        verdicts, key=lambda one: _GRAVITY.index(one.kind), default=Verdict("new", Reason.NOT_A_QUESTION)
    )


_GRAVITY: Final = ("new", "legitimate", "undecided", "repeated")


def about_key(text: str, asks: Asks) -> Question:
    """The question of a message that is for a key: the one nearest to its example or label."""
    example = asks.examples[0] if asks.examples else f"What is the {asks.label}?"
    asking = [question for question in find_questions(text) if question.kind is not QuestionKind.COURTESY]
    return max(
        asking, key=lambda question: similarity(question.text, example), default=Question(text, 0, len(text))
    )


class Outcome(NamedTuple):
    """A label and a verdict."""

    needless: bool
    flagged: bool


def f1(of: Sequence[Outcome]) -> float:
    """The harmonic mean of precision and recall of needless repetitions."""
    hit = sum(one.needless and one.flagged for one in of)
    wrong = sum(one.needless != one.flagged for one in of)
    return 2 * hit / (2 * hit + wrong) if hit else 0.0


def interval(of: Sequence[Outcome], draws: int = 2_000, seed: int = 5) -> tuple[float, float]:
    """The middle 95 % of F1 over bootstrap samples."""
    draw = random.Random(seed)
    values = sorted(f1(draw.choices(of, k=len(of))) for _ in range(draws))
    return values[draws * 25 // 1000], values[draws * 975 // 1000]


def figures(of: Sequence[Outcome]) -> dict[str, Any]:
    """F1 with its interval, precision and recall."""
    hit = sum(one.needless and one.flagged for one in of)
    flagged, needless = sum(one.flagged for one in of), sum(one.needless for one in of)
    low, high = interval(of)
    return {
        "pairs": len(of),
        "needless": needless,
        "flagged": flagged,
        "f1": round(f1(of), 3),
        "interval_95": [round(low, 3), round(high, 3)],
        "precision": round(hit / flagged, 3) if flagged else 0.0,
        "recall": round(hit / needless, 3),
        "false_alarms": round((flagged - hit) / (len(of) - needless), 3),
    }


def repeated(folder: Path) -> dict[str, Any]:
    """The figures of repetition on the labelled dialogues, by part, by key and by paraphrase."""
    wording = templates(folder)
    table: dict[str, Any] = {}
    for part, baseline in BASELINE.items():
        labelled = rows(folder / "question_repetition_gold" / f"{part}.jsonl")
        always = [Outcome(row["redundant"], flagged=True) for row in labelled]
        table[part] = {"to_beat": baseline, "always_flagged_f1": round(f1(always), 3)}
        for name, by_key in (("by_key", True), ("by_paraphrase", False)):
            verdicts = [verdict(row, declared(row["slot"], wording), by_key=by_key) for row in labelled]
            outcomes = [
                Outcome(row["redundant"], said.kind == "repeated")
                for row, said in zip(labelled, verdicts, strict=True)
            ]
            table[part][name] = figures(outcomes) | {"kinds": dict(Counter(said.kind for said in verdicts))}
    return table


# ---------------------------------------------------------------- speed


def speed(folder: Path) -> dict[str, float]:
    """Milliseconds of a turn: three questions found in a reply and judged against 200 asked ones, nothing remembered."""
    said = [question for of in bank(folder).values() for question in of]
    draw = random.Random(11)
    took: list[float] = []
    for _ in range(20):
        reply = " ".join(draw.sample(said, 3))
        asked = [AskedQuestion("", text, turn) for turn, text in enumerate(draw.sample(said, 200))]
        for question in asked:  # they were looked at when they were asked
            profile(question.text)
        started = time.perf_counter()
        for question in find_questions(reply):
            repetition(Outgoing(question), asked, [Exchange(201, "hello")])
        took.append((time.perf_counter() - started) * 1_000)
    return {
        "median_ms_3_questions_200_asked": round(statistics.median(took), 2),
        "worst_ms": round(max(took), 2),
    }


def fitted(folder: Path) -> str:
    """Weights and threshold, as they stand in the package."""
    data = training(folder)
    of = pairs(data.questions, 0.5, seed=1, count=16_000)
    bias, *weights = fit(of)
    scores = sorted(_score(bias, weights, pair) for pair in of if not pair.same)
    same = scores[int(len(scores) * (1 - FALSE_ALARMS))]
    print(
        f"{sum(map(len, data.questions.values()))} questions of {len(data.questions)} slots; left out: {data.excluded}",
        file=sys.stderr,
    )
    return "\n".join(
        (
            f"BIAS: Final = {bias:.4f}",
            f"WEIGHTS: Final = ({', '.join(f'{weight:.4f}' for weight in weights)})",
            f"SAME: Final = {same:.3f}",
        )
    )


def _score(bias: float, weights: Iterable[float], pair: Pair) -> float:
    figures = features(profile(pair.one), profile(pair.other))
    total = bias + sum(weight * value for weight, value in zip(weights, figures, strict=True))
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, total))))


def main() -> int:
    """Measure, print, and keep the figures beside the others; or fit."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=DATA, help="the folder of recorded dialogues")
    parser.add_argument(
        "--fit", action="store_true", help="print the weights that the training questions give"
    )
    arguments = parser.parse_args()
    folder: Path = arguments.folder
    if not (folder / "sgd_question_bank" / "questions.tsv").is_file():
        print(
            f"There is no sgd_question_bank/questions.tsv in {folder}: pass the folder of recorded dialogues.",
            file=sys.stderr,
        )
        return 2
    if arguments.fit:
        print(fitted(folder))
        return 0
    measured: dict[str, Any] = {
        "python": platform.python_version(),
        "machine": platform.machine(),
        "similarity": alike(folder),
        "repetition": repeated(folder),
        "speed": speed(folder),
        "left_out_of_training": training(folder).excluded,
    }
    text = json.dumps(measured, indent=2)
    print(text)
    RESULT.write_text(text + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
