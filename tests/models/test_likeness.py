"""Similarity by embeddings: any function, or a real static model on disk."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnstate.core.questions import Asks
from turnstate.errors import ModelNameError
from turnstate.models.likeness import embedding_similarity, static_similarity
from turnstate.turn.asking import AskedGuard

WORDS = ["budget", "spend", "money", "timeline", "start", "what", "is", "your"]


def letters(texts: Sequence[str]) -> list[list[float]]:
    """Counts of letters."""
    return [[float(text.lower().count(letter)) for letter in "abcdefghij"] for text in texts]


@given(st.text(max_size=20), st.text(max_size=20))
def test_it_is_symmetric_and_between_0_and_1(one: str, other: str) -> None:
    """Whatever the texts; the same text is the same."""
    similar = embedding_similarity(letters)
    assert 0.0 <= similar(one, other) <= 1.0
    assert similar(one, other) == pytest.approx(similar(other, one))
    assert similar(one, one) == 1.0


def test_a_text_is_embedded_once() -> None:
    """The guard compares the same questions in every turn."""
    seen: list[str] = []

    def embed(texts: Sequence[str]) -> list[list[float]]:
        seen.extend(texts)
        return letters(texts)

    similar = embedding_similarity(embed)
    for _ in range(3):
        similar("a bad cab", "a big jig")
    assert sorted(seen) == ["a bad cab", "a big jig"]


def test_a_model_in_a_folder(tmp_path: Path) -> None:
    """A real one, made here: two words that share a vector are alike, two that do not are not."""
    model2vec = pytest.importorskip("model2vec", reason="the extra `embeddings` is not installed")
    numpy = pytest.importorskip("numpy")
    tokenizers = pytest.importorskip("tokenizers")
    vocabulary = {word: index for index, word in enumerate(["[UNK]", *WORDS])}
    tokenizer: Any = tokenizers.Tokenizer(tokenizers.models.WordLevel(vocabulary, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    vectors = numpy.zeros((len(vocabulary), 4), dtype="float32")
    for word, place in {"budget": 0, "spend": 0, "money": 0, "timeline": 1, "start": 1}.items():
        vectors[vocabulary[word], place] = 1.0
    model2vec.StaticModel(vectors, tokenizer).save_pretrained(str(tmp_path / "model"))
    similar = static_similarity(tmp_path / "model")
    assert similar("what is your budget", "spend money") > 0.99
    assert similar("what is your budget", "start timeline") < 0.01
    assert AskedGuard({"k": Asks("budget")}, similar=similar).name == "asked"


def test_what_is_not_there_is_said(tmp_path: Path) -> None:
    """A folder that is not there, and one that holds no model."""
    pytest.importorskip("model2vec", reason="the extra `embeddings` is not installed")
    with pytest.raises(ModelNameError, match="no such folder"):
        static_similarity(tmp_path / "nowhere")
    with pytest.raises(ModelNameError, match="cannot be loaded"):
        static_similarity(tmp_path)
