"""How many tokens a model's window has, as far as its provider publishes it."""

from __future__ import annotations

from functools import cache

from genai_prices.data_snapshot import get_snapshot


@cache
def window_of(name: str) -> int | None:
    """The context window of the model with this id, in tokens; None where nobody publishes it.

    Args:
        name: as `provider:name`. The figures ship with the genai-prices package; nothing is asked over the network.
    """
    provider, _, model = name.partition(":")
    if not model:
        return None
    try:
        _, found = get_snapshot().find_provider_model(model, None, provider, None)
    except LookupError:
        return None
    return found.context_window
