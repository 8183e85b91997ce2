"""Random rooms: what a strategy decides on."""

from __future__ import annotations

from hypothesis import strategies as st

from turnstate.core.context.types import Room, Sized


def rooms() -> st.SearchStrategy[Room]:
    """Rooms of any proportions, the impossible ones included."""
    sizes = st.integers(0, 3_000)
    exchanges = st.lists(sizes, max_size=12).map(
        lambda tokens: tuple(Sized(turn, size, 2) for turn, size in enumerate(tokens, start=1))
    )
    return st.builds(Room, st.integers(1, 6_000), sizes, sizes, sizes, exchanges, st.integers(0, 5))
