"""HTML as blocks: what a reader sees, under its headings, whatever is broken."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from turnstate.knowledge.html import read_html

PAGE = """<html><head><title>Our &amp; FAQ</title><style>p {}</style><script>alert("x")</script></head>
<body><h1>Prices</h1><p>From <b>$39</b>&nbsp;a month.<br>Billed monthly.
<table><tr><th>Plan<th>Price</tr><tr><td>Starter<td>$39<tr><td>Team<td><p>$99</p></table>
<ul><li>one<li>two</ul><img alt="A chart" src=x><h2>Empty</h2></body>"""


def test_a_page_is_read_as_a_reader_sees_it() -> None:
    """Title, headings, paragraphs, tables row by row; no scripts, no styles; tags need not be closed."""
    page = read_html(PAGE)
    assert page.title == "Our & FAQ"
    assert [(block.headings, block.text) for block in page.blocks] == [
        (("Prices",), "From $39 a month. Billed monthly."),
        (("Prices",), "Plan: Starter; Price: $39"),
        (("Prices",), "Plan: Team; Price: $99"),
        (("Prices",), "one"),
        (("Prices",), "two"),
        (("Prices",), "A chart"),
        (("Prices", "Empty"), "Empty"),
    ]


def test_a_page_that_ends_anywhere_is_read_so_far() -> None:
    """An open cell, an open title, a table of headings alone."""
    assert [block.text for block in read_html("<table><tr><td>a<td>b").blocks] == ["a; b"]
    assert read_html("<title>only").title == "only"


@given(
    parts=st.lists(
        st.sampled_from(
            [
                "<p>",
                "</p>",
                "<h1>",
                "</h1>",
                "<table>",
                "</table>",
                "<tr>",
                "<td>",
                "<th>",
                "</tr>",
                "<script>",
                "</script>",
                "<title>",
                "</title>",
                "<br>",
                "<li>",
                "<!--",
                "-->",
            ]
        )
        | st.text(max_size=8),
        max_size=25,
    )
)
def test_no_markup_raises(parts: list[str]) -> None:
    """However the tags are mixed."""
    read_html("".join(parts))


@given(
    words=st.lists(st.sampled_from(["alpha", "beta", "gamma", "delta"]), min_size=1, max_size=6),
    data=st.data(),
)
def test_no_visible_word_is_lost(words: list[str], data: st.DataObject) -> None:
    """Words between visible tags are in a block, in a heading or in the title."""
    tags = [
        "<p>",
        "</p>",
        "<h1>",
        "</h1>",
        "<h3>",
        "<table>",
        "</table>",
        "<tr>",
        "</tr>",
        "<td>",
        "<th>",
        "<br>",
        "<li>",
        "<div>",
        "</div>",
        "<b>",
    ]
    page = read_html("".join(f"{data.draw(st.sampled_from(tags))} {word} " for word in words))
    said = " ".join(" ".join((*block.headings, block.text)) for block in page.blocks)
    assert set(words) <= set(said.replace(";", " ").replace(":", " ").split())
