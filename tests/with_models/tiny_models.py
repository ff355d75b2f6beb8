"""Tiny BERT models in the layout of real ones: folders of the sentence-transformers library, and ONNX graphs beside them.

The graphs are written node by node from the weights, not exported: they are a second opinion on what torch computes, and
no version of an exporter stands between.
"""

from __future__ import annotations

import json
import string
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
import transformers
from onnx import TensorProto, helper, numpy_helper

WIDTH = 32
HEADS = 2
LAYERS = 2
POSITIONS = 512
EPSILON = 1e-12
SPREAD = 0.3
"""Standard deviation of random weights: with BERT's own 0.02 all texts of so small a model would get nearly one vector."""
SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
WORDS = ("alpha", "beta", "gamma", "pay", "bill", "order", "stock", "def", "the", "shop")
CHARACTERS = (*string.ascii_lowercase, *string.digits, *'_.,:;#()"/')
VOCABULARY = (*SPECIAL, *WORDS, *CHARACTERS, *(f"##{character}" for character in CHARACTERS))
OPSET = 17
ONNX_VERSION = 8
"""File format of ONNX: an old one, which every runtime reads."""


def write_bi_encoder(folder: Path, seed: int = 0, layers: int = LAYERS, pooling: str = "mean", most: int = 128) -> Path:
    """Write a sentence encoder with random weights: transformer and pooling, no ONNX."""
    model = random_model(transformers.BertModel, seed, layers)
    _write_transformer(folder, model)
    modules = [
        {"idx": 0, "name": "0", "path": "", "type": "sentence_transformers.models.Transformer"},
        {"idx": 1, "name": "1", "path": "1_Pooling", "type": "sentence_transformers.models.Pooling"},
    ]
    write_json(folder / "modules.json", modules)
    write_json(folder / "sentence_bert_config.json", {"max_seq_length": most, "do_lower_case": False})
    modes = {"mean": "pooling_mode_mean_tokens", "cls": "pooling_mode_cls_token", "max": "pooling_mode_max_tokens"}
    chosen = {setting: name == pooling for name, setting in modes.items()}
    write_json(folder / "1_Pooling" / "config.json", {"word_embedding_dimension": WIDTH, **chosen})
    return folder


def write_cross_encoder(folder: Path, model: Any) -> Path:
    """Write a cross-encoder without ONNX."""
    _write_transformer(folder, model)
    return folder


def random_model(kind: Any, seed: int = 0, layers: int = LAYERS, **settings: Any) -> Any:
    """Return a BERT of this kind with weights drawn by `seed`."""
    torch.manual_seed(seed)
    config = transformers.BertConfig(
        vocab_size=len(VOCABULARY),
        hidden_size=WIDTH,
        num_hidden_layers=layers,
        num_attention_heads=HEADS,
        intermediate_size=2 * WIDTH,
        max_position_embeddings=POSITIONS,
        initializer_range=SPREAD,
        layer_norm_eps=EPSILON,
        **settings,
    )
    return kind(config).eval()


def random_judge(seed: int = 0, labels: int = 1) -> Any:
    return random_model(transformers.BertForSequenceClassification, seed, num_labels=labels)


def judge_of(word: str, labels: int = 1) -> Any:
    """Return a judge whose score grows with the share of `word` among the tokens, and with nothing else.

    Queries and keys are zero, so attention averages all tokens; values and outputs hand one component through, which only
    the word's vector has; the last layer reads it.
    """
    model = random_model(transformers.BertForSequenceClassification, layers=1, num_labels=labels)
    with torch.no_grad():
        for name, weight in model.named_parameters():
            weight.fill_(1.0 if name.endswith("LayerNorm.weight") else 0.0)
        bert, one = model.bert, torch.eye(WIDTH)
        # A common pattern keeps the normalisation from blowing differences of zero up.
        bert.embeddings.word_embeddings.weight[:, 1::2] = 1.0
        bert.embeddings.word_embeddings.weight[VOCABULARY.index(word), 0] = 4.0
        layer = bert.encoder.layer[0]
        layer.attention.self.value.weight.copy_(one)
        layer.attention.output.dense.weight.copy_(one)
        bert.pooler.dense.weight.copy_(one / 4)
        model.classifier.weight[labels - 1, 0] = 8.0
    return model


def add_onnx(folder: Path, model: Any) -> Path:
    """Write the folder's model as `onnx/model.onnx` too; returns the file."""
    weights = {name.removeprefix("bert."): value.numpy() for name, value in model.state_dict().items()}
    return save_graph(folder, bert_graph(weights, model.config.num_hidden_layers))


def save_graph(folder: Path, model: onnx.ModelProto) -> Path:
    onnx.checker.check_model(model)
    file = folder / "onnx" / "model.onnx"
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(model.SerializeToString())
    return file


def constant_graph(values: Any) -> onnx.ModelProto:
    """Return a graph that answers every batch with the same numbers, whatever its shape."""
    table = np.asarray(values, dtype=np.float32)
    node = helper.make_node("Identity", ["answer"], ["logits"])
    return _model([node], {"answer": table}, "logits", list(table.shape))


def bert_graph(weights: dict[str, Any], layers: int) -> onnx.ModelProto:
    """Return BERT as a graph: the last hidden states, or the logits where `weights` hold a classifier."""
    graph = _Graph(weights)
    hidden = graph.embeddings()
    mask = graph.attention_mask()
    for number in range(layers):
        hidden = graph.layer(f"encoder.layer.{number}.", hidden, mask)
    if "classifier.weight" not in weights:
        output = graph.add("Identity", [hidden], "last_hidden_state")
        return _model(graph.nodes, graph.constants, output, ["batch", "length", WIDTH])
    first = graph.add("Gather", [hidden, graph.constant(np.array(0, dtype=np.int64))], axis=1)
    pooled = graph.add("Tanh", [graph.linear("pooler.dense", first)])
    output = graph.add("Identity", [graph.linear("classifier", pooled)], "logits")
    return _model(graph.nodes, graph.constants, output, ["batch", len(weights["classifier.bias"])])


class _Graph:
    """Nodes and constants of a graph while it grows."""

    def __init__(self, weights: dict[str, Any]) -> None:
        self.weights = weights
        self.nodes: list[Any] = []
        self.constants: dict[str, Any] = {}

    def add(self, kind: str, inputs: list[str], output: str = "", **attributes: Any) -> str:
        output = output or f"value_{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, inputs, [output], **attributes))
        return output

    def constant(self, value: Any) -> str:
        name = f"constant_{len(self.constants)}"
        self.constants[name] = np.asarray(value)
        return name

    def number(self, value: float) -> str:
        return self.constant(np.array(value, dtype=np.float32))

    def linear(self, name: str, value: str) -> str:
        product = self.add("MatMul", [value, self.constant(self.weights[f"{name}.weight"].T.copy())])
        return self.add("Add", [product, self.constant(self.weights[f"{name}.bias"])])

    def normal(self, name: str, value: str) -> str:
        scale, shift = (self.constant(self.weights[f"{name}.{part}"]) for part in ("weight", "bias"))
        return self.add("LayerNormalization", [value, scale, shift], axis=-1, epsilon=EPSILON)

    def embeddings(self) -> str:
        words, kinds = (
            self.add("Gather", [self.constant(self.weights[f"embeddings.{table}_embeddings.weight"]), given])
            for table, given in (("word", "input_ids"), ("token_type", "token_type_ids"))
        )
        length = self.add("Gather", [self.add("Shape", ["input_ids"]), self.constant(np.array([1]))])
        table = self.constant(self.weights["embeddings.position_embeddings.weight"])
        places = self.add("Slice", [table, self.constant(np.array([0])), length, self.constant(np.array([0]))])
        return self.normal("embeddings.LayerNorm", self.add("Add", [self.add("Add", [words, kinds]), places]))

    def attention_mask(self) -> str:
        """Return what is added to attention scores: 0 for tokens, a large negative number for padding."""
        given = self.add("Cast", ["attention_mask"], to=TensorProto.FLOAT)
        wide = self.add("Unsqueeze", [given, self.constant(np.array([1, 2]))])
        return self.add("Mul", [self.add("Sub", [self.number(1), wide]), self.number(-1e9)])

    def heads(self, name: str, value: str) -> str:
        shape = self.constant(np.array([0, 0, HEADS, WIDTH // HEADS]))
        split = self.add("Reshape", [self.linear(name, value), shape])
        return self.add("Transpose", [split], perm=[0, 2, 1, 3])

    def layer(self, name: str, value: str, mask: str) -> str:
        query, key, values = (self.heads(f"{name}attention.self.{part}", value) for part in ("query", "key", "value"))
        scores = self.add("MatMul", [query, self.add("Transpose", [key], perm=[0, 1, 3, 2])])
        scaled = self.add("Div", [scores, self.number((WIDTH // HEADS) ** 0.5)])
        attention = self.add("Softmax", [self.add("Add", [scaled, mask])], axis=-1)
        seen = self.add("Transpose", [self.add("MatMul", [attention, values])], perm=[0, 2, 1, 3])
        joined = self.add("Reshape", [seen, self.constant(np.array([0, 0, WIDTH]))])
        added = self.add("Add", [self.linear(f"{name}attention.output.dense", joined), value])
        middle = self.normal(f"{name}attention.output.LayerNorm", added)
        outer = self.linear(f"{name}output.dense", self.gelu(self.linear(f"{name}intermediate.dense", middle)))
        return self.normal(f"{name}output.LayerNorm", self.add("Add", [outer, middle]))

    def gelu(self, value: str) -> str:
        error = self.add("Erf", [self.add("Div", [value, self.number(2**0.5)])])
        half = self.add("Mul", [value, self.number(0.5)])
        return self.add("Mul", [half, self.add("Add", [error, self.number(1)])])


def _model(nodes: list[Any], constants: dict[str, Any], output: str, shape: list[str | int]) -> onnx.ModelProto:
    given = [
        helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "length"])
        for name in ("input_ids", "attention_mask", "token_type_ids")
    ]
    results = [helper.make_tensor_value_info(output, TensorProto.FLOAT, shape)]
    tensors = [numpy_helper.from_array(value, name) for name, value in constants.items()]
    graph = helper.make_graph(nodes, "tiny", given, results, tensors)
    return helper.make_model(graph, ir_version=ONNX_VERSION, opset_imports=[helper.make_opsetid("", OPSET)])


def _write_transformer(folder: Path, model: Any) -> None:
    """Write tokenizer, configuration and weights."""
    folder.mkdir(parents=True)
    (folder / "vocab.txt").write_text("\n".join(VOCABULARY), "utf-8")
    tokenizer = transformers.BertTokenizerFast(str(folder / "vocab.txt"), model_max_length=POSITIONS)
    tokenizer.save_pretrained(folder)
    model.save_pretrained(folder)


def write_json(file: Path, content: Any) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(content), "utf-8")
