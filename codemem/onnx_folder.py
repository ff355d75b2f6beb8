"""A folder that holds an ONNX graph and its tokenizer: one way to open it and to run it, for embedding and for judging."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from codemem.errors import ModelMissing

if TYPE_CHECKING:
    from collections.abc import Sequence

ONNX_FILES = ("onnx/model.onnx", "model.onnx", "onnx/model_quantized.onnx", "model_quantized.onnx")
"""Where exported models keep their graph, best first."""
TOKENIZER, TOKENIZER_LIMITS, ENCODER_LIMITS = "tokenizer.json", "tokenizer_config.json", "sentence_bert_config.json"
"""What cuts a text, and the two files that say how much of it is read."""


@dataclass(frozen=True, slots=True)
class OnnxModel:
    """An opened graph with what cuts its text; `inputs` are the names of the arrays that it wants."""

    tokenizer: Any
    session: Any
    inputs: frozenset[str]

    def run(self, texts: Sequence[str] | Sequence[tuple[str, str]]) -> tuple[Any, Any]:
        """Return the graph's first output for texts or pairs of texts, and the mask of real tokens (texts, tokens)."""
        import numpy as np

        encoded = self.tokenizer.encode_batch(list(texts))
        mask = np.array([one.attention_mask for one in encoded], dtype=np.int64)
        columns = {
            "input_ids": np.array([one.ids for one in encoded], dtype=np.int64),
            "attention_mask": mask,
            "token_type_ids": np.array([one.type_ids for one in encoded], dtype=np.int64),
        }
        return self.session.run(None, {name: columns[name] for name in self.inputs})[0], mask


def find_graph(folder: Path) -> Path | None:
    """Return the folder's graph, None when it has none."""
    return next((folder / name for name in ONNX_FILES if (folder / name).is_file()), None)


def most_tokens(folder: Path, limit: int) -> int:
    """Return how many tokens of a text are read: what the folder's model was made for, within `limit`."""
    declared = (
        read_json(folder / ENCODER_LIMITS).get("max_seq_length"),
        read_json(folder / TOKENIZER_LIMITS).get("model_max_length"),
    )
    return min([limit, *(int(tokens) for tokens in declared if tokens)])


def read_json(path: Path) -> dict[str, Any]:
    """Read an object; a file that is not there says nothing."""
    if not path.is_file():
        return {}
    found = json.loads(path.read_text("utf-8"))
    return found if isinstance(found, dict) else {}


def open_graph(folder: Path, graph: Path, limit: int, instead: str) -> OnnxModel:
    """Open the folder's graph; texts are cut after `limit` tokens, or where the folder says.

    Raises ModelMissing when the library, the tokenizer or a usable graph is missing; `instead` says how to do without.
    """
    try:
        import onnxruntime
    except ImportError as error:
        raise ModelMissing("onnxruntime is not installed", f"pip install 'codemem-cli[onnx]', or {instead}") from error
    from tokenizers import Tokenizer

    if not (folder / TOKENIZER).is_file():
        raise ModelMissing(f"no tokenizer.json in {folder}", "export the model with its tokenizer")
    tokenizer = Tokenizer.from_file(str(folder / TOKENIZER))
    tokenizer.enable_truncation(most_tokens(folder, limit))
    tokenizer.enable_padding()
    try:
        session = onnxruntime.InferenceSession(str(graph), providers=["CPUExecutionProvider"])
    except _graph_errors(onnxruntime) as error:
        raise ModelMissing(f"the ONNX graph {graph} cannot be opened", "export it again, or remove it") from error
    return OnnxModel(tokenizer, session, frozenset(item.name for item in session.get_inputs()))


def _graph_errors(onnxruntime: Any) -> tuple[type[Exception], ...]:
    """Return what onnxruntime raises on a graph that it cannot open: its errors have no class in common."""
    state = onnxruntime.capi.onnxruntime_pybind11_state
    names = (
        "Fail",
        "InvalidArgument",
        "InvalidGraph",
        "InvalidProtobuf",
        "NoSuchFile",
        "NotImplemented",
        "RuntimeException",
    )
    return tuple(getattr(state, name) for name in names)
