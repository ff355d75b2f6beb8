"""`--rerank` with a CrossEncoder folder through the command line, with torch and with ONNX."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tiny_models
import torch
from command_line import Run, codemem
from conftest import NAMES

from codemem.errors import ProviderError
from codemem.rerank import blend, load_reranker

PAIRED = ("alpha", "", "def pay the bill", "订单", *("gamma stock " * number for number in range(80)), "order " * 600)
"""More than two batches; the last is beyond what a judge reads."""
QUESTION = "pay the bill"


def ask(root: Path, *arguments: str) -> Run:
    run = codemem("search", *arguments, "--json", folder=root)
    assert run.code == 0, run.err
    return run


def use(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CODEMEM_RERANKER", f"sentence-transformers:{folder}")


def give_the_judge(share: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the judge's share of the score be so large that its opinion shows, whatever the tuned share is."""
    monkeypatch.setattr(blend, "__defaults__", (share,))


@pytest.mark.parametrize("ending", ["", "-onnx"])
@pytest.mark.parametrize("name", NAMES)
def test_the_file_that_the_judge_likes_comes_first(
    shop: Path, models: Path, name: str, ending: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    give_the_judge(0.9, monkeypatch)
    use(models / f"likes-{name}{ending}", monkeypatch)
    plain, judged = ask(shop, QUESTION).paths, ask(shop, QUESTION, "--rerank").paths
    assert judged[0] == f"{name}.py"
    rest = [path for path in plain if path != f"{name}.py"]
    assert judged[1:] == rest, "the judge has no opinion on the others: their order stays"


@pytest.mark.parametrize("ending", ["", "-onnx"])
def test_scores_decide_the_order_and_are_explained(
    shop: Path, models: Path, ending: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from codemem.rerank import transformer

    seen: dict[str, float] = {}
    judge_texts = transformer.CrossEncoderJudge.judge

    def watched(self: Any, question: str, texts: list[str]) -> Any:
        scores = judge_texts(self, question, texts)
        seen.update(zip(texts, scores, strict=True))
        assert question == QUESTION
        return scores

    monkeypatch.setattr(transformer.CrossEncoderJudge, "judge", watched)
    give_the_judge(1.0, monkeypatch)
    use(models / f"judge{ending}", monkeypatch)
    hits = ask(shop, QUESTION, "--rerank").json["hits"]
    by_file = {next(f"{name}.py" for name in NAMES if f"pay_{name}" in text): score for text, score in seen.items()}
    assert [hit["path"] for hit in hits] == sorted(by_file, key=lambda path: -by_file[path])
    assert [hit["score"] for hit in hits] == sorted((hit["score"] for hit in hits), reverse=True)
    assert (hits[0]["score"], hits[-1]["score"]) == (1, 0), "with the whole share, the judge's extremes are 1 and 0"


def test_onnx_scores_as_torch_does(models: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kinds = ("judge", "two-classes", "likes-gamma")
    expected = {kind: load_reranker(f"sentence-transformers:{models / kind}").judge(QUESTION, PAIRED) for kind in kinds}
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    monkeypatch.setitem(sys.modules, "torch", None)
    for kind, scores in expected.items():
        found = load_reranker(f"sentence-transformers:{models / kind}-onnx").judge(QUESTION, PAIRED)
        assert found == pytest.approx(scores, abs=1e-4)
        assert len(set(np.round(scores, 3))) > 3, "a judge that says the same to all would prove nothing"


def test_a_bare_symbol_is_not_judged_and_no_model_is_loaded(
    shop: Path, models: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use(models / "likes-gamma", monkeypatch)
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    for symbol in ("pay_alpha", "pay_alpha()", "alpha.pay_alpha"):
        plain, judged = ask(shop, symbol), ask(shop, symbol, "--rerank")
        assert plain.json["hits"] == judged.json["hits"]
        assert judged.paths[0] == "alpha.py"


def test_rrf_is_judged_too(shop: Path, models: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    give_the_judge(0.9, monkeypatch)
    use(models / "likes-beta-onnx", monkeypatch)
    assert ask(shop, QUESTION, "--fusion", "rrf", "--rerank").paths[0] == "beta.py"


def test_memories_are_judged_too(shop: Path, models: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    use(models / "likes-gamma-onnx", monkeypatch)
    for text in ("alpha pays the bill on Monday", "gamma pays a bill of the shop", "beta pays no bill at all"):
        assert codemem("memory", "add", text, "--force", folder=shop).code == 0
    give_the_judge(0.9, monkeypatch)
    found = codemem("memory", "search", "who pays the bill", "--rerank", "--json", folder=shop).json
    assert found["hits"][0]["content"].startswith("gamma")


# M44: odd scores.


def judge_with_bias(value: float) -> Any:
    """Return a judge that gives every pair this score."""
    model = tiny_models.random_judge()
    with torch.no_grad():
        model.classifier.weight.zero_()
        model.classifier.bias.fill_(value)
    return model


@pytest.mark.parametrize("with_graph", [False, True], ids=["torch", "onnx"])
@pytest.mark.parametrize(
    ("model", "reason"),
    [
        (lambda: judge_with_bias(float("nan")), "no numbers"),
        (lambda: judge_with_bias(float("inf")), "no numbers"),
        (lambda: judge_with_bias(0.5), "same score"),
        (lambda: tiny_models.random_judge(labels=3), "no scores"),
    ],
    ids=["not a number", "infinite", "all equal", "three classes"],
)
def test_m44_odd_scores_leave_the_order_and_say_so(
    shop: Path, tmp_path: Path, model: Any, reason: str, with_graph: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = model()
    folder = tiny_models.write_cross_encoder(tmp_path / "odd", made)
    if with_graph:
        tiny_models.add_onnx(folder, made)
    left_alone(shop, folder, reason, monkeypatch)


def test_m44_a_graph_that_returns_one_number_for_all(
    shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tiny_models.write_cross_encoder(tmp_path / "odd", tiny_models.random_judge())
    tiny_models.save_graph(folder, tiny_models.constant_graph(0.7))
    left_alone(shop, folder, "no scores", monkeypatch)


def left_alone(root: Path, folder: Path, reason: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Check that a search with this judge is the plain one and a warning with the reason."""
    use(folder, monkeypatch)
    plain = ask(root, QUESTION)
    judged = ask(root, QUESTION, "--rerank")
    assert judged.json["hits"] == plain.json["hits"]
    assert reason in judged.err
    assert "reranker" not in plain.err


@pytest.mark.parametrize("count", [1, 2, 4])
def test_m44_the_wrong_number_of_scores_is_an_error(
    shop: Path, tmp_path: Path, count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tiny_models.write_cross_encoder(tmp_path / "odd", tiny_models.random_judge())
    tiny_models.save_graph(folder, tiny_models.constant_graph([[float(number)] for number in range(count)]))
    with pytest.raises(ProviderError, match=f"{count} scores for 3 texts"):
        load_reranker(f"sentence-transformers:{folder}").judge(QUESTION, NAMES)
    use(folder, monkeypatch)
    assert f"{count} scores for 3 texts" in refused(shop)


# What is missing.


def refused(root: Path) -> str:
    """Check that --rerank ended with one line of what and one of remedy; returns both."""
    run = codemem("search", QUESTION, "--rerank", folder=root)
    assert (run.code, run.out) == (2, "")
    lines = [line for line in run.err.strip().split("\n") if "building it" not in line]
    assert len(lines) <= 2 and "Traceback" not in run.err and "internal error" not in run.err
    return run.err


@pytest.mark.parametrize(
    ("library", "kind", "command"),
    [
        ("sentence_transformers", "judge", "pip install 'codemem-cli[rerank]'"),
        ("torch", "judge", "pip install 'codemem-cli[rerank]'"),
        ("onnxruntime", "judge-onnx", "pip install 'codemem-cli[onnx]'"),
    ],
)
def test_a_missing_library_is_told_with_the_command(
    shop: Path, models: Path, library: str, kind: str, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    use(models / kind, monkeypatch)
    for name in [name for name in sys.modules if name.partition(".")[0] in (library, "sentence_transformers")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, library, None)
    assert command in refused(shop)


@pytest.mark.parametrize("name", ["/nowhere/judge", "./nowhere", "no-such-judge-at-all", "somebody/no-such-judge"])
def test_a_missing_judge_is_told(shop: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    use(Path(name), monkeypatch)
    refused(shop)


def test_a_damaged_graph_is_told(shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tiny_models.write_cross_encoder(tmp_path / "odd", tiny_models.random_judge())
    (folder / "model.onnx").write_bytes(b"no graph")
    use(folder, monkeypatch)
    refused(shop)


def test_without_a_judge_in_the_settings_the_remedy_is_to_set_one(shop: Path) -> None:
    assert "codemem config set reranker" in refused(shop)
