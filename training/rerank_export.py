"""Write a trained cross-encoder as a folder for `--rerank`: int8 ONNX graph, tokenizer, card; and compare it with torch.

python -m training.rerank_export --encoder DIR --model DIR --target DIR --work WORK [--float]
"""

from __future__ import annotations

import argparse
import json
import time
from hashlib import sha256
from itertools import islice
from pathlib import Path

import numpy as np
import onnx
import torch
from onnxruntime.quantization import QuantType, quantize_dynamic

from codemem.rerank import load_reranker
from training.rerank_lists import read_lists, text_of
from training.rerank_model import MOST_TOKENS, encode, load_judge, make_tokenizer

OPSET = 17
COMPARED_LISTS, COMPARED_EVERY = 12, 40
"""Lists that are judged by both, so far apart that they come from several repositories."""
INPUTS = ("input_ids", "attention_mask", "token_type_ids")


def export(encoder: Path, model_folder: Path, target: Path, whole: bool) -> None:
    """Write graph, tokenizer and card; the graph holds one byte a weight unless `whole`."""
    target.mkdir(parents=True, exist_ok=True)
    model, tokenizer = load_judge(encoder, model_folder), make_tokenizer(encoder)
    example = encode(tokenizer, [("where is it", "[interface] here"), ("what", "[interface] there and then")])
    axes = {name: {0: "pairs", 1: "tokens"} for name in INPUTS} | {"scores": {0: "pairs"}}
    graph = target / "model.onnx"
    torch.onnx.export(
        model, tuple(example[name] for name in INPUTS), str(graph), input_names=list(INPUTS), output_names=["scores"],
        dynamic_axes=axes, opset_version=OPSET, dynamo=False,
    )  # fmt: skip
    if not whole:
        large = target / "whole.onnx"
        graph.rename(large)
        quantize_dynamic(
            large, graph, weight_type=QuantType.QInt8, per_channel=True, nodes_to_exclude=_similarities(large)
        )
        large.unlink()
    tokenizer.save(str(target / "tokenizer.json"))
    (target / "tokenizer_config.json").write_text(json.dumps({"model_max_length": MOST_TOKENS}) + "\n", "utf-8")
    about = json.loads((model_folder / "about.json").read_text("utf-8"))
    about |= {"tokens": MOST_TOKENS, "sha256": {one.name: _digest(one) for one in (graph, target / "tokenizer.json")}}
    (target / "card.json").write_text(json.dumps(about, indent=2) + "\n", "utf-8")


def _similarities(graph: Path) -> list[str]:
    """Name the products of two activations: rounding them saves nothing and costs the comparison of words its digits."""
    loaded = onnx.load(str(graph))
    weights = {one.name for one in loaded.graph.initializer}
    return [node.name for node in loaded.graph.node if node.op_type == "MatMul" and not weights & set(node.input)]


def _digest(path: Path) -> str:
    return sha256(path.read_bytes()).hexdigest()


def compare(encoder: Path, model_folder: Path, target: Path, work: Path) -> None:
    """Print how far the folder's scores are from those of torch, and what 100 cards cost each."""
    model, tokenizer = load_judge(encoder, model_folder), make_tokenizer(encoder)
    judge = load_reranker(f"sentence-transformers:{target}")
    folder = work / "judged" if (work / "judged").exists() else work / "lists"
    rows = list(islice(read_lists(folder), 0, COMPARED_LISTS * COMPARED_EVERY, COMPARED_EVERY))
    differences, correlations, spent, cards = [], [], {"torch": 0.0, "onnx": 0.0}, 0
    for row in rows:
        texts = [text_of(one) for one in row["candidates"]]
        cards += len(texts)
        begun = time.process_time()
        with torch.inference_mode():
            exact = model(**encode(tokenizer, [(row["query"], text) for text in texts]))[:, 0].numpy()
        middle = time.process_time()
        found = np.array(judge.judge(row["query"], texts))
        spent["torch"] += middle - begun
        spent["onnx"] += time.process_time() - middle
        differences.append(np.abs(found - exact).max() / exact.std())
        correlations.append(np.corrcoef(found, exact)[0, 1])
    size = sum(one.stat().st_size for one in target.iterdir())
    print(f"largest difference {max(differences):.3f} standard deviations of a list", end=", ")
    print(f"least correlation {min(correlations):.4f}; {size / 1e6:.1f} MB")
    print("CPU seconds for 100 cards:", {name: round(seconds / cards * 100, 2) for name, seconds in spent.items()})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("encoder", "model", "target", "work"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    parser.add_argument("--float", action="store_true", help="four bytes a weight")
    given = parser.parse_args()
    torch.set_num_threads(1)
    export(given.encoder, given.model, given.target, given.float)
    compare(given.encoder, given.model, given.target, given.work)


if __name__ == "__main__":
    main()
