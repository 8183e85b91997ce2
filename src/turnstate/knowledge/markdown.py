"""Markdown and plain text as blocks under their headings; tables row by row as "column: value"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from turnstate.knowledge.documents import Block, Headings

_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*")
_UNDERLINE = re.compile(r" {0,3}(=+|-+)[ \t]*")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})(.*)")
_RULE = re.compile(r"[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*")
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_CELL = re.compile(r"(?<!\\)\|")
_PLAIN_MARKS = re.compile(r"[*_`]+(?=\S)|(?<=\S)[*_`]+")


def markdown_blocks(text: str) -> Iterator[Block]:
    """The blocks of a Markdown text, in order.

    Inline marks stay as they are; comments are left out, for nobody was meant to read them.
    """
    headings = Headings()
    for chunk in _chunks(_uncommented(text).splitlines()):
        if (heading := _heading(chunk)) is not None:
            yield from headings.open(*heading)
        elif len(chunk) > 1 and "|" in chunk[0] and "|" in chunk[1] and _RULE.fullmatch(chunk[1]):
            for row in chunk[2:] or chunk[:1]:
                yield headings.under(_record(_cells(chunk[0]), _cells(row)) if row != chunk[0] else row)
        else:
            yield headings.under("\n".join(chunk))
    yield from headings.close()


def plain_blocks(text: str) -> Iterator[Block]:
    """The paragraphs of a plain text."""
    for paragraph in re.split(r"\n[^\S\n]*\n", text):
        if paragraph.strip():
            yield Block((), paragraph)


def _uncommented(text: str) -> str:
    """`text` without comments, where there is no code that may show some."""
    return text if "```" in text or "~~~" in text else _COMMENT.sub("\n", text)


def _chunks(lines: Sequence[str]) -> Iterator[list[str]]:
    """Lines that belong together: paragraphs, code, tables; a heading is a chunk of its own."""
    held: list[str] = []
    fence = ""
    for line in lines:
        opened = _FENCE.fullmatch(line)
        if fence:
            held.append(line)
            if opened and opened[1].startswith(fence) and not opened[2].strip():
                fence = ""
                yield held
                held = []
            continue
        if opened:
            fence = opened[1]
            held.append(line)
        elif not line.strip():
            if held:
                yield held
            held = []
        elif _HEADING.fullmatch(line):
            if held:
                yield held
            yield [line]
            held = []
        elif (
            len(held) == 1
            and _UNDERLINE.fullmatch(line)
            and not held[0].lstrip().startswith(("-", "*", "|", ">"))
        ):
            yield [held[0], line]
            held = []
        else:
            held.append(line)
    if held:
        yield held


def _heading(chunk: Sequence[str]) -> tuple[int, str] | None:
    """The level and the words of a chunk that is a heading."""
    if len(chunk) == 1 and (found := _HEADING.fullmatch(chunk[0])):
        return len(found[1]), _plain(found[2] or "")
    if len(chunk) == 2 and (found := _UNDERLINE.fullmatch(chunk[1])) and not _HEADING.fullmatch(chunk[0]):
        return (1 if found[1][0] == "=" else 2), _plain(chunk[0])
    return None


def _plain(text: str) -> str:
    return " ".join(_PLAIN_MARKS.sub("", text).split()) or text.strip()


def _cells(row: str) -> list[str]:
    cells = [cell.strip().replace("\\|", "|") for cell in _CELL.split(row.strip())]
    if cells and not cells[0]:
        cells = cells[1:]
    return cells[:-1] if cells and not cells[-1] else cells


def _record(names: Sequence[str], cells: Sequence[str]) -> str:
    """A row as "column: value" parts on one line, so that a value never stands without its column and its row."""
    return record_text(names, cells, "; ")


def record_text(names: Sequence[str], cells: Sequence[str], joint: str = "\n") -> str:
    """A row of a table as "column: value"; what has no column is a value alone."""
    named = [(names[place] if place < len(names) else "", cell) for place, cell in enumerate(cells)]
    return joint.join(
        f"{name.strip()}: {cell.strip()}" if name.strip() else cell.strip()
        for name, cell in named
        if cell.strip()
    )
