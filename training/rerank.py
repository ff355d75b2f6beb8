"""Train the cross-encoder: in each list the right card must score above those that our own search puts beside it.

python -m training.rerank --work WORK --encoder DIR --out DIR [--layers 3] [--minutes 30] [--threads 1]

Reads WORK/lists (rerank_lists.py learned); watches WORK/judged, from which nothing is learned, and keeps the best weights seen.
"""

from __future__ import annotations

import argparse
import random
import time
from pathlib import Path
from typing import Any

import torch

from training.rerank_blend import Lists, Scores, mixed, order_quality
from training.rerank_groups import Group, draw_group
from training.rerank_lists import read_lists, text_of
from training.rerank_model import Judge, encode, load_judge, make_tokenizer, new_judge, save_judge

LISTS_A_STEP = 8
PART = 16
"""Pairs that run through the model together."""
ENCODER_RATE, HEAD_RATE = 2e-4, 1e-3
WARM_SHARE = 0.06
DECAY = 0.01
CLIP = 1.0
WATCHED_LISTS, WATCHED_DEPTH = 150, 10
"""Judged questions looked at between checkpoints, and candidates of each: 20 s."""
WATCH_SECONDS = 420


def train(model: Judge, given: argparse.Namespace, lists: list[dict[str, Any]], watched: list[dict[str, Any]]) -> None:
    """Run until the time is over; the rate follows the clock, so the last steps are always the small ones."""
    chooser = random.Random(0)
    tokenizer = make_tokenizer(given.encoder)
    encoder = [one for one in model.encoder.parameters() if one.requires_grad]
    head = [one for name, one in model.named_parameters() if not name.startswith("encoder.")]
    optimizer = torch.optim.AdamW(
        [{"params": encoder, "lr": ENCODER_RATE * given.pace}, {"params": head, "lr": HEAD_RATE * given.pace}],
        weight_decay=DECAY,
    )
    rates = [group["lr"] for group in optimizer.param_groups]
    losses: list[float] = []
    budget, step = given.minutes * 60, 0
    watching = 0.0
    start = looked = time.monotonic()
    best = watch(model, tokenizer, watched, "start")
    start = looked = time.monotonic()
    queue: list[dict[str, Any]] = []
    while (spent := time.monotonic() - start - watching) < budget:
        groups: list[Group] = []
        while len(groups) < LISTS_A_STEP:
            queue = queue or chooser.sample(lists, len(lists))
            group = draw_group(queue.pop(), chooser)
            groups += [group] if group else []
        share = min(spent / budget, 1.0)
        for parameters, rate in zip(optimizer.param_groups, rates, strict=True):
            parameters["lr"] = rate * min(share / WARM_SHARE, (1 - share) / (1 - WARM_SHARE), 1.0) + rate * 0.01
        losses.append(_step(model, tokenizer, groups, optimizer))
        step += 1
        if time.monotonic() - looked > WATCH_SECONDS:
            before = time.monotonic()
            recent = sum(losses[-50:]) / len(losses[-50:])
            found = watch(model, tokenizer, watched, f"step {step}, {spent / 60:.1f} min, loss {recent:.3f}")
            if found >= best:
                best = found
                save_judge(model, given.out / "best", {"layers": given.layers, "step": step})
            looked = time.monotonic()
            watching += looked - before
    watch(model, tokenizer, watched, f"end, step {step}, loss {sum(losses[-100:]) / len(losses[-100:]):.3f}")
    save_judge(model, given.out, {"layers": given.layers, "step": step, "lists": len(lists), "minutes": given.minutes})


def _step(model: Judge, tokenizer: Any, groups: list[Group], optimizer: torch.optim.Optimizer) -> float:
    model.train()
    pairs = [(group.query, text) for group in groups for text in group.texts]
    order = sorted(range(len(pairs)), key=lambda at: len(pairs[at][0]) + len(pairs[at][1]))
    parts = []
    with torch.autocast("cpu", dtype=torch.bfloat16):
        for begin in range(0, len(order), PART):  # pairs of like length together: no time goes into padding
            parts.append(model(**encode(tokenizer, [pairs[at] for at in order[begin : begin + PART]]))[:, 0].float())
    scores = torch.cat(parts)[torch.argsort(torch.tensor(order))].view(len(groups), -1)
    loss = -torch.log_softmax(scores, dim=1)[:, 0].mean()
    optimizer.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), CLIP)
    optimizer.step()
    return float(loss.detach())


def watch(model: Judge, tokenizer: Any, watched: list[dict[str, Any]], label: str) -> float:
    """Print how well the judge orders the judged lists, alone and beside the ranker; return the latter."""
    if not watched:
        print(label, flush=True)
        return 0.0
    scores = score_lists(model, tokenizer, watched, WATCHED_DEPTH)
    alone = order_quality(watched, scores)
    shares = {share: order_quality(watched, mixed(watched, scores, share)) for share in (0.0, 0.1, 0.2, 0.3, 0.5)}
    print(label, f"alone {alone:.4f}", {share: round(value, 4) for share, value in shares.items()}, flush=True)
    return max(value for share, value in shares.items() if share)


def score_lists(model: Judge, tokenizer: Any, rows: Lists, depth: int) -> Scores:
    """Judge the first candidates of every list, pairs of like length together."""
    pairs = [
        (at, number, row["query"], text_of(one))
        for at, row in enumerate(rows)
        for number, one in enumerate(row["candidates"][:depth])
    ]
    pairs.sort(key=lambda pair: len(pair[3]))
    scores = [[0.0] * len(row["candidates"][:depth]) for row in rows]
    model.eval()
    with torch.inference_mode(), torch.autocast("cpu", dtype=torch.bfloat16):
        for begin in range(0, len(pairs), PART):
            part = pairs[begin : begin + PART]
            found = model(**encode(tokenizer, [(query, text) for _, _, query, text in part]))[:, 0].tolist()
            for (at, number, _, _), score in zip(part, found, strict=True):
                scores[at][number] = score
    return scores


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--encoder", type=Path, required=True, help="the folder of all-MiniLM-L6-v2")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--layers", type=int, default=3)
    parser.add_argument("--start", type=Path, help="weights to begin with instead of the encoder's")
    parser.add_argument(
        "--pace", type=float, default=1.0, help="times the rates: less for weights that are trained already"
    )
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--threads", type=int, default=1)
    given = parser.parse_args()
    torch.set_num_threads(given.threads)
    torch.manual_seed(0)
    lists = list(read_lists(given.work / "lists"))
    watched = [row for row in read_lists(given.work / "judged") if not row["symbol"]]
    watched = random.Random(1).sample(watched, min(WATCHED_LISTS, len(watched)))
    print(f"{len(lists)} lists, {len(watched)} watched", flush=True)
    model = load_judge(given.encoder, given.start) if given.start else new_judge(given.encoder, given.layers)
    train(model, given, lists, watched)


if __name__ == "__main__":
    main()
