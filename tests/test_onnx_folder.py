"""What a folder with an ONNX graph says of itself; running one is tested with the embedder and the judge."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from codemem.errors import ModelMissing
from codemem.onnx_folder import ONNX_FILES, find_graph, most_tokens, open_graph


@pytest.mark.parametrize(
    ("files", "tokens"),
    [
        ({}, 384),
        ({"tokenizer_config.json": {"model_max_length": 112}}, 112),
        ({"sentence_bert_config.json": {"max_seq_length": 128}}, 128),
        ({"tokenizer_config.json": {"model_max_length": 512}}, 384),
        ({"tokenizer_config.json": {"model_max_length": 512}, "sentence_bert_config.json": {"max_seq_length": 64}}, 64),
        ({"tokenizer_config.json": {"model_max_length": None}}, 384),
        ({"tokenizer_config.json": []}, 384),
    ],
    ids=["nothing", "tokenizer", "encoder", "more than the limit", "the least of both", "null", "no object"],
)
def test_as_many_tokens_are_read_as_the_folder_says_within_the_limit(
    files: dict[str, object], tokens: int, tmp_path: Path
) -> None:
    for name, content in files.items():
        (tmp_path / name).write_text(json.dumps(content), "utf-8")
    assert most_tokens(tmp_path, 384) == tokens


def test_the_whole_graph_is_preferred_to_a_quantised_one(tmp_path: Path) -> None:
    assert find_graph(tmp_path) is None
    for name in reversed(ONNX_FILES):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
        assert find_graph(tmp_path) == tmp_path / name


def test_without_the_library_the_remedy_says_how_to_do_without(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(ModelMissing, match="not installed") as caught:
        open_graph(tmp_path, tmp_path / "model.onnx", 8, "search without --rerank")
    assert caught.value.remedy.endswith("search without --rerank")
