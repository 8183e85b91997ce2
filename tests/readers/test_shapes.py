"""What each format does with the things that only it has: branches, notes, sessions, speakers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from turnstate.core.history import History
from turnstate.core.messages import user_text
from turnstate.errors import TranscriptError
from turnstate.readers.own_log import transcript_of
from turnstate.readers.recognise import read_transcripts
from turnstate.readers.transcript import Transcript


def _read(folder: Path, content: object, name: str = "talk") -> list[Transcript | TranscriptError]:
    path = folder / name
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return list(read_transcripts(path))


def _one(folder: Path, content: object) -> Transcript:
    (found,) = _read(folder, content)
    assert isinstance(found, Transcript)
    return found


def _story(transcript: Transcript | TranscriptError) -> list[tuple[str, str]]:
    assert isinstance(transcript, Transcript)
    return [(user_text(turn.user), turn.reply) for turn in transcript.turns]


def _said(role: str, content: str) -> dict[str, str]:
    return {"role": role, "content": content}


def _run(number: int, given: list[Any], answer: str, thread: str = "t") -> dict[str, Any]:
    return {
        "id": f"r{number}",
        "run_type": "llm",
        "start_time": f"2026-01-01T00:00:{number:02d}Z",
        "extra": {"metadata": {"thread_id": thread}},
        "inputs": {"messages": given},
        "outputs": {"choices": [{"message": _said("assistant", answer)}]},
    }


def test_results_in_user_messages_open_no_turn(tmp_path: Path) -> None:
    """But what the user says beside them does, behind the result."""
    use = {"type": "tool_use", "id": "x", "name": "get", "input": {"id": 1}}
    result = {"type": "tool_result", "tool_use_id": "x", "content": [{"type": "text", "text": "shipped"}]}
    found = _one(
        tmp_path,
        {
            "system": [{"type": "text", "text": "Be brief."}],
            "tools": [{"name": "get", "input_schema": {"type": "object"}}],
            "messages": [
                _said("user", "Where?"),
                {"role": "assistant", "content": [{"type": "thinking", "thinking": "hm"}, use]},
                {"role": "user", "content": [result, {"type": "text", "text": "Quick!"}]},
                _said("assistant", "Shipped."),
            ],
        },
    )
    assert _story(found) == [("Where?", ""), ("Quick!", "Shipped.")]
    call = found.turns[0].steps[0].calls[0]
    assert (found.instructions, call.result and call.result.content) == ("Be brief.", "shipped")
    assert found.tools[0]["function"]["name"] == "get"


def test_parallel_calls_of_responses_are_one_response(tmp_path: Path) -> None:
    """Their results stand behind both."""
    calls = [{"type": "function_call", "call_id": x, "name": "get", "arguments": "{}"} for x in "ab"]
    outputs = [{"type": "function_call_output", "call_id": x, "output": x} for x in "ba"]
    found = _one(tmp_path, [_said("user", "hi"), {"type": "reasoning"}, *calls, *outputs])
    (step,) = found.turns[0].steps
    assert [call.result and call.result.content for call in step.calls] == ["a", "b"]
    assert found.notes == ()


def test_runs_are_grouped_by_thread_in_the_order_of_time(tmp_path: Path) -> None:
    """Whatever their order in the file."""
    hi, hello = _said("user", "hi"), _said("assistant", "hello")
    runs = [
        _run(3, [hi, hello, _said("user", "bye")], "ciao"),
        _run(2, [_said("user", "other")], "one", "u"),
        _run(1, [hi], "hello"),
    ]
    first, second = _read(tmp_path, "\n".join(map(json.dumps, runs)))
    assert _story(first) == [("hi", "hello"), ("bye", "ciao")]
    assert _story(second) == [("other", "one")]
    assert isinstance(second, Transcript)
    assert (second.id, second.record) == ("u", 2)


def test_runs_that_only_say_what_is_new_are_put_together(tmp_path: Path) -> None:
    """And so are those that have lost the beginning."""
    runs = [
        _run(1, [_said("user", "a")], "A"),
        _run(2, [_said("user", "b")], "B"),
        _run(3, [_said("assistant", "B"), _said("user", "c")], "C"),
    ]
    (found,) = _read(tmp_path, "\n".join(map(json.dumps, runs)))
    assert _story(found) == [("a", "A"), ("b", "B"), ("c", "C")]


def test_an_answer_that_was_made_again_replaces_the_first(tmp_path: Path) -> None:
    """The conversation went on from the one that its next run repeats."""
    hi = _said("user", "hi")
    runs = [
        _run(1, [hi], "first"),
        _run(2, [hi], "second"),
        _run(3, [hi, _said("assistant", "first"), _said("user", "so?")], "yes"),
    ]
    (found,) = _read(tmp_path, "\n".join(map(json.dumps, runs)))
    assert _story(found) == [("hi", "first"), ("so?", "yes")]


def test_runs_with_other_instructions_are_left_out(tmp_path: Path) -> None:
    """A classifier is no part of the conversation."""
    hi = _said("user", "hi")
    runs = [
        _run(1, [_said("system", "Classify."), hi], "greeting"),
        _run(2, [_said("system", "Talk."), hi, _said("assistant", "x"), _said("user", "y")], "hello"),
    ]
    (found,) = _read(tmp_path, "\n".join(map(json.dumps, runs)))
    assert isinstance(found, Transcript)
    assert (found.instructions, len(found.turns), len(found.notes)) == ("Talk.", 2, 1)


def test_a_trace_without_generations_says_its_input_and_output(tmp_path: Path) -> None:
    """Grouped by session."""
    traces = [
        {
            "id": str(n),
            "sessionId": "s",
            "timestamp": n,
            "input": f"q{n}",
            "output": f"a{n}",
            "htmlPath": "",
        }
        for n in (1, 2)
    ]
    assert _story(_one(tmp_path, {"data": traces, "meta": {}})) == [("q1", "a1"), ("q2", "a2")]


def test_a_session_that_does_not_read_is_reported_and_the_others_are_read(tmp_path: Path) -> None:
    """With the record in which it begins."""
    runs = [_run(1, [{"role": "robot"}], "x", "bad"), _run(2, [_said("user", "hi")], "hello", "good")]
    bad, good = _read(tmp_path, "\n".join(map(json.dumps, runs)))
    assert isinstance(bad, TranscriptError)
    assert (bad.record, bad.reason) == (
        1,
        "begins a conversation that message 1 has the unknown role 'robot'",
    )
    assert _story(good) == [("hi", "hello")]


def test_a_tree_is_walked_from_the_current_node(shared_data: Path) -> None:
    """Other branches, thoughts and recaps are left out; what is written to a tool is a call."""
    (found,) = read_transcripts(shared_data / "transcript_formats/chatgpt_export/native-conversation-v1.json")
    assert isinstance(found, Transcript)
    (turn,) = found.turns
    assert "Superseded" not in str(turn)
    assert [len(step.calls) for step in turn.steps] == [1, 0]
    assert turn.steps[0].calls[0].result is not None
    assert found.instructions.startswith("Privacy-safe fixture profile.")


def test_a_circle_in_a_tree_is_refused(tmp_path: Path) -> None:
    """It would have no beginning."""
    nodes = {"a": {"parent": "b"}, "b": {"parent": "a"}}
    with pytest.raises(TranscriptError, match="has a circle at the node"):
        _read(tmp_path, {"mapping": nodes, "current_node": "a"})


def test_a_branch_of_claude_ends_at_its_newest_message(tmp_path: Path) -> None:
    """Where messages name their parents."""
    said = [("1", "human", "hi", None), ("2", "assistant", "old", "1"), ("3", "assistant", "new", "1")]
    messages = [{"uuid": u, "sender": s, "text": t, "parent_message_uuid": p} for u, s, t, p in said]
    assert _story(_one(tmp_path, {"uuid": "c", "chat_messages": messages})) == [("hi", "new")]


def test_notes_between_colleagues_are_left_out(tmp_path: Path) -> None:
    """In both helpdesks; parts that the record does not hold are said."""
    user, admin = {"type": "user"}, {"type": "admin"}
    intercom = {
        "type": "conversation",
        "id": 5,
        "source": {"body": "<p>Hi &amp; hello<br>there</p>", "author": user, "subject": "<b>Help</b>"},
        "conversation_parts": {
            "conversation_parts": [
                {"part_type": "note", "body": "rude", "author": admin},
                {"part_type": "assignment", "body": None, "author": admin},
                {"part_type": "comment", "body": "<p>Yes?</p>", "author": admin},
            ],
            "total_count": 9,
        },
    }
    found = _one(tmp_path, intercom)
    assert (_story(found), found.id) == ([("Help\nHi & hello\nthere", "Yes?")], "5")
    assert found.notes == ("The record holds 3 of 9 parts.",)
    comments = [
        {"author_id": 2, "body": "rude", "public": False},
        {"author_id": 2, "body": "Yes?", "public": True},
    ]
    ticket = {"ticket": {"id": 7, "requester_id": 1, "description": "Hi"}, "comments": comments}
    found = _one(tmp_path, ticket)
    assert (_story(found), found.id) == ([("Hi", "Yes?")], "7")


def test_a_message_that_a_tracker_took_back_is_left_out(tmp_path: Path) -> None:
    """With what the bot said to it."""
    said = [
        ("user", "hi"),
        ("bot", "hello"),
        ("user", "asdf"),
        ("bot", "sorry?"),
        ("rewind", ""),
        ("user", "bye"),
    ]
    tracker = {"sender_id": "s", "events": [{"event": kind, "text": text} for kind, text in said]}
    assert _story(_one(tmp_path, tracker)) == [("hi", "hello"), ("bye", "")]


def test_text_goes_on_without_its_speaker(tmp_path: Path) -> None:
    """Times before the names are passed over; a line of dashes begins another conversation."""
    text = (
        "[2026-01-01T10:00:00Z] Priya: Where is it?\nOrder: 12345\n[10:01] Agent Ben: On its way.\n"
        "\n---\n**You:** hi\n**ChatGPT:** hello\n"
    )
    first, second = _read(tmp_path, text)
    assert _story(first) == [("Where is it?\nOrder: 12345", "On its way.")]
    assert isinstance(first, Transcript)
    assert first.turns[0].at == 1_767_261_600_000_000
    assert _story(second) == [("hi", "hello")]


def test_of_names_that_say_nothing_the_first_is_the_user(tmp_path: Path) -> None:
    """Whoever else speaks answers."""
    assert _story(_one(tmp_path, "Ann: a\nBob: b\nCarl: c\n")) == [("a", "c")]


def test_rows_are_grouped_and_ordered(tmp_path: Path) -> None:
    """By conversation and time; a row without a speaker is reported."""
    table = "session_id;sender;body;created_at\n1;user;hi;2026-01-01\n2;customer;a;\n1;bot;hello;2026-01-02\n2;;b;\n2;agent;c;\n"
    bad, first, second = _read(tmp_path, table)
    assert isinstance(bad, TranscriptError)
    assert (bad.record, bad.reason) == (4, "has no speaker and text")
    assert (_story(first), _story(second)) == ([("hi", "hello")], [("a", "c")])
    (nothing,) = _read(tmp_path, "role,text\n")
    assert "holds no conversation" in str(nothing)


def test_records_of_another_format_are_reported(tmp_path: Path) -> None:
    """Where conversations are spread over records."""
    lines = [json.dumps(_run(1, [_said("user", "hi")], "hello")), json.dumps({"messages": []})]
    bad, good = _read(tmp_path, "\n".join(lines))
    assert "is not of this file's format (LangSmith runs)" in str(bad)
    assert _story(good) == [("hi", "hello")]


def test_an_empty_history_is_an_empty_transcript() -> None:
    """It has its conversation's id."""
    assert transcript_of(History(conversation="c")) == Transcript("c", 1, "", "", (), ())
