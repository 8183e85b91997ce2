"""Markdown and plain text as blocks: headings, tables, code, and nothing lost."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from turnstate.knowledge.markdown import markdown_blocks, plain_blocks, record_text

PAGE = """Front words.

# Guide #

Underlined
----------
Text with **marks**
on two lines.

| Plan | Price |
|:-----|------:|
| Starter | $39 |
| Team \\| Pro | $99 |

```sh
# no heading
| no | table |
```

<!-- not for readers -->
## Last
"""


def test_a_page_is_read_under_its_headings() -> None:
    """Both kinds of headings; a table row by row; code as it is; the last heading is not lost."""
    found = [
        (block.headings, block.text)
        for block in markdown_blocks(PAGE.replace("<!-- not for readers -->\n", ""))
    ]
    assert found == [
        ((), "Front words."),
        (("Guide", "Underlined"), "Text with **marks**\non two lines."),
        (("Guide", "Underlined"), "Plan: Starter; Price: $39"),
        (("Guide", "Underlined"), "Plan: Team | Pro; Price: $99"),
        (("Guide", "Underlined"), "```sh\n# no heading\n| no | table |\n```"),
        (("Guide", "Last"), "Last"),
    ]


def test_a_comment_is_not_for_readers() -> None:
    """It is left out, unless the page shows code, where it may be shown."""
    assert [block.text for block in markdown_blocks("a <!-- b\n\nc --> d")] == ["a \n d"]


def test_a_plain_text_is_its_paragraphs() -> None:
    """A sign that would be a heading elsewhere is a sign."""
    assert [block.text for block in plain_blocks("# one\ntwo\n \nthree")] == ["# one\ntwo", "three"]


def test_a_value_without_a_column_stands_alone() -> None:
    """Rows may be longer or shorter than the first one; empty cells are left out."""
    assert record_text(["a", ""], ["1", "2", "3", " "]) == "a: 1\n2\n3"


MARKED = st.lists(
    st.sampled_from(
        ["# ", "## ", "```", "~~~", "|", "|-|-|", "\n", "\n\n", "===", "---", "- ", "    ", "\\|", "*", "x:"]
    )
    | st.text(max_size=12),
    max_size=30,
).map("".join)


@given(text=MARKED)
def test_every_letter_and_digit_is_in_a_block(text: str) -> None:
    """Whatever the marks are, no word of a text without comments is lost, and none raises."""
    text = text.replace("<!--", "")
    found = list(markdown_blocks(text))
    said = " ".join(" ".join((*block.headings, block.text)) for block in found)
    assert set(re.findall(r"[^\W_]", text)) <= set(re.findall(r"[^\W_]", said))
    for word in re.findall(r"[^\W_]{3,}", text):
        assert word in said


@given(text=st.text())
def test_every_word_of_a_plain_text_is_in_a_block(text: str) -> None:
    """Only blanks between paragraphs are left out."""
    assert "".join("".join(block.text for block in plain_blocks(text)).split()) == "".join(text.split())
