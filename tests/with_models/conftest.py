"""A small repository and tiny models, written once; nothing here is skipped: without the libraries collection fails."""

from __future__ import annotations

from pathlib import Path

import pytest
import tiny_models
import transformers
from command_line import write_files

NAMES = ("alpha", "beta", "gamma")


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no library ask a server, and keep parsing in this process."""
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setenv("CODEMEM_JOBS", "1")


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """Return a repository of three files that differ in one word."""
    files = {f"{name}.py": f'def pay_{name}():\n    """Pay the bill."""\n    return bill\n' for name in NAMES}
    root = tmp_path / "shop"
    root.mkdir()
    (root / ".git").mkdir()
    return write_files(root, files)


@pytest.fixture(scope="session")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder of models: name, and name-onnx with a graph beside the weights."""
    folder = tmp_path_factory.mktemp("models")
    for name in ("encoder", "encoder-onnx"):
        tiny_models.write_bi_encoder(folder / name)
    tiny_models.add_onnx(folder / "encoder-onnx", tiny_models.random_model(transformers.BertModel))
    judges = {
        "judge": tiny_models.random_judge(seed=3),
        "two-classes": tiny_models.random_judge(seed=4, labels=2),
        **{f"likes-{name}": tiny_models.judge_of(name) for name in NAMES},
    }
    for name, model in judges.items():
        tiny_models.write_cross_encoder(folder / name, model)
        tiny_models.add_onnx(tiny_models.write_cross_encoder(folder / f"{name}-onnx", model), model)
    return folder
