"""The context of a turn, planned by pure code: sizes, strategies, layout and validity."""
