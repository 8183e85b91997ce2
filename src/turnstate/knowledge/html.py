"""HTML as blocks under their headings: what a reader sees, without scripts and styles."""

from __future__ import annotations

from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Final, NamedTuple

from turnstate.knowledge.documents import Block, Headings
from turnstate.knowledge.markdown import record_text

_HIDDEN: Final = frozenset({"script", "style", "template", "svg"})
_BLOCKS: Final = frozenset(
    [
        "address",
        "article",
        "aside",
        "blockquote",
        "body",
        "button",
        "caption",
        "dd",
        "details",
        "dialog",
        "div",
        "dl",
        "dt",
        "fieldset",
        "figcaption",
        "figure",
        "footer",
        "form",
        "header",
        "hr",
        "html",
        "legend",
        "li",
        "main",
        "nav",
        "ol",
        "option",
        "p",
        "pre",
        "section",
        "select",
        "summary",
        "table",
        "tbody",
        "tfoot",
        "thead",
        "ul",
    ]
)
_HEADINGS: Final = {f"h{level}": level for level in range(1, 7)}


class Page(NamedTuple):
    """A page that has been read.

    Attributes:
        title: what it calls itself; "" where it does not.
        blocks: in order.
    """

    title: str
    blocks: tuple[Block, ...]


def read_html(text: str) -> Page:
    """The title and the blocks of a page, however broken its markup is."""
    parser = _Parser()
    parser.feed(text)
    parser.close()
    blocks = tuple(parser.finish())
    return Page(parser.title, blocks)


class _Parser(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.title = ""
        self._blocks: list[Block] = []
        self._headings = Headings()
        self._text: list[str] = []
        self._hidden = ""
        self._heading = 0
        self._in_title = False
        self._names: list[str] = []
        self._named = False
        self._row: list[str] | None = None
        self._head_row = True

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if self._hidden:
            return
        if tag in _HIDDEN:
            self._hidden = tag
        elif tag == "title":
            self._in_title = not self.title
            self._flush()
        elif tag in _HEADINGS:
            self._flush()
            self._heading = _HEADINGS[tag]
        elif tag == "table":
            self._end_row()
            self._end_table()
        elif tag == "tr":
            self._end_row()
            self._row, self._head_row = [], True
        elif tag in {"td", "th"}:
            self._end_cell()
            self._row = [] if self._row is None else self._row
            self._head_row = self._head_row and tag == "th"
        elif tag == "br":
            self._text.append("\n")
        elif tag == "img":
            self._text.append(f" {dict(attrs).get('alt') or ''} ")
        elif tag in _BLOCKS:
            self._break()

    def handle_endtag(self, tag: str) -> None:
        if self._hidden:
            self._hidden = "" if tag == self._hidden else self._hidden
        elif tag == "title" and self._in_title:
            self._in_title = False
            self.title = self.title or _joined(self._text)
            self._text = []
        elif tag in _HEADINGS and self._heading:
            self._flush()
        elif tag in {"td", "th"}:
            self._end_cell()
        elif tag in {"tr", "table"}:
            self._end_row()
            if tag == "table":
                self._end_table()
        elif tag in _BLOCKS:
            self._break()

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            self._text.append(data)

    def finish(self) -> Iterator[Block]:
        """Every block; a page may end anywhere."""
        if self._in_title:
            self.title, self._text = _joined(self._text), []
        self._end_row()
        self._end_table()
        self._flush()
        self._blocks.extend(self._headings.close())
        yield from self._blocks

    def _break(self) -> None:
        """A block begins or ends; within a cell or a heading that is only a space."""
        if self._row is not None or self._heading:
            self._text.append(" ")
        else:
            self._flush()

    def _flush(self) -> None:
        text = _joined(self._text)
        level, self._text, self._heading = self._heading, [], 0
        if level and text:
            self._blocks.extend(self._headings.open(level, text))
        elif text:
            self._blocks.append(self._headings.under(text))

    def _end_cell(self) -> None:
        if self._row is None:
            self._flush()
            return
        text, self._text = _joined(self._text), []
        if text or self._row:
            self._row.append(text)

    def _end_row(self) -> None:
        if self._row is None:
            self._flush()
            return
        if _joined(self._text):
            self._row.append(_joined(self._text))
        row, self._row, self._text = self._row, None, []
        if self._head_row and not self._names and len(row) > 1:
            self._names = row
            return
        if text := record_text(self._names, row, "; "):
            self._named = True
            self._blocks.append(self._headings.under(text))

    def _end_table(self) -> None:
        """Names of columns that no row was named by are a row themselves."""
        if self._names and not self._named:
            self._blocks.append(self._headings.under(record_text((), self._names, "; ")))
        self._names, self._named = [], False


def _joined(parts: list[str]) -> str:
    lines = (" ".join(line.split()) for line in "".join(parts).split("\n"))
    return " ".join(line for line in lines if line)
