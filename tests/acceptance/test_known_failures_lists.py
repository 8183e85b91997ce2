"""What other managers of lists were seen to break, each by its number in the list of known failures, in both formats."""

from __future__ import annotations

import copy
import itertools
import json
from typing import Any

import pytest

from adapters.strict import is_complete, refusal
from turnstate.adapters.planned import PlannedMessages, plan_messages
from turnstate.core.context.budget import Budget

Dicts = list[dict[str, Any]]
both = pytest.mark.parametrize("fmt", ["openai", "anthropic"])


def says(text: str) -> dict[str, Any]:
    """A user's message."""
    return {"role": "user", "content": text}


def calls(fmt: str, *ids: str) -> dict[str, Any]:
    """An answer that only calls."""
    if fmt == "anthropic":
        return {
            "role": "assistant",
            "content": [{"type": "tool_use", "id": i, "name": "look", "input": {}} for i in ids],
        }
    made = [{"id": i, "type": "function", "function": {"name": "look", "arguments": "{}"}} for i in ids]
    return {"role": "assistant", "content": None, "tool_calls": made}


def returns(fmt: str, text: str, *ids: str) -> Dicts:
    """The results of calls."""
    if fmt == "anthropic":
        found = [{"type": "tool_result", "tool_use_id": i, "content": text} for i in ids]
        return [{"role": "user", "content": found}]
    return [{"role": "tool", "tool_call_id": i, "content": text} for i in ids]


def answers(text: str) -> dict[str, Any]:
    """An answer in words."""
    return {"role": "assistant", "content": text}


def long(fmt: str, turns: int) -> Dicts:
    """A conversation with calls in each turn, which ends with the user."""
    found: Dicts = []
    for n in range(turns):
        ids = (f"a{n}", f"b{n}")
        found += [says(f"Question {n} " + "word " * 40), calls(fmt, *ids)]
        found += [*returns(fmt, "found " * 30, *ids), answers(f"Answer {n}.")]
    return [*found, says("And now?")]


def plan(fmt: str, messages: Dicts, target: int = 20_000, **more: Any) -> PlannedMessages:
    """The plan, of which the provider refuses nothing, and in which each message is in one place."""
    before = copy.deepcopy(messages)
    given: Any = messages if fmt == "anthropic" else [{"role": "system", "content": "Be kind."}, *messages]
    system = {"system": "Be kind."} if fmt == "anthropic" else {}
    planned = plan_messages(given, Budget(target=target, keep_recent=0), **system, **more)
    assert messages == before
    assert refusal(fmt, planned) is None
    assert is_complete(planned, len(given))
    assert planned.tokens <= target
    return planned


@both
@pytest.mark.parametrize("target", [300, 500, 700, 900, 1_100])
@pytest.mark.parametrize("strategy", ["truncate", "summarize", "hybrid"])
def test_b01_b14_b19_nothing_starts_at_a_result(fmt: str, target: int, strategy: str) -> None:
    """Wherever the cut lands, whole exchanges stay."""
    planned = plan(fmt, long(fmt, 20), target, strategy=strategy)
    talk = [message for message in planned.messages if message["role"] != "system"]
    assert talk[0]["role"] == "user"
    assert planned.managed


@both
def test_b02_each_orphan_goes_by_its_own_id(fmt: str) -> None:
    """One id that matches does not save the one beside it."""
    talk = [says("a"), calls(fmt, "A"), *returns(fmt, "r", "A", "ORPHAN"), says("b")]
    planned = plan(fmt, talk)
    assert "ORPHAN" not in json.dumps(planned.messages)
    assert any("without its call" in note for note in planned.notes)


@both
def test_b04_each_message_is_in_one_place(fmt: str) -> None:
    """Kept, summarised or dropped, and no dict twice."""
    talk = long(fmt, 20)
    planned = plan(fmt, [*talk[:-1], says("More?"), calls(fmt, "x", "y"), *returns(fmt, "r", "x", "y")], 900)
    assert planned.summarised
    assert len({id(message) for message in planned.messages}) == len(planned.messages)


@both
def test_b05_the_unanswered_user_stays(fmt: str) -> None:
    """A result of 24 kB does not drive out what was asked."""
    planned = plan(
        fmt, [says("What is in the file?"), calls(fmt, "a"), *returns(fmt, "line " * 4_800, "a")], 1_000
    )
    assert "What is in the file?" in json.dumps(planned.messages)


@both
def test_b10_b11_an_interrupted_call_does_not_poison(fmt: str) -> None:
    """A call without a result, then the next turn and the one after it."""
    talk = [says("a"), calls(fmt, "A", "B"), *returns(fmt, "r", "A"), says("b")]
    first = plan(fmt, talk)
    later = plan(fmt, [*talk, answers("ok"), says("c")], state=first.state)
    for planned in (first, later):
        assert json.dumps(planned.messages).count("interrupted before") == 1
    assert later.messages[: len(first.messages)] == first.messages


@both
def test_b13_nothing_to_do_changes_nothing(fmt: str) -> None:
    """The very dicts, calls and results included."""
    talk = long(fmt, 1)
    planned = plan(fmt, talk)
    own = [message for message in planned.messages if message["role"] != "system"]
    assert all(a is b for a, b in zip(own, talk, strict=True))
    assert not planned.notes


def test_b20_a_servers_call_stands_with_its_result() -> None:
    """Both, or neither; over two messages as in one."""
    use = {"type": "server_tool_use", "id": "s1", "name": "web_search", "input": {"query": "x"}}
    found: dict[str, Any] = {"type": "web_search_tool_result", "tool_use_id": "s1", "content": []}
    text = {"type": "text", "text": "There."}
    end = [says("b")]

    def sent(*contents: Any) -> Any:
        talk = [says("a"), *({"role": "assistant", "content": content} for content in contents), *end]
        return plan_messages(talk, Budget(target=9_000)).messages[1]["content"]

    assert sent([use, found, text]) == [use, found, text]
    assert sent([use], [found, text]) == [use, found, text]
    assert sent([use, text]) == [text]
    assert sent([found, text]) == [text]
    assert sent([found, use, text]) == [text]
    assert plan_messages(
        [says("a"), {"role": "assistant", "content": [use]}, says("b")], Budget(target=9_000)
    ).kept == (0, 2)


@both
def test_b22_a_response_of_calls_alone_gains_no_text(fmt: str) -> None:
    """And an empty text that was stored with it goes, where it is refused."""
    talk = [says("a"), calls(fmt, "A"), *returns(fmt, "r", "A")]
    assert plan(fmt, talk).messages[-2 if fmt == "openai" else 1] is talk[1]
    if fmt == "anthropic":
        marked = {"type": "text", "text": "", "cache_control": {"type": "ephemeral"}}
        talk[1] = {"role": "assistant", "content": [marked, *talk[1]["content"]]}
        assert plan(fmt, talk).messages[1] == calls(fmt, "A")


@both
def test_b23_later_instructions_are_kept_once_in_order(fmt: str) -> None:
    """Anthropic has one system text; OpenAI's stay messages, before the conversation once their turn has left."""
    talk = long(fmt, 20)
    talk.insert(5, {"role": "system", "content": "Be short."})
    talk.insert(-1, {"role": "system" if fmt == "anthropic" else "developer", "content": "Be quick."})
    for target in (700, 20_000):
        planned = plan(fmt, talk, target)
        if fmt == "anthropic":
            assert planned.system == "Be kind.\n\nBe short.\n\nBe quick."
        else:
            texts = [m["content"] for m in planned.messages if m["role"] in ("system", "developer")]
            assert texts == ["Be kind.", "Be short.", "Be quick."]


@both
def test_b25_summaries_are_the_users_data(fmt: str) -> None:
    """Never a system message, and never alone."""
    planned = plan(fmt, long(fmt, 20), 700)
    said = [m for m in planned.messages if "<summary" in json.dumps(m)]
    assert [message["role"] for message in said] == ["user"]


@both
def test_b26_what_is_in_flight_stays_whole(fmt: str) -> None:
    """With nothing recent to be kept: the newest question, its calls and their results."""
    flight = [says("Now?"), calls(fmt, "x", "y"), *returns(fmt, "r", "x", "y")]
    planned = plan(fmt, [*long(fmt, 20)[:-1], *flight], 700)
    assert planned.messages[-len(flight) + 1 :] == flight[1:]
    assert "Now?" in json.dumps(planned.messages[-len(flight)])


@both
def test_b28_what_is_sent_ends_with_the_user(fmt: str) -> None:
    """Behind an answer an empty message, behind an aborted call its result; and the next turn goes on."""
    ended = plan(fmt, [says("a"), answers("b")])
    assert ended.messages[-1]["role"] == "user"
    aborted = plan(fmt, [says("a"), calls(fmt, "A")])
    assert "interrupted" in json.dumps(aborted.messages[-1])
    following = plan(fmt, [says("a"), answers("b"), says("c")], state=ended.state)
    assert following.messages[-1]["content"] == "c"
    assert not following.notes


# What else lists were seen to hold ---------------------------------------------------------------------------------


@both
def test_a_late_result_is_moved_behind_its_call(fmt: str) -> None:
    """Nothing of it is lost, and its message counts as kept."""
    talk = [says("a"), calls(fmt, "A"), says("are you there?"), answers("Yes."), *returns(fmt, "LATE", "A")]
    planned = plan(fmt, [*talk, says("b")])
    sent = json.dumps(planned.messages)
    assert sent.count("LATE") == 1
    assert "interrupted" not in sent
    assert not planned.dropped
    assert sent.index("LATE") < sent.index("are you there?") < sent.index("Yes.")
    assert plan(fmt, talk).messages[-1]["role"] == "user"


@both
def test_an_id_that_is_used_again_has_its_own_results(fmt: str) -> None:
    """Small local models count from one in each response."""
    turns = [[says(f"q{n}"), calls(fmt, "call_1"), *returns(fmt, f"result {n}", "call_1")] for n in range(3)]
    planned = plan(fmt, [m for turn in turns for m in [*turn, answers("ok")]] + [says("b")])
    sent = json.dumps(planned.messages)
    places = [sent.index(f"result {n}") for n in range(3)]
    assert places == sorted(places)
    assert "interrupted" not in sent


def test_results_stand_before_words() -> None:
    """Anthropic reads a result behind other content as none."""
    (result,) = returns("anthropic", "r", "A")[0]["content"]
    words = {"type": "text", "text": "and hurry"}
    planned = plan(
        "anthropic", [says("a"), calls("anthropic", "A"), {"role": "user", "content": [words, result]}]
    )
    assert planned.messages[-1]["content"] == [result, words]
    assert planned.messages[-1]["content"][0] is result


def test_blank_texts_inside_a_result_go() -> None:
    """All of them: then the result says that it is empty."""
    blank, text = {"type": "text", "text": " "}, {"type": "text", "text": "r"}
    for content, left in (([blank, text], [text]), ([blank], "(empty result)"), ("", "")):
        result = {"type": "tool_result", "tool_use_id": "A", "content": content}
        planned = plan(
            "anthropic", [says("a"), calls("anthropic", "A"), {"role": "user", "content": [result]}]
        )
        assert planned.messages[-1]["content"][0]["content"] == left


def test_a_greeting_of_the_assistant_stays_where_it_may() -> None:
    """OpenAI takes an answer before the user's first message, and Anthropic does not."""
    talk = [answers("Welcome!"), *long("openai", 2)]
    assert plan("openai", talk).messages[1] is talk[0]
    assert plan("openai", [answers("Welcome!"), *long("openai", 20)], 700).managed
    assert plan("anthropic", [answers("Welcome!"), *long("anthropic", 2)]).dropped == (0,)


@both
def test_the_account_says_what_left(fmt: str) -> None:
    """The opening request is quoted, what a summary stands for is summarised, truncation drops."""
    talk = long(fmt, 20)
    lead = 1 if fmt == "openai" else 0
    planned = plan(fmt, talk, 900)
    assert lead in planned.kept
    assert planned.summarised
    assert plan(fmt, talk, 700, strategy="truncate").summarised == ()
    assert plan(fmt, talk, 700, strategy="truncate").dropped[0] == lead
    verbatim = [
        i for i, m in enumerate([*([{}] if lead else []), *talk]) if any(m is s for s in planned.messages)
    ]
    assert set(verbatim) <= set(planned.kept)


@both
def test_a_state_of_other_messages_is_not_used(fmt: str) -> None:
    """An edited message, a shorter list, another conversation: planned anew, with a note, as without a state."""
    talk = long(fmt, 20)
    state = json.loads(json.dumps(plan(fmt, talk, 700).state))
    edited = [says("Something else entirely"), *talk[1:]]
    for other in (edited, talk[:-5], [says("Hello")]):
        planned = plan(fmt, other, 700, state=state)
        assert any("state" in note for note in planned.notes)
        assert planned.messages == plan(fmt, other, 700).messages
        assert "Question 3 " not in json.dumps(plan(fmt, [says("Hello")], 700, state=state).messages)
    longer = [*talk, answers("ok"), says("b")]
    assert not plan(fmt, longer, 700, state=state).notes


def test_marks_of_a_prompt_cache_may_move() -> None:
    """They change no conversation."""
    text = {"type": "text", "text": "a"}
    marked = {**text, "cache_control": {"type": "ephemeral"}}
    first = plan("anthropic", [{"role": "user", "content": [marked]}])
    talk = [{"role": "user", "content": [text]}, answers("b"), {"role": "user", "content": [marked]}]
    assert not plan("anthropic", talk, state=first.state).notes


def test_roles_take_turns_for_anthropic() -> None:
    """Whatever stood in a row, calls without results included."""
    talk = [says("a"), says("b"), answers("c"), calls("anthropic", "A"), answers("d"), says("e")]
    roles = [message["role"] for message in plan("anthropic", talk).messages]
    assert all(a != b for a, b in itertools.pairwise(roles))
