"""What comes in: ids, messages and their digest."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic_ai.messages import BinaryContent, ImageUrl, UserContent

from turnstate.core.messages import user_text
from turnstate.errors import IdError, MessageError
from turnstate.turn.incoming import LONGEST_ID, Message, check_id, opening

ANY_TEXT = st.text(st.characters(codec=None), min_size=1)
PIXEL = BinaryContent(b"\x89PNG", media_type="image/png")


def digest(message: Message, at: int = 1) -> str:
    """The digest of a message."""
    return opening("c", None, None, message, at).digest


@given(st.text(st.characters(), min_size=1, max_size=LONGEST_ID))
def test_any_string_of_1_to_512_characters_is_an_id(given_id: str) -> None:
    """Paths, NUL, quotes, surrogates and emoji are just characters."""
    check_id("conversation", given_id)


@pytest.mark.parametrize(
    ("given_id", "problem"),
    [
        ("", "is empty"),
        ("x" * 513, "has 513 characters"),
        (None, "is NoneType"),
        (5, "is int"),
        (b"x", "is bytes"),
        (["x"], "is list"),
    ],
)
def test_everything_else_is_refused_by_role(given_id: object, problem: str) -> None:
    """The error names the role, the problem and what to do."""
    with pytest.raises(IdError, match=problem) as raised:
        check_id("key", given_id)
    assert raised.value.role == "key"
    assert str(raised.value).endswith("Use any string of 1 to 512 characters.")


@pytest.mark.parametrize("key", ["", "x" * 513])
def test_a_key_is_an_id_too(key: str) -> None:
    """A bad key is refused before anything is recorded."""
    with pytest.raises(IdError):
        opening("c", None, key, "hello", 1)


@given(ANY_TEXT)
def test_any_text_that_is_not_blank_is_kept_as_it_is(text: str) -> None:
    """NUL and lone surrogates too; a blank one is refused."""
    if text.strip():
        assert user_text(opening("c", "u", "k", text, 5).message) == text
    else:
        with pytest.raises(MessageError, match="is empty"):
            opening("c", None, None, text, 5)


@pytest.mark.parametrize(
    "message",
    [
        "",
        " \n\t",
        [],
        [""],
        ["  ", "\n"],
        None,
        5,
        b"bytes",
        bytearray(b"x"),
        {"role": "user", "content": "hi"},
        {"a", "set"},
        iter(["hi"]),
        [1],
        [None],
        [["nested"]],
        [{"text": "x"}],
        [b"bytes"],
        object(),
    ],
)
def test_what_is_no_message_is_refused(message: Any) -> None:
    """Nothing of it is guessed at, and the error says what to send."""
    with pytest.raises(MessageError) as raised:
        opening("c", None, None, message, 1)
    assert "Send text, or a list of text, images and documents" in str(raised.value)
    assert raised.value.durable == "Nothing was recorded."


@pytest.mark.parametrize(
    "message", [[PIXEL], ["What is this?", PIXEL], [ImageUrl("https://example.com/a.png")], ("a", "tuple")]
)
def test_images_and_documents_are_messages(message: list[UserContent]) -> None:
    """An image needs no text beside it."""
    parts: Any = opening("c", None, None, message, 1).message.parts
    assert list(parts[0].content) == list(message)


def test_the_digest_is_of_what_was_said_not_when() -> None:
    """The same message sent later is the same message."""
    assert digest("hello", 1) == digest("hello", 2)
    assert digest(["a", PIXEL], 1) == digest(["a", PIXEL], 2)


def test_different_messages_have_different_digests() -> None:
    """One text, two texts, other pixels, other normal forms."""
    other = BinaryContent(b"\x89PNX", media_type="image/png")
    messages: list[Message] = [
        "ab",
        ["a", "b"],
        ["ab", PIXEL],
        ["ab", other],
        "ab ",
        "AB",
        "\xe9",
        "e\u0301",
        "\ud800",
        "\udc00",
        "\ufffd",
        "a\0b",
    ]
    assert len({digest(message) for message in messages}) == len(messages)


def test_a_message_that_is_changed_after_it_was_sent_does_not_change_what_is_recorded() -> None:
    """The list belongs to the caller; the recorded message is a copy."""
    content: list[UserContent] = ["first"]
    opened = opening("c", None, None, content, 1)
    content.append("second")
    assert user_text(opened.message) == "first"
