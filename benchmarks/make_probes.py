"""`python -m benchmarks.make_probes DATA FOLDER`: questions with known answers, from the labels of two sets of dialogues.

From `sgd_long_sessions` (joined from the Schema-Guided Dialogue dataset, Rastogi et al. 2020, CC BY-SA 4.0) and from
`taskmaster4_coffee` (Taskmaster-4, Byrne et al. 2024, CC BY 4.0), whose dialogues are joined into long ones. A question
names what it asks for in words of its own (the name of a hotel, the number of an order) and never holds the answer; an
answer stands in one of the joined dialogues only, so that it cannot be in view by chance.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple, cast

from turnstate.replay.probes import Shown

JOINED = 25
"""Dialogues of the coffee bar in one conversation."""

MOST = 3
"""The most questions about one thing."""

NOUNS = {
    "Alarm": "alarm",
    "Buses": "bus trip",
    "Events": "event",
    "Flights": "flight",
    "Homes": "apartment",
    "Hotels": "hotel",
    "Media": "movie",
    "Messaging": "message",
    "Movies": "movie",
    "Music": "song",
    "Payment": "payment",
    "RentalCars": "rental car",
    "Restaurants": "restaurant",
    "RideSharing": "ride",
    "Services": "appointment",
    "Trains": "train journey",
    "Travel": "attraction",
    "Weather": "weather",
}
"""What a person calls what a service is about."""

NAMES = (
    "event_name",
    "therapist_name",
    "stylist_name",
    "property_name",
    "place_name",
    "restaurant_name",
    "car_name",
    "movie_name",
    "movie_title",
    "title",
    "track",
    "attraction_name",
    "alarm_name",
    "receiver",
)
"""The fields that name what a record is about."""

PLACES = ("to_city", "to", "destination_airport", "destination", "where_to", "location", "city", "area")
"""The fields that tell one search of a user from another."""

SLOTS = {
    "where_to": "destination",
    "percent_rating": "rating",
    "directed_by": "director",
    "from": "place of departure",
    "from_city": "place of departure",
    "to": "destination",
    "to_city": "destination",
    "total": "total price",
    "where": "place",
    "starring": "cast",
}
"""What a person calls a field, where its own words are not that."""


class Question(NamedTuple):
    """A probe before it is known whether it is fair.

    Attributes:
        segment: which of the joined dialogues has the answer.
        question: the question.
        answers: what is accepted.
    """

    segment: int
    question: str
    answers: tuple[str, ...]


class Session(NamedTuple):
    """A long conversation with what can be asked about it.

    Attributes:
        id: its name.
        segments: the messages of each dialogue that it was joined from.
        questions: what can be asked.
    """

    id: str
    segments: list[list[dict[str, Any]]]
    questions: list[Question]


def main() -> None:
    """Write the transcripts and probes of both sets."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "data", type=Path, help="the folder that holds sgd_long_sessions and taskmaster4_coffee"
    )
    parser.add_argument("folder", type=Path, help="where to write")
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    for name, sessions in (("sgd", sgd(arguments.data)), ("coffee", coffee(arguments.data))):
        asked = write(arguments.folder, name, list(sessions))
        print(f"{name}: {asked} questions")


def write(folder: Path, name: str, sessions: Sequence[Session]) -> int:
    """Write `NAME.jsonl` and `NAME_probes.jsonl`; how many probes there are."""
    transcripts: list[dict[str, Any]] = []
    probes: list[dict[str, Any]] = []
    for session in sessions:
        messages = [message for segment in session.segments for message in segment]
        transcripts.append({"id": session.id, "messages": messages})
        probes += [
            {"conversation": session.id, "question": fair.question, "answer": list(fair.answers)}
            for fair in _fair(session)
        ]
    for path, rows in ((f"{name}.jsonl", transcripts), (f"{name}_probes.jsonl", probes)):
        (folder / path).write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))
    return len(probes)


def _fair(session: Session) -> Iterator[Question]:
    """The questions that do not give their answer away, and whose answers stand in one dialogue only."""
    shown = [Shown([_text(message) for message in segment]) for segment in session.segments]
    asked: set[str] = set()
    for each in session.questions:
        if each.question in asked or any(map(Shown([each.question]).holds, each.answers)):
            continue
        where = {i for i, text in enumerate(shown) if any(map(text.holds, each.answers))}
        if where == {each.segment}:
            asked.add(each.question)
            yield each


def _text(message: dict[str, Any]) -> str:
    calls = [call["function"]["arguments"] for call in message.get("tool_calls", ())]
    return "\n".join([message.get("content") or "", *calls])


def sgd(data: Path) -> Iterator[Session]:
    """The long sessions, with questions about what was found and what the user asked for."""
    for line in (data / "sgd_long_sessions" / "sessions.jsonl").read_text().splitlines():
        record = json.loads(line)
        starts = [start for start, *_ in record["segments"]] + [len(record["messages"])]
        pairs = list(zip(record["messages"], record["labels"], strict=True))
        parts = [pairs[start:end] for start, end in pairwise(starts)]
        questions: list[Question] = []
        for number, part in enumerate(parts):
            questions += _about_records(number, part)
            questions += _about_wishes(number, part)
        yield Session(
            record["id"], [[message for message, _ in part] for part in parts], _distinct(questions)
        )


def _distinct(questions: Iterable[Question]) -> list[Question]:
    """Without what was asked about in several dialogues: nobody could tell which one is meant."""
    found = list(questions)
    where: dict[str, set[int]] = {}
    for each in found:
        where.setdefault(each.question, set()).add(each.segment)
    return [each for each in found if len(where[each.question]) == 1]


def _about_records(number: int, part: Sequence[tuple[dict[str, Any], dict[str, Any]]]) -> Iterator[Question]:
    """What a search found about something that the assistant named."""
    acts: list[Any] = [act for _, label in part for act in label.get("acts", ())]
    spoken = [cast("dict[str, Any]", act) for act in acts if isinstance(act, dict)]
    named = {act["canonical"] for act in spoken if act["slot"] in NAMES and act["canonical"]}
    service = ""
    for message, label in part:
        service = label.get("service", service)
        if not label.get("tool_result"):
            continue
        for found in json.loads(message["content"]):
            name = next((found[key] for key in NAMES if found.get(key) in named), None)
            if name is None:
                continue
            noun = NOUNS[service.partition("_")[0]]
            asked = [
                Question(number, f"What was the {_words(key)} of the {noun} {name}?", (str(value),))
                for key, value in found.items()
                if key not in NAMES and _tells(str(value))
            ]
            yield from sorted(asked, key=lambda each: "phone" not in each.question)[:MOST]


def _about_wishes(number: int, part: Sequence[tuple[dict[str, Any], dict[str, Any]]]) -> Iterator[Question]:
    """What the user said last about a search, told from others by its place."""
    said: dict[tuple[str, str], dict[str, list[str]]] = {}
    for _, label in part:
        for each in label.get("informs", ()):
            wordings = said.setdefault((each["service"], each["slot"]), {})
            canonical = str(each["canonical"] or each["value"])
            wordings[canonical] = [*wordings.pop(canonical, []), str(each["value"])]
    last = {
        key: list(dict.fromkeys((*list(wordings.values())[-1], list(wordings)[-1])))
        for key, wordings in said.items()
    }
    for service in dict.fromkeys(service for service, _ in last):
        own = {slot: answers for (of, slot), answers in last.items() if of == service}
        place = next((slot for slot in PLACES if slot in own), None)
        if place is None:
            continue
        noun, where = NOUNS[service.partition("_")[0]], own[place][-1]
        asked = [
            Question(number, f"What {_words(slot)} did I want for the {noun} in {where}?", tuple(answers))
            for slot, answers in own.items()
            if slot != place and all(map(_tells, answers))
        ]
        yield from asked[:MOST]


def _words(slot: str) -> str:
    return SLOTS.get(slot, slot.replace("_", " "))


def _tells(answer: str) -> bool:
    return len(answer) > 2 and answer not in ("True", "False", "dontcare")


def coffee(data: Path) -> Iterator[Session]:
    """Dialogues at the coffee bar, joined; questions about orders by their number or by the name they are under."""
    lines = (data / "taskmaster4_coffee" / "dialogs.jsonl").read_text().splitlines()
    dialogues = [json.loads(line) for line in lines]
    for start in range(0, len(dialogues), JOINED):
        part = dialogues[start : start + JOINED]
        segments = [_chat(dialogue, start + index) for index, dialogue in enumerate(part)]
        orders = list(filter(None, map(_order, part)))
        names = [order["name"] for order in orders]
        questions: list[Question] = []
        for index, dialogue in enumerate(part):
            order = _order(dialogue)
            if order is None:
                continue
            number, name = order["id"], order["name"]
            questions.append(
                Question(index, f"What was the menu item id in order {number}?", (order["item"],))
            )
            questions.append(Question(index, f"Which name is order {number} under?", (name,)))
            if names.count(name) == 1:
                questions.append(
                    Question(index, f"What is the id of the order under the name {name}?", (number,))
                )
        yield Session(f"coffee:{start // JOINED}", segments, questions)


def _order(dialogue: dict[str, Any]) -> dict[str, str] | None:
    """The order that a dialogue ended with, as the last look at it showed it."""
    found = None
    for _, _, response in _calls(dialogue):
        try:
            order = json.loads(response)
            names = [each["option"] for each in order["attributes"] if each["attribute_id"] == "name"]
            found = {
                "id": order["order_id"],
                "name": names[0],
                "item": order["menu_items"][0]["menu_item_id"],
            }
        except (ValueError, KeyError, IndexError, TypeError):
            continue  # another response than an order, or one that is no JSON
    return found


class _Asked(NamedTuple):
    name: str
    request: str
    response: str


def _calls(dialogue: dict[str, Any]) -> Iterator[_Asked]:
    for utterance in dialogue["utterances"]:
        yield from _calls_of(utterance)


def _calls_of(utterance: dict[str, Any]) -> Iterator[_Asked]:
    """The calls that belong to an utterance: four annotations each."""
    name = request = ""
    for note in utterance["annotations"]:
        match note["name"]:
            case "api_call":
                name, request = note["value"], "{}"
            case "request":
                request = note["value"]
            case "response" if name:
                yield _Asked(name, request, note["value"])
                name = ""
            case _:
                continue


def _chat(dialogue: dict[str, Any], number: int) -> list[dict[str, Any]]:
    """A dialogue as chat messages: the calls behind what the user said, or before what the assistant says."""
    messages: list[dict[str, Any]] = []
    made = 0
    for utterance in dialogue["utterances"]:
        said = {"role": utterance["speaker"], "content": utterance["text"]}
        called: list[dict[str, Any]] = []
        for call in _calls_of(utterance):
            made += 1
            call_id = f"d{number}_{made}"
            function = {"name": call.name, "arguments": call.request}
            called.append(
                {
                    "role": "assistant",
                    "content": None,
                    "tool_calls": [{"id": call_id, "type": "function", "function": function}],
                }
            )
            called.append({"role": "tool", "tool_call_id": call_id, "content": call.response})
        messages += [said, *called] if said["role"] == "user" else [*called, said]
    return messages


if __name__ == "__main__":
    main()
