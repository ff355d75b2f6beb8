"""`--embedder sentence-transformers:FOLDER` through the command line, with torch and with ONNX."""

from __future__ import annotations

import shutil
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
import tiny_models
import transformers
from command_line import Run, codemem
from tiny_models import WIDTH, write_json

from codemem.embed import load_embedder
from codemem.errors import ModelMissing
from codemem.store import store_path

KINDS = ("encoder", "encoder-onnx")
TEXTS = (
    "pay the bill",
    "",
    "订单 créé",
    "def pay_alpha(): return bill",
    *(f"order {number} of the stock " * number for number in range(80)),
)
"""More than two batches; the longest are beyond what the model reads."""


def use(folder: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Choose the model of this folder as a person does who has one; returns its name."""
    name = f"sentence-transformers:{folder}"
    monkeypatch.setenv("CODEMEM_EMBEDDER", name)
    return name


def vectors(root: Path) -> dict[str, np.ndarray]:
    """Return the stored vectors by model."""
    with closing(sqlite3.connect(store_path(root))) as connection, connection:
        rows = connection.execute("SELECT model, dimension, data FROM vector ORDER BY hash").fetchall()
    connection.close()
    found: dict[str, list[np.ndarray]] = {}
    for model, dimension, data in rows:
        row = np.frombuffer(data, dtype="<f2").astype(np.float32)
        assert len(row) == dimension
        found.setdefault(model, []).append(row)
    return {model: np.stack(rows) for model, rows in found.items()}


def done(run: Run) -> Run:
    assert run.code == 0, run.err
    return run


@pytest.mark.parametrize("kind", KINDS)
def test_a_folder_indexes_and_answers(shop: Path, models: Path, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    name = use(models / kind, monkeypatch)
    monkeypatch.delenv("CODEMEM_EMBEDDER")
    done(codemem("index", "--embedder", name, folder=shop))
    monkeypatch.setenv("CODEMEM_EMBEDDER", name)
    status = done(codemem("status", "--json", folder=shop)).json
    assert (status["embedder"], status["dimension"], status["fresh"]) == (name, WIDTH, True)
    assert f"{name}, {WIDTH} dimensions" in " ".join(codemem("status", folder=shop).out.split())
    ((model, rows),) = vectors(shop).items()
    assert model.startswith(f"sentence-transformers:{kind}-")
    assert rows.shape == (6, WIDTH), "three units, three files"
    assert np.linalg.norm(rows, axis=1) == pytest.approx(np.ones(6), abs=2e-3), "16-bit floats of unit vectors"
    for mode in ("hybrid", "vector"):
        found = done(codemem("search", "pay the bill", "--mode", mode, "--json", folder=shop))
        assert set(found.paths) == {"alpha.py", "beta.py", "gamma.py"}
        assert (found.json["index"]["fresh"], found.json.get("degraded", [])) == (True, [])
    assert "note" not in codemem("search", "pay the bill", folder=shop).err


def test_meaning_alone_is_the_cosine_of_cards_and_question(
    shop: Path, models: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use(models / "encoder", monkeypatch)
    done(codemem("index", folder=shop))
    question = "the alpha beta gamma"
    asked = load_embedder(f"sentence-transformers:{models / 'encoder'}").embed_queries([question])[0]
    with closing(sqlite3.connect(store_path(shop))) as connection, connection:
        sql = (
            "SELECT file.path, unit.data, whole.data FROM file JOIN chunk ON chunk.file_id = file.id "
            "JOIN vector unit ON unit.hash = chunk.card_hash JOIN vector whole ON whole.hash = file.card_hash"
        )
        cosines = {
            path: [float(np.frombuffer(data, "<f2").astype(np.float32) @ asked) for data in pair]
            for path, *pair in connection.execute(sql)
        }
    connection.close()
    assert len(cosines) == 3
    hits = done(codemem("search", question, "--mode", "vector", "--json", folder=shop)).json["hits"]
    for hit in hits:
        # Vectors in memory have 8 bits a number: two digits are exact.
        assert [hit["why"]["meaning"], hit["why"]["file_meaning"]] == pytest.approx(cosines[hit["path"]], abs=0.01)
    assert [hit["score"] for hit in hits] == sorted((hit["score"] for hit in hits), reverse=True)


def test_onnx_gives_the_vectors_of_torch(models: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = load_embedder(f"sentence-transformers:{models / 'encoder'}").embed_texts(TEXTS)
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    monkeypatch.setitem(sys.modules, "torch", None)
    embedder = load_embedder(f"sentence-transformers:{models / 'encoder-onnx'}")
    assert np.abs(embedder.embed_texts(TEXTS) - expected).max() < 1e-5
    # The tiny model tells texts apart: equality says something.
    assert (expected[:4] @ expected[:4].T)[~np.eye(4, dtype=bool)].max() < 0.95


@pytest.mark.parametrize("layout", ["old", "new"])
@pytest.mark.parametrize("pooling", ["mean", "cls", "max"])
def test_onnx_pools_as_the_library_does(
    tmp_path: Path, pooling: str, layout: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tiny_models.write_bi_encoder(tmp_path / "model", seed=5, layers=1, pooling=pooling)
    if layout == "new":  # as sentence-transformers 6 saves it
        write_json(folder / "1_Pooling" / "config.json", {"embedding_dimension": WIDTH, "pooling_mode": pooling})
        write_json(folder / "sentence_bert_config.json", {"transformer_task": "feature-extraction"})
        monkeypatch.setattr("codemem.embed.transformer.MOST_TOKENS", 100)
    expected = load_embedder(f"sentence-transformers:{folder}").embed_texts(TEXTS)
    tiny_models.add_onnx(folder, tiny_models.random_model(transformers.BertModel, seed=5, layers=1))
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    assert np.abs(load_embedder(f"sentence-transformers:{folder}").embed_texts(TEXTS) - expected).max() < 1e-5


@pytest.mark.parametrize("extra", ["a dense layer", "two ways of pooling"])
def test_a_graph_that_is_not_the_whole_model_is_left_to_the_library(tmp_path: Path, extra: str) -> None:
    from sentence_transformers import SentenceTransformer
    from sentence_transformers import models as parts

    plain = tiny_models.write_bi_encoder(tmp_path / "plain", layers=1)
    transformer = parts.Transformer(str(plain))
    if extra == "a dense layer":
        modules = [transformer, parts.Pooling(WIDTH), parts.Dense(WIDTH, 8)]
    else:
        modules = [transformer, parts.Pooling(WIDTH, pooling_mode=("cls", "max"))]
    folder = tmp_path / "model"
    SentenceTransformer(modules=modules, device="cpu").save(str(folder), create_model_card=False)
    tiny_models.add_onnx(folder, tiny_models.random_model(transformers.BertModel, layers=1))
    embedder = load_embedder(f"sentence-transformers:{folder}")
    assert embedder.dimension == (8 if extra == "a dense layer" else 2 * WIDTH)


def test_switching_models_renews_every_vector_and_mixes_none(
    shop: Path, models: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    torch_model, onnx_model = (f"sentence-transformers:{models / kind}" for kind in KINDS)
    before: set[str] = set()
    rounds = [("static", 0), (torch_model, WIDTH), ("fake:96", 96), (onnx_model, WIDTH), (torch_model, WIDTH)]
    for name, dimension in rounds:
        monkeypatch.setenv("CODEMEM_EMBEDDER", name)
        if before:
            assert any("embedder" in reason for reason in codemem("status", "--json", folder=shop).json["reasons"])
        done(codemem("index", folder=shop))
        ((model, rows),) = vectors(shop).items()
        assert {model} != before
        before = {model}
        assert dimension in (0, rows.shape[1])
        status = done(codemem("status", "--json", folder=shop)).json
        assert (status["embedder"], status["dimension"]) == (name, rows.shape[1])
        found = done(codemem("search", "pay the bill", "--mode", "vector", "--json", folder=shop))
        assert len(found.paths) == 3


def test_a_model_trained_further_in_its_folder_is_another_model(
    shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tiny_models.write_bi_encoder(tmp_path / "model", seed=1, layers=1)
    use(folder, monkeypatch)
    done(codemem("index", folder=shop))
    ((old, rows),) = vectors(shop).items()
    shutil.rmtree(folder)
    tiny_models.write_bi_encoder(folder, seed=2, layers=1)
    done(codemem("index", folder=shop))
    ((new, others),) = vectors(shop).items()
    assert old != new
    assert np.abs(rows - others).max() > 0.1


def test_a_model_that_moved_is_the_same_model(shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tiny_models.write_bi_encoder(tmp_path / "here" / "model", layers=1)
    use(folder, monkeypatch)
    done(codemem("index", folder=shop))
    (tmp_path / "there").mkdir()
    moved = folder.rename(tmp_path / "there" / "model")
    name = use(moved, monkeypatch)
    report = done(codemem("index", "--json", folder=shop)).json
    assert report["embedded"] == 0
    status = done(codemem("status", "--json", folder=shop)).json
    assert (status["embedder"], status["fresh"]) == (name, True)


def test_memories_use_the_model_too(shop: Path, models: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    use(models / "encoder-onnx", monkeypatch)
    done(codemem("memory", "add", "The bill is due in the first week", folder=shop))
    found = done(codemem("memory", "search", "when must one pay", "--mode", "vector", "--json", folder=shop)).json
    assert [hit["content"] for hit in found["hits"]] == ["The bill is due in the first week"]


# What is missing.


def refused(run: Run) -> str:
    """Check that a command ended with one line of what and one of remedy; returns both."""
    assert run.code == 2
    assert len(run.err.strip().split("\n")) <= 2
    assert "Traceback" not in run.err and "internal error" not in run.err
    return run.err


@pytest.mark.parametrize(
    ("library", "kind", "command"),
    [
        ("sentence_transformers", "encoder", "pip install 'codemem-cli[rerank]'"),
        ("torch", "encoder", "pip install 'codemem-cli[rerank]'"),
        ("onnxruntime", "encoder-onnx", "pip install 'codemem-cli[onnx]'"),
    ],
)
def test_a_missing_library_is_told_with_the_command(
    shop: Path, models: Path, library: str, kind: str, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] in (library, "sentence_transformers")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, library, None)
    said = refused(codemem("index", "--embedder", f"sentence-transformers:{models / kind}", folder=shop))
    assert command in said


@pytest.mark.parametrize("name", ["/nowhere/model", "./nowhere", "no-such-model-at-all", "somebody/no-such-model"])
def test_a_missing_model_is_told_and_nothing_is_made(shop: Path, name: str) -> None:
    refused(codemem("index", "--embedder", f"sentence-transformers:{name}", folder=shop))
    assert not store_path(shop).exists()


def test_a_folder_that_holds_no_model_is_told(shop: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    refused(codemem("index", "--embedder", f"sentence-transformers:{tmp_path / 'empty'}", folder=shop))


def test_a_damaged_graph_is_told(shop: Path, tmp_path: Path) -> None:
    folder = tiny_models.write_bi_encoder(tmp_path / "model", layers=1)
    (folder / "model.onnx").write_bytes(b"no graph")
    refused(codemem("index", "--embedder", f"sentence-transformers:{folder}", folder=shop))


def test_a_model_that_went_away_costs_its_arm_not_the_answer(
    shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tiny_models.write_bi_encoder(tmp_path / "model", layers=1)
    use(folder, monkeypatch)
    done(codemem("index", folder=shop))
    shutil.rmtree(folder)
    with pytest.raises(ModelMissing):
        load_embedder(f"sentence-transformers:{folder}")
    found = codemem("search", "pay the bill", "--no-refresh", folder=shop)
    assert found.code == 0
    assert "keyword ranking only" in found.err
