"""Train word vectors and word weights by contrast: a question must be nearer to its own answer than to its neighbours'.

    python -m training.train --work DIR [--steps N] [--threads N]

Every step draws what forms the documents: the card, the code, or the file's card, with or without path and names. Steps on
prose use word weights of their own, on the same vectors.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

DIMENSION = 256
GROUP = 512
GROUPS = 4
"""Pairs of one repository in a batch, and repositories: negatives of the same repository are the ones that teach."""
VECTOR_RATE = 2e-3
WEIGHT_RATE = 1e-2
WARM_UP = 100
NOISE = 0.5
FIRST_SCALE = 20.0
LARGEST_SCALE = 60.0
COUNT_POWER = 0.45
FIELD_LOGS = {"path": 1.0, "names": 0.7, "scope": 0.7}
"""Logarithms of the weights of a word in the path and in the names."""
BACK_SHARE = 0.3
"""Weight of answer -> question beside question -> answer."""
PROSE_EVERY = 3
"""One step in so many is on prose."""
CARD, FILE_CARD, MERGE = 0.45, 0.2, 0.3
PATH, NAMES, REST, ASK_NAME = 0.6, 0.5, 0.5, 0.3
"""Probabilities by which the documents of a batch are formed."""
DROP_SHARE, DROP_LONGER, DROPPED = 0.3, 6, 0.25
"""Of long questions a share loses a quarter of its words."""
PROSE_KINDS = ("heading", "passage", "translation", "meaning")
DEFINITION_KINDS = ("documentation", "name")
LEAST_SYMBOLS = 4
"""Different words in the names of a file's definitions; below it the file card says nothing."""


@dataclass(frozen=True, slots=True)
class Rows:
    """Compressed rows: the ids and counts of row r stand from ends[r] to ends[r + 1]."""

    ids: np.ndarray
    counts: np.ndarray
    ends: np.ndarray

    def take(self, rows: np.ndarray, chosen: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return ids, counts and the place in `rows` of each, of the rows that are `chosen`."""
        begin = self.ends[rows]
        length = self.ends[rows + 1] - begin
        if chosen is not None:
            length = np.where(chosen, length, 0)
        shift = np.repeat(begin - np.concatenate([[0], np.cumsum(length)[:-1]]), length)
        places = shift + np.arange(int(length.sum()))
        return (
            self.ids[places].astype(np.int64),
            self.counts[places].astype(np.float32),
            np.repeat(np.arange(len(rows)), length),
        )


Bag = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]
"""Ids, counts, row of the batch, logarithm of the field's weight; sorted by row."""
Part = tuple[np.ndarray, np.ndarray, np.ndarray, float]
"""Ids, counts, row of the batch, and one logarithm for all."""


class Corpus:
    """The pairs as arrays, and how they are drawn."""

    def __init__(self, path: Path, generator: np.random.Generator) -> None:
        data = np.load(path)
        names = [key[:-5] for key in data.files if key.endswith("_ends")]
        self.fields = {name: Rows(data[f"{name}_ids"], data[f"{name}_counts"], data[f"{name}_ends"]) for name in names}
        self.kinds = data["kinds"][data["kind"]]
        self.repository, self.file, self.question = data["repository"], data["origin"], data["question"]
        self.generator = generator
        self.prose = np.isin(self.kinds, PROSE_KINDS)
        self.definition = np.isin(self.kinds, DEFINITION_KINDS)
        self.neighbour = self._neighbours()
        self.fields["file_card"], self.file_row = self._file_cards()

    def batches(self, prose: bool) -> Iterator[np.ndarray]:
        """Yield rows for ever: groups of one repository, groups of a batch drawn together at random."""
        chosen = np.flatnonzero(self.prose == prose)
        by_repository = [chosen[self.repository[chosen] == number] for number in np.unique(self.repository[chosen])]
        while True:
            groups = []
            for rows in by_repository:
                drawn = self.generator.permutation(rows)
                groups += [drawn[i : i + GROUP] for i in range(0, len(drawn) - GROUP + 1, GROUP)]
            self.generator.shuffle(groups)
            for i in range(0, len(groups) - GROUPS + 1, GROUPS):
                yield np.concatenate(groups[i : i + GROUPS])

    def questions(self, rows: np.ndarray) -> Bag:
        """Form the questions: the text, the name where there is none or sometimes, some words dropped."""
        nameless = self.kinds[rows] != "name"
        named = ~nameless | ((self.kinds[rows] == "documentation") & self._chance(rows, ASK_NAME))
        scoped = named & self._chance(rows, 0.5)
        bag = _joined([self._part("query", rows), self._part("names", rows, named), self._part("scope", rows, scoped)])
        lengths = np.bincount(bag[2], minlength=len(rows))
        long = (lengths > DROP_LONGER) & self._chance(rows, DROP_SHARE)
        kept = ~(long[bag[2]] & (self.generator.random(len(bag[0])) < DROPPED))
        return tuple(part[kept] for part in bag)  # type: ignore[return-value]

    def documents(self, rows: np.ndarray) -> Bag:
        """Form the documents: card, code or file card, with fields at random."""
        definition = self.definition[rows]
        # What is said of a place in a file, a commit for one, also asks for the file.
        symbols = np.diff(self.fields["file_card"].ends)[self.file_row[rows]]
        file_card = (symbols >= LEAST_SYMBOLS) & self._chance(rows, FILE_CARD)
        card = definition & ~file_card & self._chance(rows, CARD / (1 - FILE_CARD))
        code = ~card & ~file_card
        merged = code & (self.neighbour[rows] >= 0) & self._chance(rows, MERGE) & ~self.prose[rows]
        path = file_card | self._chance(rows, PATH)
        named = (
            definition
            & (self.kinds[rows] != "name")
            & self._chance(rows, NAMES)
            & ~(file_card & self._chance(rows, 0.5))
        )
        scoped = definition & self._chance(rows, NAMES) & ~file_card
        return _joined(
            [
                self._part("code", rows, code),
                self._part("card", rows, card),
                self._part("rest", rows, (card | code) & self._chance(rows, REST)),
                self._part("code", np.where(merged, self.neighbour[rows], 0), merged),
                (*self.fields["file_card"].take(self.file_row[rows], file_card), 0.0),
                self._part("path", rows, path),
                self._part("names", rows, named),
                self._part("scope", rows, scoped),
            ]
        )

    def clashes(self, rows: np.ndarray) -> np.ndarray:
        """Return which pairs of a batch are no fair negatives: same file, or same question."""
        file, question = self.file[rows], self.question[rows]
        same = (file[:, None] == file[None, :]) & ~self.prose[rows][:, None] | (question[:, None] == question[None, :])
        np.fill_diagonal(same, False)
        return same

    def _chance(self, rows: np.ndarray, probability: float) -> np.ndarray:
        return self.generator.random(len(rows)) < probability

    def _part(self, name: str, rows: np.ndarray, chosen: np.ndarray | None = None) -> Part:
        return (*self.fields[name].take(rows, chosen), FIELD_LOGS.get(name, 0.0))

    def _neighbours(self) -> np.ndarray:
        """Return another pair of the same file for each, or -1."""
        order = np.argsort(self.file, kind="stable")
        neighbour = np.full(len(order), -1, np.int64)
        same = self.file[order][1:] == self.file[order][:-1]
        neighbour[order[:-1][same]] = order[1:][same]
        return neighbour

    def _file_cards(self) -> tuple[Rows, np.ndarray]:
        """Return one row a file, the names of its definitions, and the file's row of every pair; none for prose."""
        files, file_row = np.unique(self.file, return_inverse=True)
        rows = np.flatnonzero(self.definition)
        ids, _, places = self.fields["names"].take(rows)
        keys = file_row[rows][places] * (1 << 16) + ids
        unique, counts = np.unique(keys, return_counts=True)
        ends = np.searchsorted(unique >> 16, np.arange(len(files) + 1))
        return Rows((unique & 0xFFFF).astype(np.uint16), np.minimum(counts, 255).astype(np.uint8), ends), file_row


class Model(torch.nn.Module):
    """Word vectors, logarithms of the word weights by use, and the scale of the similarities."""

    def __init__(self, initial: np.ndarray, rarity: np.ndarray, generator: np.random.Generator) -> None:
        super().__init__()
        noise = generator.standard_normal(initial.shape).astype(np.float32) / math.sqrt(DIMENSION)
        started = np.where(np.abs(initial).sum(axis=1, keepdims=True) > 0, initial + NOISE * noise, noise)
        self.vectors = torch.nn.Parameter(torch.from_numpy(started.astype(np.float32)))
        first = np.log(np.clip(rarity, 0.3, 8) / 4).astype(np.float32)
        self.weights = torch.nn.Parameter(torch.from_numpy(np.tile(first[:, None], (1, 4))))
        self.scale = torch.nn.Parameter(torch.tensor(math.log(FIRST_SCALE)))

    def embed(self, bag: Bag, use: int, count: int) -> torch.Tensor:
        """Return unit vectors of a batch of bags by the word weights of `use`."""
        ids, counts, rows, fields = bag
        numbers = torch.from_numpy(ids)
        logs = torch.nn.functional.embedding(numbers, self.weights[:, use : use + 1]).squeeze(1)
        logs = logs + torch.from_numpy((COUNT_POWER * np.log(counts) + fields).astype(np.float32))
        begins = torch.from_numpy(np.searchsorted(rows, np.arange(count)))
        summed = torch.nn.functional.embedding_bag(
            numbers, self.vectors, begins, mode="sum", per_sample_weights=torch.exp(logs)
        )
        return torch.nn.functional.normalize(summed)

    def loss(self, questions: torch.Tensor, documents: torch.Tensor, clashes: np.ndarray) -> torch.Tensor:
        """Cross-entropy of finding each other among the batch, unfair negatives left out."""
        similarities = questions @ documents.T * torch.exp(self.scale).clamp(max=LARGEST_SCALE)
        similarities = similarities.masked_fill(torch.from_numpy(clashes), -1e4)
        own = similarities.diagonal()
        there = (torch.logsumexp(similarities, 1) - own).mean()
        back = (torch.logsumexp(similarities, 0) - own).mean()
        return (1 - BACK_SHARE) * there + BACK_SHARE * back


def train(corpus: Corpus, model: Model, steps: int, prose_every: int, target: Path) -> None:
    """Run `steps` steps, one in `prose_every` on prose (0: none), and write the parameters."""
    optimizer = torch.optim.Adam(
        [
            {"params": [model.vectors], "lr": VECTOR_RATE},
            {"params": [model.weights], "lr": WEIGHT_RATE},
            {"params": [model.scale], "lr": 2 * VECTOR_RATE},
        ],
        betas=(0.9, 0.98),
        eps=1e-9,
    )
    rates = [group["lr"] for group in optimizer.param_groups]
    sources = {False: corpus.batches(prose=False), True: corpus.batches(prose=True)}
    losses: dict[bool, list[float]] = {False: [], True: []}
    begun = time.time()
    for step in range(1, steps + 1):
        share = min(1, step / WARM_UP) * max(0.02, 0.5 * (1 + math.cos(math.pi * step / steps)))
        for group, rate in zip(optimizer.param_groups, rates, strict=True):
            group["lr"] = rate * share
        prose = bool(prose_every) and step % prose_every == 0
        rows = next(sources[prose])
        questions = model.embed(corpus.questions(rows), 3 if prose else 1, len(rows))
        documents = model.embed(corpus.documents(rows), 2 if prose else 0, len(rows))
        loss = model.loss(questions, documents, corpus.clashes(rows))
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        losses[prose].append(loss.item())
        if step % 50 == 0:
            code, text = (float(np.mean(values[-50:])) if values else 0.0 for values in losses.values())
            taken = time.time() - begun
            print(
                f"{step} code {code:.3f} prose {text:.3f} scale {model.scale.exp().item():.1f} {taken:.0f}s", flush=True
            )
    np.savez(target, vectors=model.vectors.detach().numpy(), weights=model.weights.detach().numpy().T)


def _joined(parts: list[Part]) -> Bag:
    ids, counts, rows = (np.concatenate([part[i] for part in parts]) for i in range(3))
    fields = np.concatenate([np.full(len(part[0]), part[3], np.float32) for part in parts])
    order = np.argsort(rows, kind="stable")
    return ids[order], counts[order], rows[order], fields[order]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--steps", type=int, default=520)
    parser.add_argument("--prose-every", type=int, default=PROSE_EVERY, help="0 trains on code alone")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--name", default="trained")
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    torch.manual_seed(arguments.seed)
    generator = np.random.default_rng(arguments.seed)
    corpus = Corpus(arguments.work / "arrays.npz", generator)
    rarity = np.array(json.loads((arguments.work / "vocabulary.json").read_text())["rarity"], np.float32)
    model = Model(np.load(arguments.work / "initial.npy"), rarity, generator)
    print(f"{len(corpus.kinds)} pairs, {int(corpus.prose.sum())} of them prose, {len(rarity)} words", flush=True)
    train(corpus, model, arguments.steps, arguments.prose_every, arguments.work / f"{arguments.name}.npz")


if __name__ == "__main__":
    main()
