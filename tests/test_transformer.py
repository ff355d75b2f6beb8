"""Transformers from a local folder, without their libraries: a stub runs the graph; tests/with_models has the real ones."""

from __future__ import annotations

import json
import sys
import types
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tokenizers import Tokenizer, models, pre_tokenizers

from codemem.card import Card
from codemem.embed import load_embedder
from codemem.errors import ModelMissing, ProviderError

WORDS = {"[PAD]": 0, "red": 1, "green": 2, "blue": 3, "query": 4}
TABLE = np.array([[9, 9], [1, 0], [0, 1], [-1, 0], [0, -1]], dtype=np.float32)


class StubSession:
    """What the code uses of onnxruntime, computed with numpy."""

    def __init__(self, path: str, providers: list[str]) -> None:
        assert Path(path).is_file() and providers == ["CPUExecutionProvider"]

    def get_inputs(self) -> list[Any]:
        return [types.SimpleNamespace(name="input_ids")]

    def run(self, outputs: None, given: dict[str, Any]) -> list[Any]:
        assert set(given) == {"input_ids"}
        return [TABLE[given["input_ids"]]]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    stub = types.ModuleType("onnxruntime")
    stub.InferenceSession = StubSession  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "onnxruntime", stub)
    place = tmp_path / "tiny"
    (place / "onnx").mkdir(parents=True)
    (place / "onnx" / "model.onnx").touch()
    tokenizer = Tokenizer(models.WordLevel(WORDS, unk_token="[PAD]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.save(str(place / "tokenizer.json"))
    return place


def test_token_vectors_are_averaged_without_padding(folder: Path) -> None:
    embedder = load_embedder(f"sentence-transformers:{folder}")
    matrix = embedder.embed_texts(["red", "red green", "blue"])
    half = 0.5**0.5
    assert (embedder.dimension, embedder.remote, embedder.semantic) == (2, False, True)
    assert np.allclose(matrix, [[1, 0], [half, half], [-1, 0]], atol=1e-6)
    assert embedder.embed_queries([]).shape == (0, 2)


def test_more_texts_than_a_batch_come_back_in_their_order(folder: Path) -> None:
    embedder = load_embedder(f"sentence-transformers:{folder}")
    matrix = embedder.embed_texts(["red", "green green green"] * 50)
    assert np.allclose(matrix, [[1, 0], [0, 1]] * 50, atol=1e-6)


def test_declared_prompts_go_before_questions_and_into_the_key(folder: Path) -> None:
    plain = load_embedder(f"sentence-transformers:{folder}")
    (folder / "config_sentence_transformers.json").write_text(
        json.dumps({"prompts": {"query": "query ", "document": ""}})
    )
    prompted = load_embedder(f"sentence-transformers:{folder}")
    assert prompted.model != plain.model
    assert np.allclose(prompted.embed_texts(["red"]), [[1, 0]])
    assert np.allclose(prompted.embed_queries(["red"]), [[0.5**0.5, -(0.5**0.5)]], atol=1e-6)


def test_the_first_token_is_taken_where_the_folder_says_so(folder: Path) -> None:
    (folder / "1_Pooling").mkdir()
    (folder / "1_Pooling" / "config.json").write_text(json.dumps({"pooling_mode_cls_token": True}))
    embedder = load_embedder(f"sentence-transformers:{folder}")
    assert np.allclose(embedder.embed_texts(["green red"]), [[0, 1]], atol=1e-6)


def test_cards_are_read_as_text(folder: Path) -> None:
    card = Card("red.py", "python", "function", "blue", "blue", "", "", "green", (), (), ())
    embedder = load_embedder(f"sentence-transformers:{folder}")
    assert np.allclose(embedder.embed_cards([card]), embedder.embed_texts(["red blue green"]), atol=1e-6)


def test_a_vector_without_a_direction_is_an_error(folder: Path) -> None:
    with pytest.raises(ProviderError, match="length zero"):
        load_embedder(f"sentence-transformers:{folder}").embed_texts(["red blue"])


def test_a_folder_without_a_tokenizer_is_incomplete(folder: Path) -> None:
    (folder / "tokenizer.json").unlink()
    with pytest.raises(ModelMissing, match="tokenizer"):
        load_embedder(f"sentence-transformers:{folder}")


def test_a_missing_library_comes_with_the_command_that_installs_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(ModelMissing) as caught:
        load_embedder(f"sentence-transformers:{tmp_path}")
    assert "pip install" in caught.value.remedy


def test_a_named_model_is_taken_from_this_machine_only(monkeypatch: pytest.MonkeyPatch) -> None:
    class Library:
        max_seq_length = 512

        def __init__(self, name: str, device: str, local_files_only: bool) -> None:
            assert (device, local_files_only) == ("cpu", True)
            if name != "here":
                raise OSError("not in the cache")

        def encode(self, texts: list[str], **_: object) -> Any:
            return np.array([[3.0, 4.0] for _ in texts])

    library = types.ModuleType("sentence_transformers")
    library.SentenceTransformer = Library  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "sentence_transformers", library)
    silence = types.SimpleNamespace(disable_progress_bar=lambda: None)
    monkeypatch.setitem(sys.modules, "transformers", types.ModuleType("transformers"))
    monkeypatch.setitem(sys.modules, "transformers.utils", types.SimpleNamespace(logging=silence))
    embedder = load_embedder("sentence-transformers:here")
    assert embedder.model == "sentence-transformers:here"
    assert np.allclose(embedder.embed_queries(["x"]), [[0.6, 0.8]])
    with pytest.raises(ModelMissing) as caught:
        load_embedder("sentence-transformers:elsewhere")
    assert "fetch" in caught.value.remedy
