"""Cross-encoders run on this machine: ONNX where the model's folder has it, else the sentence-transformers library."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from codemem.errors import BadInput, ModelMissing, WrongCount
from codemem.onnx_folder import find_graph, open_graph
from codemem.rerank.blend import read_scores

BATCH_TEXTS = 8
"""Pairs run at once, of like length: measured, 8 take half the processor time of 32 (a 3-layer int8 model), which pad more
and fall out of the cache."""
MOST_TOKENS = 384
"""Tokens of question and card together; cards are shorter."""
INSTALL = "pip install 'codemem-cli[rerank]', or search without --rerank"

Judge = Callable[[list[tuple[str, str]]], Any]


@dataclass(frozen=True, slots=True)
class CrossEncoderJudge:
    """A cross-encoder behind one function from pairs to scores."""

    name: str
    run: Judge
    remote: bool = False

    def judge(self, question: str, texts: Sequence[str]) -> list[float] | None:
        """Score the pairs in batches of like length, in the order of the texts; None when the answer is no scores.

        Raises WrongCount when a batch gets another number of scores.
        """
        order = sorted(range(len(texts)), key=lambda at: len(texts[at]))
        scores = [0.0] * len(texts)
        for begin in range(0, len(order), BATCH_TEXTS):
            places = order[begin : begin + BATCH_TEXTS]
            found = read_scores(_relevance(self.run([(question, texts[at]) for at in places])))
            if found is None:
                return None
            if len(found) != len(places):
                message = f"{self.name} returned {len(found)} scores for {len(places)} texts"
                raise WrongCount(message, "choose another model: `codemem config set reranker …`")
            for at, score in zip(places, found, strict=True):
                scores[at] = score
        return scores


def load_cross_encoder(argument: str) -> CrossEncoderJudge:
    """Load a cross-encoder by folder or by name."""
    if not argument:
        raise BadInput("sentence-transformers needs a model", "write sentence-transformers:NAME or :FOLDER")
    folder = Path(argument).expanduser()
    if folder.is_dir():
        graph = find_graph(folder)
        run = _onnx_judge(folder, graph) if graph else _library_judge(str(folder))
        return CrossEncoderJudge(folder.name, run)
    if folder.is_absolute() or argument.startswith((".", "~")):
        raise ModelMissing(f"no model folder at {argument}", "check the path")
    return CrossEncoderJudge(argument, _library_judge(argument))


def _library_judge(name: str) -> Judge:
    """Return the judge of the sentence-transformers library; only models that are here already are used."""
    try:
        from sentence_transformers import CrossEncoder
        from torch.nn import Identity
        from transformers.utils import logging
    except ImportError as error:
        raise ModelMissing("sentence-transformers is not installed", INSTALL) from error
    logging.disable_progress_bar()
    try:
        library = CrossEncoder(name, max_length=MOST_TOKENS, device="cpu", local_files_only=True)
    except (OSError, ValueError) as error:
        fetch = f"python -c \"from sentence_transformers import CrossEncoder as C; C('{name}')\""
        raise ModelMissing(f"the cross-encoder {name} is not on this machine", f"fetch it once with {fetch}") from error
    # Logits, as the ONNX graph has them: a sigmoid would press the best candidates together.
    return lambda pairs: library.predict(pairs, activation_fn=Identity(), show_progress_bar=False)


def _relevance(answer: Any) -> Any:
    """Bring logits to one score a pair: of two classes the second says "relevant"; what fits neither stays as it is."""
    shape: tuple[int, ...] = getattr(answer, "shape", ())
    return answer[:, 1] - answer[:, 0] if len(shape) == 2 and shape[1] == 2 else answer


def _onnx_judge(folder: Path, graph: Path) -> Judge:
    """Return a judge that runs the folder's ONNX graph on what its tokenizer.json makes of the pairs."""
    import numpy as np

    model = open_graph(folder, graph, MOST_TOKENS, "search without --rerank")
    return lambda pairs: np.asarray(model.run(pairs)[0], dtype=np.float64)
