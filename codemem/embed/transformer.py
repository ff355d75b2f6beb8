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

if TYPE_CHECKING:
    from codemem.card import Card
    from codemem.embed.protocol import Matrix

ONNX_FILES = ("onnx/model.onnx", "model.onnx", "onnx/model_quantized.onnx", "model_quantized.onnx")
"""Where exported models keep their graph, best first."""
BATCH_TEXTS = 32
"""Texts run at once, of like length: larger batches gain nothing on a processor."""
MOST_TOKENS = 256
"""Cards are shorter; without a limit one long text would fill the memory."""
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
        graph = next((folder / name for name in ONNX_FILES if (folder / name).is_file()), None)
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
    except ImportError as error:
        raise ModelMissing("sentence-transformers is not installed", INSTALL) from error
    try:
        library = SentenceTransformer(name, device="cpu", local_files_only=True)
    except (OSError, ValueError) as error:
        fetch = f"python -c \"from sentence_transformers import SentenceTransformer as S; S('{name}')\""
        raise ModelMissing(f"the model {name} is not on this machine", f"fetch it once with {fetch}") from error
    return lambda texts: library.encode(texts, show_progress_bar=False, convert_to_numpy=True)


def _onnx_encoder(folder: Path, graph: Path) -> Encode:
    """Return an encoder that runs the folder's ONNX graph: tokenizer.json, then the pooling its folder names."""
    try:
        import onnxruntime
    except ImportError as error:
        raise ModelMissing(
            "onnxruntime is not installed", "pip install onnxruntime, or use --embedder static"
        ) from error
    from tokenizers import Tokenizer

    if not (folder / "tokenizer.json").is_file():
        raise ModelMissing(f"no tokenizer.json in {folder}", "export the model with its tokenizer")
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.enable_truncation(MOST_TOKENS)
    tokenizer.enable_padding()
    session = onnxruntime.InferenceSession(str(graph), providers=["CPUExecutionProvider"])
    inputs = {item.name for item in session.get_inputs()}
    first_token = _read_json(folder / "1_Pooling" / "config.json").get("pooling_mode_cls_token", False)

    def encode(texts: list[str]) -> Any:
        import numpy as np

        encodings = tokenizer.encode_batch(texts)
        ids = np.array([encoding.ids for encoding in encodings], dtype=np.int64)
        mask = np.array([encoding.attention_mask for encoding in encodings], dtype=np.int64)
        given = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        output = session.run(None, {name: given[name] for name in inputs})[0]
        if output.ndim == 2:  # already pooled
            return output
        if first_token:
            return output[:, 0]
        weights = mask[:, :, None].astype(np.float32)
        return (output * weights).sum(axis=1) / np.maximum(weights.sum(axis=1), 1)

    return encode


def _prompts(folder: Path) -> tuple[str, str]:
    """Return the prefixes of questions and documents that the model's folder declares."""
    prompts = _read_json(folder / "config_sentence_transformers.json").get("prompts") or {}
    document = prompts.get("document") or prompts.get("passage") or ""
    return prompts.get("query") or "", document


def _fingerprint(folder: Path, graph: Path | None) -> str:
    """Tell versions of a local model apart by names and sizes of its files, which costs nothing to read."""
    files = [graph] if graph else sorted(folder.glob("*.safetensors")) + sorted(folder.glob("*.bin"))
    facts = ";".join(f"{path.name}:{path.stat().st_size}" for path in files)
    return blake2b(facts.encode(), digest_size=4).hexdigest()


def _read_json(path: Path) -> dict[str, Any]:
    if not path.is_file():
        return {}
    found = json.loads(path.read_text("utf-8"))
    return found if isinstance(found, dict) else {}
