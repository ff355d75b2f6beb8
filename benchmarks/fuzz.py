"""Feed hostile input: `python -m benchmarks.fuzz --minutes N --target parser|index|question|importer|walk|all --seed S`.

Each case is made from (seed, target, number) alone, so `--case NUMBER` runs one again. Cases run in a forked child that the
kernel ends when one takes too long, native code included; the parent notes it and goes on behind it. What must hold: no
exception but CodememError, bounded time and memory, no line of a file lost, output that can be decoded.
"""

from __future__ import annotations

import argparse
import mmap
import os
import random
import resource
import signal
import struct
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from itertools import count
from pathlib import Path

from benchmarks.fuzz_cases import Place, index_case, list_corpus, parse_case, question_case, small_store, walk_case
from benchmarks.fuzz_imports import import_case

CASE_SECONDS = 20.0
"""CPU seconds after which the kernel ends a case; no case is larger than a hundredth of what is indexed in that time."""
SLOW_SECONDS = 4.0
"""CPU seconds that are reported although the case ended."""
MEMORY_MEGABYTES = 1_500
"""Peak memory of the child that is reported: a run over a large repository takes half of it."""
STATE = struct.Struct("<qq")
"""Number of the case that runs, cases done."""


def main() -> None:
    """Share the time among the targets and print what was run and found; exit 1 when something was found."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--target", default="all", choices=[*TARGETS, "all"])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--case", type=int, default=-1, help="run this case alone, in this process, with its traceback")
    parser.add_argument("--corpus", type=Path, nargs="*", default=[], help="folders of real files to mutate")
    given = parser.parse_args()
    corpus = list_corpus(given.corpus)
    targets = list(TARGETS) if given.target == "all" else [given.target]
    if given.case >= 0:
        with tempfile.TemporaryDirectory(prefix="codemem-fuzz-") as folder:
            run_case(given.target, given.seed, given.case, prepare(given.target, Path(folder), corpus))
        return
    findings: list[str] = []
    for target in targets:
        seconds = given.minutes * 60 / len(targets)
        cases, found = supervise(target, given.seed, seconds, corpus)
        findings += found
        print(f"{target}: {cases:,} cases in {seconds / 60:.1f} minutes, {len(found)} findings", flush=True)
    sys.exit(1 if findings else 0)


def supervise(target: str, seed: int, seconds: float, corpus: list[Path]) -> tuple[int, list[str]]:
    """Run cases in forked children until the time is up; return how many, and what was found."""
    end = time.monotonic() + seconds
    state = mmap.mmap(-1, STATE.size)
    findings: list[str] = []
    first = total = 0
    while time.monotonic() < end:
        STATE.pack_into(state, 0, first, 0)
        child = os.fork()
        if child == 0:
            run_child(target, seed, first, end, corpus, state)
        _, status = os.waitpid(child, 0)
        number, done = STATE.unpack_from(state, 0)
        total += done
        code = os.waitstatus_to_exitcode(status)
        if code:
            told = "took too long" if code == -signal.SIGPROF else "" if code == 1 else f"ended with {code}"
            findings.append(f"{target} {seed} {number} {told}")
            print(f"FINDING --target {target} --seed {seed} --case {number} {told}", flush=True)
        first = number + 1
    return total, findings


def run_child(target: str, seed: int, first: int, end: float, corpus: list[Path], state: mmap.mmap) -> None:
    """Run cases one after the other; exit 1 at the first that breaks what must hold."""
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    code = 1
    try:
        with tempfile.TemporaryDirectory(prefix="codemem-fuzz-") as folder:
            place = prepare(target, Path(folder), corpus)
            for number in count(first):
                if time.monotonic() >= end:
                    break
                STATE.pack_into(state, 0, number, number - first)
                signal.setitimer(signal.ITIMER_PROF, CASE_SECONDS)
                run_case(target, seed, number, place)
                signal.setitimer(signal.ITIMER_PROF, 0)
        code = 0
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)  # the child must never go on as its parent


def run_case(target: str, seed: int, number: int, place: Place) -> None:
    """Run one case; raises what breaks."""
    before = time.process_time()
    TARGETS[target](random.Random(f"{seed} {target} {number}"), place)
    took = time.process_time() - before
    assert took < SLOW_SECONDS, f"slow: {took:.1f} s of CPU"
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    assert peak < MEMORY_MEGABYTES, f"peak memory {peak:.0f} MB"


def prepare(target: str, folder: Path, corpus: list[Path]) -> Place:
    """Give the child a home of its own, errors that are raised, and what its cases share."""
    os.environ.update(HOME=str(folder / "home"), CODEMEM_DEBUG="1", CODEMEM_EMBEDDER="fake", NO_COLOR="1")
    (folder / "home").mkdir()
    place = Place(folder, corpus)
    if target in ("question", "importer"):
        small_store(place)
    return place


TARGETS: dict[str, Callable[[random.Random, Place], None]] = {
    "parser": parse_case,
    "index": index_case,
    "question": question_case,
    "importer": import_case,
    "walk": walk_case,
}

if __name__ == "__main__":
    main()
