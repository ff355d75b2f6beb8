"""Filter the pairs, choose the vocabulary, and write everything as arrays of ids.

    python -m training.prepare --work DIR [--benchmark DIR] [--wordnet DIR] [--wordpieces vocab.txt]

Filtering drops repeated and contaminated pairs (text that also stands in the benchmark's repositories) and caps each kind, so
that no repository and no kind outweighs the others.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import re
from array import array
from collections import Counter
from collections.abc import Iterator
from functools import cache
from hashlib import blake2b
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer, models, pre_tokenizers, trainers

from codemem.embed.words import SPACELESS_RUN, WORD, Vocabulary, word_parts
from training.lexicon import lexicon_pairs
from training.records import PROSE_KINDS, Pair, read_pairs, write_pairs
from training.sentences import says_something

MOST_A_KIND = {
    "documentation": 6_000, "name": 2_500, "test": 1_500, "comment": 2_000, "commit": 4_000, "file": 1_500, "example": 600,
    "heading": 3_000, "passage": 4_000, "translation": 12_000, "meaning": 1_000_000,
}  # fmt: skip
FOREIGN_KINDS = frozenset({"meaning", "translation"})
"""Kinds that cannot come from a repository of the benchmark."""
MOST_EQUAL_QUERIES = 4
WINDOW = 40
"""Letters and digits compared with the benchmark from the start of each word."""
COMPARED_CHARACTERS = 600
CONTAMINATED_SHARE = 0.3
SIZES = {"code": 22_000, "general": 9_000, "character": 3_000, "pair": 4_000, "foreign": 1_500}
"""Words of the vocabulary by kind; at 256 bytes each the table stays near ten megabytes."""
PIECES = {"ascii": 600, "foreign": 500}
LETTERS = (
    "abcdefghijklmnopqrstuvwxyz0123456789абвгдеёжзийклмнопрстуфхцчшщъыьэюяіїєґ"
    "àáâãäåæçèéêëìíîïñòóôõöøùúûüýßąćęłńśźżčďěňřšťž"
)
LARGEST_FILE = 2_000_000
LEAST_REPOSITORIES = 4
LEAST_COUNT = 8
LEAST_FOREIGN = 6
LONGEST_WORD = 18
FIELDS = ("query", "names", "scope", "card", "code", "path", "rest")
PATH_PARTS = 3
REST_IDS = 80


class Contamination:
    """The windows of text that stand in the benchmark's repositories."""

    def __init__(self, folder: Path | None) -> None:
        found = [_windows(path.read_text("utf-8", "replace")) for path in _text_files(folder)] if folder else []
        self.windows = np.unique(np.concatenate(found)) if found else np.zeros(0, np.int64)

    def touches(self, pair: Pair) -> bool:
        if not len(self.windows):
            return False
        question, answer = _windows(pair.query), _windows(pair.code[:COMPARED_CHARACTERS])
        return self._share(question) > CONTAMINATED_SHARE or self._share(answer) > CONTAMINATED_SHARE

    def _share(self, windows: np.ndarray) -> float:
        if not len(windows):
            return 0.0
        places = np.minimum(np.searchsorted(self.windows, windows), len(self.windows) - 1)
        return float((self.windows[places] == windows).mean())


def filtered(name: str, pairs: Iterator[Pair], contamination: Contamination) -> Iterator[Pair]:
    """Yield the pairs of one repository that are worth learning from, in random order."""
    chosen = list(pairs)
    random.Random(name).shuffle(chosen)
    seen: set[bytes] = set()
    counts: Counter[str] = Counter()
    queries: Counter[str] = Counter()
    for pair in chosen:
        key = _digest("".join(pair.code.split())[:300] + pair.query)
        query = pair.query.lower()
        if (
            counts[pair.kind] >= MOST_A_KIND[pair.kind]
            or key in seen
            or (query and queries[query] >= MOST_EQUAL_QUERIES)
        ):
            continue
        if pair.kind not in PROSE_KINDS and query and not says_something(query):
            continue
        if pair.kind not in FOREIGN_KINDS and contamination.touches(pair):
            continue
        seen.add(key)
        counts[pair.kind] += 1
        queries[query] += 1
        yield pair


def choose_vocabulary(files: list[Path], wordpieces: Path | None) -> tuple[list[str], list[float], list[float]]:
    """Return words, log probabilities and inverse document frequencies."""
    total, repositories, documents = Counter[str](), Counter[str](), 0
    parts_of = cache(word_parts)
    for path in files:
        own: Counter[str] = Counter()
        for pair in read_pairs(path):
            documents += 1
            text = " ".join((pair.query, pair.names, pair.card, pair.code, pair.rest))
            own.update({part for word in set(WORD.findall(text)) for part in parts_of(word)})
        total.update(own)
        repositories.update(own.keys())
    weight = {word: math.sqrt(count * repositories[word]) for word, count in total.items()}
    words: dict[str, None] = {}

    def take(most: int, candidates: Iterator[str]) -> None:
        for word in candidates:
            if most and word not in words:
                words[word] = None
                most -= 1

    ranked = sorted(
        (w for w in weight if 1 < len(w) <= LONGEST_WORD or SPACELESS_RUN.match(w)), key=lambda w: (-weight[w], w)
    )
    known = [
        w
        for w in ranked
        if repositories[w] >= LEAST_REPOSITORIES and total[w] >= LEAST_COUNT and not re.match(r"\d{5}", w)
    ]
    take(SIZES["code"], (w for w in known if w.isascii()))
    take(SIZES["general"], _general_words(wordpieces, ranked))
    take(
        SIZES["character"], (w for w in ranked if SPACELESS_RUN.match(w) and len(w) == 1 and total[w] >= LEAST_FOREIGN)
    )
    take(SIZES["pair"], (w for w in ranked if SPACELESS_RUN.match(w) and len(w) == 2 and total[w] >= LEAST_FOREIGN))
    foreign = [w for w in ranked if not w.isascii() and not SPACELESS_RUN.match(w)]
    take(SIZES["foreign"], (w for w in foreign if total[w] >= LEAST_FOREIGN))
    take(
        PIECES["ascii"], _pieces([w for w in ranked if w.isascii() and w.isalpha() and w not in words], PIECES["ascii"])
    )
    take(PIECES["foreign"], _pieces([w for w in foreign if w not in words], PIECES["foreign"]))
    take(len(LETTERS), iter(LETTERS))
    everything = sum(total.values())
    chosen = list(words)
    logs = [math.log((total[w] * math.sqrt(max(1, repositories[w])) + 1) / everything) for w in chosen]
    rarity = [math.log((documents + 1) / (total[w] + 1)) for w in chosen]
    return chosen, logs, rarity


def _general_words(wordpieces: Path | None, ranked: list[str]) -> Iterator[str]:
    """Yield whole words of a general English vocabulary in its order (by frequency), then those of the pairs."""
    if wordpieces:
        for word in wordpieces.read_text("utf-8").split("\n"):
            if len(word) > 2 and word.isascii() and word.isalpha():
                yield word
    yield from (word for word in ranked if word.isascii() and word.isalpha())


def _pieces(words: list[str], most: int) -> Iterator[str]:
    """Yield byte-pair pieces of the words that get no vector of their own."""
    if not words:
        return
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    trainer = trainers.BpeTrainer(vocab_size=most * 2, show_progress=False, min_frequency=5)
    tokenizer.train_from_iterator((" ".join(words[i : i + 100]) for i in range(0, len(words), 100)), trainer)
    ranked = sorted(tokenizer.get_vocab().items(), key=lambda item: item[1])
    yield from (piece for piece, _ in ranked if len(piece) > 1)


def write_arrays(files: list[Path], vocabulary: Vocabulary, target: Path) -> int:
    """Write all pairs as compressed rows of word ids and counts, one set a field; return how many."""
    ids = {field: array("H") for field in FIELDS}
    counts = {field: array("B") for field in FIELDS}
    ends = {field: array("q", [0]) for field in FIELDS}
    facts: dict[str, list[int]] = {"kind": [], "repository": [], "origin": [], "question": []}
    kinds = sorted(MOST_A_KIND)
    for number, path in enumerate(files):
        for pair in read_pairs(path):
            texts = _field_texts(pair)
            rows = {field: Counter(vocabulary.text_ids(text)) for field, text in texts.items()}
            if not rows["code"] or not (rows["query"] or rows["names"]):
                continue
            for field, row in rows.items():
                ids[field].extend(row)
                counts[field].extend(min(count, 255) for count in row.values())
                ends[field].append(len(ids[field]))
            facts["kind"].append(kinds.index(pair.kind))
            facts["repository"].append(number)
            facts["origin"].append(_number(f"{number}:{pair.path}"))
            facts["question"].append(_number((pair.query or pair.names + pair.scope).lower()))
    arrays = {f"{field}_ids": np.array(ids[field], np.uint16) for field in FIELDS}
    arrays |= {f"{field}_counts": np.array(counts[field], np.uint8) for field in FIELDS}
    arrays |= {f"{field}_ends": np.array(ends[field], np.int64) for field in FIELDS}
    np.savez(
        target, kinds=np.array(kinds), **arrays, **{name: np.array(values, np.int64) for name, values in facts.items()}
    )
    return len(facts["kind"])


def _field_texts(pair: Pair) -> dict[str, str]:
    """Return the text of each field; a name that asks is taken out of the answer."""
    card, code = pair.card, pair.code
    if pair.kind == "name":
        card, code = (re.sub(rf"\b{re.escape(pair.names)}\b", " ", text) for text in (card, code))
    path = "" if pair.kind in PROSE_KINDS or pair.kind == "meaning" else pair.path
    stem = " ".join(path.rpartition(".")[0].split("/")[-PATH_PARTS:])
    rest = " ".join(pair.rest.split()[:REST_IDS])
    return dict(zip(FIELDS, (pair.query, pair.names, pair.scope, card, code, stem, rest), strict=True))


def _text_files(folder: Path) -> list[Path]:
    files = (path for path in sorted(folder.rglob("*")) if path.is_file() and ".codemem" not in path.parts)
    return [path for path in files if path.stat().st_size < LARGEST_FILE]


def _windows(text: str) -> np.ndarray:
    """Return the hashes of the letters that follow the start of each word."""
    words = re.findall(r"[^\W_]+", text.lower())
    letters = "".join(words)
    starts = np.cumsum([0, *map(len, words)])[:-1]
    return np.array([hash(letters[i : i + WINDOW]) for i in starts if i + WINDOW <= len(letters)], np.int64)


def _number(text: str) -> int:
    return int.from_bytes(_digest(text)[:6], "little")


def _digest(text: str) -> bytes:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--benchmark", type=Path)
    parser.add_argument("--wordnet", type=Path)
    parser.add_argument("--wordpieces", type=Path)
    arguments = parser.parse_args()
    contamination = Contamination(arguments.benchmark)
    clean = arguments.work / "clean"
    clean.mkdir(parents=True, exist_ok=True)
    kinds: Counter[str] = Counter()
    files = []
    for path in sorted((arguments.work / "pairs").glob("*.jsonl")):
        kept = list(filtered(path.stem, read_pairs(path), contamination))
        kinds.update(pair.kind for pair in kept)
        write_pairs(clean / path.name, kept)
        files.append(clean / path.name)
    if arguments.wordnet:
        target = clean / "wordnet.jsonl"
        kinds["meaning"] = write_pairs(target, filtered("wordnet", lexicon_pairs(arguments.wordnet), contamination))
        files.append(target)
    print("pairs", sum(kinds.values()), dict(kinds), flush=True)
    words, logs, rarity = choose_vocabulary(files, arguments.wordpieces)
    (arguments.work / "vocabulary.json").write_text(json.dumps({"words": words, "logs": logs, "rarity": rarity}))
    print("vocabulary", len(words), flush=True)
    print("arrays", write_arrays(files, Vocabulary(words, logs), arguments.work / "arrays.npz"), flush=True)


if __name__ == "__main__":
    main()
