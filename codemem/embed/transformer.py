"""Transformers run on this machine: ONNX where the model's folder has it, else sentence-transformers; both optional."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any

from codemem.embed.cards import FileCard, document_text
from codemem.embed.protocol import check_vectors
from codemem.errors import BadInput, ModelMissing
from codemem.onnx_folder import ENCODER_LIMITS, TOKENIZER, TOKENIZER_LIMITS, find_graph, open_graph, read_json

if TYPE_CHECKING:
    from codemem.card import Card
    from codemem.embed.protocol import Matrix

BATCH_TEXTS = 32
"""Texts run at once, of like length: larger batches gain nothing on a processor."""
MOST_TOKENS = 256
"""Cards are shorter; without a limit one long text would fill the memory."""
POOLING = "1_Pooling/config.json"
"""Says how token vectors become one."""
OLD_POOLING = {"cls": "pooling_mode_cls_token", "max": "pooling_mode_max_tokens", "mean": "pooling_mode_mean_tokens"}
"""Way of pooling -> its switch in the folders of sentence-transformers before 6."""
GRAPH_MODULES = ("Transformer", "Pooling", "Normalize")
"""Parts of a model that an ONNX graph and pooling stand for; with any other the library has to run it."""
SAMPLED_BLOCKS = 256
BLOCK_BYTES = 4_096
"""Parts of a weights file that tell it from another: 1 MB, a few milliseconds however large the model is."""
INSTALL = "pip install 'codemem-cli[rerank]', or use --embedder static"

Encode = Callable[[list[str]], Any]


@dataclass(frozen=True, slots=True)
class TransformerEmbedder:
    """A sentence encoder behind one function from texts to vectors, with the prefixes its model card asks for."""

    model: str
    dimension: int
    encode: Encode
    query_prefix: str = ""
    document_prefix: str = ""
    semantic: bool = True
    remote: bool = False

    def embed_cards(self, cards: Sequence[Card | FileCard]) -> Matrix:
        return self.embed_texts([document_text(card) for card in cards])

    def embed_queries(self, texts: Sequence[str]) -> Matrix:
        return self._embed([self.query_prefix + text for text in texts])

    def embed_texts(self, texts: Sequence[str]) -> Matrix:
        return self._embed([self.document_prefix + text for text in texts])

    def embed_prose_queries(self, texts: Sequence[str]) -> Matrix:
        return self.embed_queries(texts)

    def _embed(self, texts: list[str]) -> Matrix:
        """Run the texts in batches of like length and return them in their own order."""
        import numpy as np

        if not texts:
            return np.zeros((0, self.dimension), dtype=np.float32)
        matrix = np.zeros((len(texts), self.dimension), dtype=np.float32)
        order = sorted(range(len(texts)), key=lambda place: len(texts[place]))
        for begin in range(0, len(order), BATCH_TEXTS):
            places = order[begin : begin + BATCH_TEXTS]
            vectors = self.encode([texts[place] for place in places])
            matrix[places] = check_vectors(vectors, len(places), self.dimension, self.model)
        return matrix


def load_transformer(argument: str) -> TransformerEmbedder:
    """Load a model by folder or by name."""
    if not argument:
        raise BadInput("sentence-transformers needs a model", "write sentence-transformers:NAME or :FOLDER")
    folder = Path(argument).expanduser()
    if folder.is_dir():
        graph = _usable_graph(folder)
        prefixes = _prompts(folder)
        encode = _onnx_encoder(folder, graph) if graph else _library_encoder(str(folder))
        return _wrap(f"{folder.name}-{_fingerprint(folder, graph)}", encode, *prefixes)
    if "/" in argument and (folder.is_absolute() or argument.startswith((".", "~"))):
        raise ModelMissing(f"no model folder at {argument}", "check the path")
    return _wrap(argument, _library_encoder(argument), "", "")


def _wrap(name: str, encode: Encode, query_prefix: str, document_prefix: str) -> TransformerEmbedder:
    """Try the model once, for its dimension; prefixes become part of the key of its vectors."""
    prefixes = blake2b(f"{query_prefix}\0{document_prefix}".encode(), digest_size=4).hexdigest()
    key = f"sentence-transformers:{name}" + (f"+{prefixes}" if query_prefix or document_prefix else "")
    dimension = check_vectors(encode(["dimension"]), 1, 0, key).shape[1]
    return TransformerEmbedder(key, dimension, encode, query_prefix, document_prefix)


def _library_encoder(name: str) -> Encode:
    """Return the encoder of the sentence-transformers library; only models that are here already are used."""
    try:
        from sentence_transformers import SentenceTransformer
        from transformers.utils import logging
    except ImportError as error:
        raise ModelMissing("sentence-transformers is not installed", INSTALL) from error
    logging.disable_progress_bar()
    try:
        library = SentenceTransformer(name, device="cpu", local_files_only=True)
    except (OSError, ValueError) as error:
        fetch = f"python -c \"from sentence_transformers import SentenceTransformer as S; S('{name}')\""
        raise ModelMissing(f"the model {name} is not on this machine", f"fetch it once with {fetch}") from error
    library.max_seq_length = min(library.max_seq_length or MOST_TOKENS, MOST_TOKENS)
    return lambda texts: library.encode(texts, show_progress_bar=False, convert_to_numpy=True)


def _onnx_encoder(folder: Path, graph: Path) -> Encode:
    """Return an encoder that runs the folder's ONNX graph, then the pooling that the folder names."""
    model = open_graph(folder, graph, MOST_TOKENS, "use --embedder static")
    pooling = _pooling(folder)

    def encode(texts: list[str]) -> Any:
        import numpy as np

        output, mask = model.run(texts)
        if output.ndim == 2:  # already pooled
            return output
        if pooling == "cls":
            return output[:, 0]
        weights = mask[:, :, None].astype(np.float32)
        if pooling == "max":
            return np.where(weights > 0, output, -np.inf).max(axis=1)
        return (output * weights).sum(axis=1) / np.maximum(weights.sum(axis=1), 1)

    return encode


def _usable_graph(folder: Path) -> Path | None:
    """Return the folder's ONNX graph, if graph and pooling are the whole model."""
    file = folder / "modules.json"
    modules = json.loads(file.read_text("utf-8")) if file.is_file() else []
    whole = all(str(module.get("type", "")).rpartition(".")[2] in GRAPH_MODULES for module in modules)
    if not whole or _pooling(folder) not in OLD_POOLING:
        return None
    return find_graph(folder)


def _pooling(folder: Path) -> str:
    """Say how the folder makes one vector of those of the tokens; several ways at once are joined by `+`."""
    found = read_json(folder / POOLING)
    if "pooling_mode" in found:
        mode = found["pooling_mode"]
        return mode if isinstance(mode, str) else "+".join(mode)
    ways = [name for name in found if name.startswith("pooling_mode_") and found[name]]
    names = {switch: way for way, switch in OLD_POOLING.items()}
    return "+".join(names.get(name, name) for name in ways) or "mean"


def _prompts(folder: Path) -> tuple[str, str]:
    """Return the prefixes of questions and documents that the model's folder declares."""
    prompts = read_json(folder / "config_sentence_transformers.json").get("prompts") or {}
    document = prompts.get("document") or prompts.get("passage") or ""
    return prompts.get("query") or "", document


def _fingerprint(folder: Path, graph: Path | None) -> str:
    """Tell versions of a local model apart: a model trained further has files of the same names and sizes."""
    weights = [graph] if graph else sorted(folder.glob("*.safetensors")) + sorted(folder.glob("*.bin"))
    beside = sorted(graph.parent.glob(f"{graph.name}?*")) if graph else []
    settings = (TOKENIZER, TOKENIZER_LIMITS, ENCODER_LIMITS, POOLING)
    digest = blake2b(digest_size=4)
    for path in (*weights, *beside, *(folder / name for name in settings)):
        if path.is_file():
            _add_sample(digest, path)
    return digest.hexdigest()


def _add_sample(digest: blake2b, path: Path) -> None:
    """Add a file's name, size and evenly spread parts of it."""
    size = path.stat().st_size
    digest.update(f"{path.name}:{size};".encode())
    with path.open("rb") as file:
        for start in range(0, size, max(BLOCK_BYTES, size // SAMPLED_BLOCKS)):
            file.seek(start)
            digest.update(file.read(BLOCK_BYTES))
