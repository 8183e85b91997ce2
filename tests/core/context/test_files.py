"""What a file says of its own size is read from its header alone, and nonsense is no size."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnstate.core.context.files import Pixels, pages, pixels

Made = Callable[[int, int], bytes]

sides = st.integers(1, 16_000)


def png(width: int, height: int) -> bytes:
    """The beginning of a PNG."""
    return b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + struct.pack(">II", width, height)


def gif(width: int, height: int) -> bytes:
    """The beginning of a GIF."""
    return b"GIF89a" + struct.pack("<HH", width, height)


def jpeg(width: int, height: int) -> bytes:
    """The beginning of a JPEG, with other segments before its frame."""
    others = b"\xff\xe0\0\x06JFIF" + b"\xff\xc4\0\x04\xff\xc0"
    return b"\xff\xd8" + others + b"\xff\xc2\0\x11\x08" + struct.pack(">HH", height, width)


def webp_lossy(width: int, height: int) -> bytes:
    """The beginning of a lossy WebP."""
    return b"RIFF\0\0\0\0WEBPVP8 " + b"\0" * 10 + struct.pack("<HH", width, height)


def webp_lossless(width: int, height: int) -> bytes:
    """The beginning of a lossless WebP."""
    return b"RIFF\0\0\0\0WEBPVP8L" + b"\0" * 5 + struct.pack("<I", (width - 1) | (height - 1) << 14)


def webp_extended(width: int, height: int) -> bytes:
    """The beginning of an extended WebP."""
    size = (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little")
    return b"RIFF\0\0\0\0WEBPVP8X" + b"\0" * 8 + size


@pytest.mark.parametrize("made", [png, gif, jpeg, webp_lossy, webp_lossless, webp_extended])
def test_the_size_of_an_image_stands_in_its_header(made: Made) -> None:
    """Width and height, in this order, for every format that providers take."""

    @given(sides, sides)
    def check(width: int, height: int) -> None:
        assert pixels(made(width, height)) == Pixels(width, height)

    check()


@given(st.sampled_from([png, gif, jpeg, webp_lossy, webp_lossless, webp_extended]), st.data())
def test_a_header_that_was_cut_off_says_nothing(made: Made, data: st.DataObject) -> None:
    """No size is made up, and nothing is raised."""
    whole = made(640, 480)
    assert pixels(whole[: data.draw(st.integers(0, len(whole) - 1))]) in (None, Pixels(640, 480))


@given(st.binary(max_size=60))
def test_anything_may_call_itself_an_image(data: bytes) -> None:
    """Bytes of any kind, behind any format's first signs."""
    for start in (b"", b"\x89PNG\r\n\x1a\n", b"GIF87a", b"\xff\xd8", b"RIFF\0\0\0\0WEBP"):
        found = pixels(start + data)
        assert found is None or min(found) >= 0


def stream(*objects: bytes, packed: bool = True, kind: bytes = b"ObjStm") -> bytes:
    """A stream of objects, as PDF 1.5 and later keeps them."""
    body = b"1 0 2 60 " + b" ".join(objects)
    body = zlib.compress(body) if packed else body
    filtered = b"/Filter /FlateDecode " if packed else b""
    head = b"<< /Type /%s /N 2 /First 9 %s/Length %d >>" % (kind, filtered, len(body))
    return b"7 0 obj\n" + head + b"\nstream\r\n" + body + b"\nendstream\nendobj\n"


NODE = b"<< /Type /Pages /Kids [2 0 R 3 0 R] /Count 7 >>"
LEAF = b"<< /Type /Page /Parent 1 0 R >>"


@pytest.mark.parametrize(
    ("data", "count"),
    [
        (b"", None),
        pytest.param(b"%PDF-1.5 " + stream(NODE, LEAF), 7, id="the tree is compressed"),
        pytest.param(b"%PDF-1.5 " + stream(LEAF) + stream(LEAF, LEAF), 3, id="pages in several streams"),
        pytest.param(b"%PDF-1.5 " + LEAF + stream(NODE), 7, id="one page in plain bytes"),
        pytest.param(b"%PDF-1.5 " + stream(NODE, packed=False), 7, id="a stream that is not compressed"),
        pytest.param(b"%PDF-1.5 " + stream(b"<< /Font 3 >>"), None, id="no tree at all"),
        pytest.param(b"%PDF-1.5 " + stream(NODE) + b"/Encrypt 9 0 R", None, id="encrypted"),
        pytest.param(b"%PDF-1.5 " + stream(NODE)[:-45], None, id="cut off"),
        pytest.param(
            b"%PDF-1.5 " + stream(NODE, packed=False).replace(b"/N 2", b"/Filter /LZWDecode"),
            None,
            id="compressed in another way",
        ),
        pytest.param(
            b"%PDF-1.5 " + stream(b"<< /Type /Page >>", kind=b"XObject") + LEAF, 1, id="another stream"
        ),
        pytest.param(
            b"%PDF-1.4 " + LEAF + b" << /Type /Outlines /Count 200 >> << /Type /Pages /Count 1 >>",
            1,
            id="an outline counts as well",
        ),
        (b"no PDF at all", None),
        (b"%PDF-1.4 << /Type /Page >> << /Type/Page/Parent 1 0 R >> << /Type /Pages /Count 2 >>", 2),
        (b"%PDF-1.4 << /Type /Pages /Kids [1 0 R] /Count 12 >>", 12),
        (b"%PDF-1.4 << /Type /Page >> << /Type /Page >>", 2),
        (b"%PDF-1.4 << /Type /PageLabel >> << /Type /Pages >>", None),
        (b"%PDF-1.7 << /Type /Page >> << /Type /ObjStm /N 90 >>", None),
    ],
)
def test_the_pages_of_a_pdf(data: bytes, count: int | None) -> None:
    """As many as it lists or counts; None where the list is compressed, because one visible page may be one of many."""
    assert pages(data) == count


def test_a_stream_that_grows_without_end_is_not_unpacked() -> None:
    """A few kB that claim to be many MB say nothing, and are not held in memory."""
    assert pages(b"%PDF-1.5 " + stream(LEAF + b" " * 60_000_000)) is None


@given(st.binary(max_size=200))
def test_any_bytes_may_call_themselves_a_pdf(data: bytes) -> None:
    """Nothing is raised, and there is never a document of no pages."""
    for start in (b"", b"<< /Type /ObjStm /Filter /FlateDecode >> stream\n", b"<< /Type /Pages "):
        found = pages(start + data)
        assert found is None or found >= 1
