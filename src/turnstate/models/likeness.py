"""How alike two questions are by an embedding model: an option where the rules of `core.questions` are not enough."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeAlias

from turnstate.errors import ModelNameError

Embed: TypeAlias = Callable[[Sequence[str]], Sequence[Sequence[float]]]
"""From texts to their vectors, all of one length."""

KEPT = 4_096
"""Texts whose vectors stay in memory."""


def embedding_similarity(embed: Embed) -> Callable[[str, str], float]:
    """A similarity for `AskedGuard(similar=...)`: the cosine of two vectors, from 0 to 1; negative ones count as 0.

    It is called while a reply is streamed, so `embed` should be fast: a model on this machine, not a service.

    Args:
        embed: from texts to vectors.
    """

    @lru_cache(maxsize=KEPT)
    def vector(text: str) -> tuple[float, ...]:
        (found,) = embed([text])
        return tuple(map(float, found))

    def similar(one: str, other: str) -> float:
        if one == other:
            return 1.0
        return _cosine(vector(one), vector(other))

    return similar


def static_similarity(path: str | Path) -> Callable[[str, str], float]:
    """The similarity by a static embedding model in a folder (extra `embeddings`); nothing is downloaded.

    Args:
        path: a folder with a model2vec model.

    Raises:
        ModelNameError: the extra is not installed, or there is no such model.
    """
    try:
        from model2vec import StaticModel  # noqa: PLC0415 - an extra
    except ImportError as error:
        needed = "its package is not installed (pip install 'turnstate[embeddings]')"
        raise ModelNameError(str(path), needed) from error
    if not Path(path).is_dir():
        raise ModelNameError(str(path), "there is no such folder")
    try:
        model: Any = StaticModel.from_pretrained(str(path))
    except Exception as error:
        raise ModelNameError(str(path), f"it cannot be loaded ({type(error).__name__})") from error
    return embedding_similarity(lambda texts: model.encode(list(texts)).tolist())


def _cosine(one: Sequence[float], other: Sequence[float]) -> float:
    length = math.sqrt(sum(x * x for x in one) * sum(x * x for x in other))
    if not length:
        return 0.0
    return min(1.0, max(0.0, sum(x * y for x, y in zip(one, other, strict=True)) / length))
