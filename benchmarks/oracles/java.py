"""A second opinion on Java: what `javap` reads in compiled classes, beside the calls and errors codemem finds in the source.

Run by hand: `python -m benchmarks.oracles.java SOURCES CLASSES [--show N]`, where SOURCES is the folder of the packages and
CLASSES what `javac -g -proc:none -d CLASSES` made of it. Own calls are compared as edges (caller, callee with its number of
parameters) per definition. Calls that the source does not spell (implicit constructors, for-each, try-with-resources) are left
out on the bytecode's side by asking whether the definition's lines contain the name.
"""

from __future__ import annotations

import argparse
import re
import subprocess
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path

from codemem.languages import detect_language
from codemem.parse import parse_file
from codemem.resolve import FileFacts, Session, facts_of, node_of_chunk, resolve_file, universe_of
from codemem.resolve.signatures import parameter_types
from codemem.types import Call, Chunk, ChunkKey, ErrorFact, SourceFile

CLASS_BATCH = 200
HEADER = re.compile(r"^(?:[a-z-]+ )*(?:class|interface|enum|@interface) ([\w.$]+)")
METHOD = re.compile(r"^  (?:[\w.$<>\[\], ?&@-]+ )?([\w.$<>]+)\((.*)\)(?: throws (.*))?;$")
INVOKE = re.compile(
    r"^ +(\d+): invoke(\w+) .*// (?:Interface)?Method (?:([\w/$\[;]+)\.)?\"?([\w$<>]+)\"?:\((.*)\)(.*)$"
)
INSTRUCTION = re.compile(r"^ +(\d+): (\w+)(?:.*// class ([\w/$]+))?")
TABLE_LINE = re.compile(r"^ +line (\d+): (\d+)$")
EXCEPTION = re.compile(r"^ +\d+ +\d+ +\d+ +Class ([\w/$]+)$")
PARAMETER = re.compile(r"\[*(?:L[^;]+;|[BCDFIJSZ])")
GENERICS = re.compile(r"<[^<>]*>")
LOCAL = re.compile(r"\$\d+[A-Za-z]|\$\d+\$[A-Za-z]")
"""A class inside a method, or inside an anonymous class."""
PRIMITIVES = dict(zip("BCDFIJSZ", "byte char double float int long short boolean".split(), strict=True))


@dataclass(slots=True)
class Method:
    owner: str
    name: str
    descriptor: str = ""
    throws: tuple[str, ...] = ()
    invokes: list[tuple[int, str, str, str, str]] = field(default_factory=list)
    """pc, kind, owner, name, parameters"""
    made: list[tuple[int, str]] = field(default_factory=list)
    throwing: list[int] = field(default_factory=list)
    caught: set[str] = field(default_factory=set)
    results: set[str] = field(default_factory=set)
    lines: list[tuple[int, int]] = field(default_factory=list)
    """pc, line"""

    def line(self, pc: int) -> int:
        best = 0
        for start, line in self.lines:
            if start <= pc:
                best = line
        return best


@dataclass(slots=True)
class Class:
    name: str
    source: str = ""
    supers: tuple[str, ...] = ()
    methods: list[Method] = field(default_factory=list)


def read_classes(folder: Path) -> dict[str, Class]:
    """Run javap over all classes of a folder."""
    paths = sorted(str(path) for path in folder.rglob("*.class"))
    found: dict[str, Class] = {}
    for start in range(0, len(paths), CLASS_BATCH):
        command = ["javap", "-c", "-p", "-l", "-s", *paths[start : start + CLASS_BATCH]]
        text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        for kind in _read(text):
            found[kind.name] = kind
    return found


def _read(text: str) -> list[Class]:
    classes: list[Class] = []
    source = ""
    current: Class | None = None
    method: Method | None = None
    for line in text.splitlines():
        if line.startswith("Compiled from"):
            source = line.split('"')[1]
        elif line and not line.startswith(" ") and line.endswith("{"):
            current = _class(line, source)
            classes.append(current)
            method = None
        elif current and line.startswith("  ") and not line.startswith("   ") and line.endswith(";"):
            method = _method(line, current)
            if method:
                current.methods.append(method)
        elif method and line.startswith("    descriptor: "):
            method.descriptor = line.split(": ", 1)[1]
        elif method:
            _instruction(line, method, current.name if current else "")
    return classes


def _class(line: str, source: str) -> Class:
    line = line.replace(">.", ">$")  # an inner class of a generic one
    while GENERICS.search(line):
        line = GENERICS.sub("", line)
    match = HEADER.match(line)
    name = match.group(1) if match else ""
    package = name.rpartition(".")[0].replace(".", "/")
    supers: list[str] = []
    for word in ("extends", "implements"):
        found = re.search(rf" {word} ([\w.$, ]+?)(?: implements | \{{|$)", line)
        if found:
            supers.extend(part.strip().replace(".", "/") for part in found.group(1).split(","))
    return Class(name.replace(".", "/"), f"{package}/{source}".lstrip("/"), tuple(supers))


def _method(line: str, owner: Class) -> Method | None:
    while GENERICS.search(line):
        line = GENERICS.sub("", line)
    if line.strip() == "static {};":
        return Method(owner.name, "<clinit>")
    match = METHOD.match(line)
    if not match:
        return None
    name = match.group(1)
    throws = tuple(
        part.strip().rpartition(".")[2].rpartition("$")[2] for part in (match.group(3) or "").split(",") if part
    )
    simple = "<init>" if name.replace(".", "/") == owner.name else name
    return Method(owner.name, simple, throws=throws)


def _instruction(line: str, method: Method, owner: str) -> None:
    if found := INVOKE.match(line):
        pc, kind, target, name, parameters, result = found.groups()
        method.invokes.append((int(pc), kind, target or owner, name, parameters))
        method.results.add(_simple(result.removeprefix("L").removesuffix(";")))
        return
    if found := TABLE_LINE.match(line):
        method.lines.append((int(found.group(2)), int(found.group(1))))
    elif found := EXCEPTION.match(line):
        method.caught.add(_simple(found.group(1)))
    elif found := INSTRUCTION.match(line):
        if found.group(2) in ("new", "checkcast") and found.group(3):
            method.made.append((int(found.group(1)), _simple(found.group(3))))
        elif found.group(2) == "athrow":
            method.throwing.append(int(found.group(1)))


def _simple(name: str) -> str:
    return name.rpartition("/")[2].rpartition("$")[2]


UNKNOWN = -2
Key = tuple[str, str, int]
"""Declaring class (`a/b/C$D`), method name, number of parameters (-1 for constructors)."""


class Oracle:
    """Compiled classes, asked for the declaring class of a call."""

    def __init__(self, classes: dict[str, Class]) -> None:
        self.classes = classes
        self.declared = {
            (kind.name, m.name, m.descriptor.split(")")[0][1:])
            for kind in classes.values()
            for m in kind.methods
            if not _is_opening(m, kind)
        }
        self.accessors = {
            (kind.name, m.name): m.invokes
            for kind in classes.values()
            for m in kind.methods
            if m.name.startswith("access$")
        }

    def behind(self, owner: str, name: str, parameters: str) -> tuple[str, str, str]:
        """Look through the accessor that the compiler makes for a protected member of another package."""
        found = self.accessors.get((owner, name), ())
        return found[0][2:5] if len(found) == 1 else (owner, name, parameters)

    def declaring(self, owner: str, name: str, parameters: str) -> Key | None:
        """Find the own class that declares what an invoke instruction names."""
        if name == "<init>":
            while owner in self.classes and owner.rpartition("$")[2].isdigit():
                # The source of an anonymous class spells its supertype.
                owner = next((above for above in self.classes[owner].supers if above in self.classes), "")
            return (owner, name, -1) if owner in self.classes else None
        waiting = [owner]
        seen: set[str] = set()
        while waiting:
            kind = waiting.pop(0)
            if kind in seen or kind not in self.classes:
                continue
            seen.add(kind)
            if (kind, name, parameters) in self.declared:
                return kind, name, len(PARAMETER.findall(parameters))
            waiting.extend(self.classes[kind].supers)
        return None


def parse_sources(folder: Path) -> list[FileFacts]:
    files = []
    for path in sorted(folder.rglob("*.java")):
        content = path.read_text("utf-8", "replace").replace("\r\n", "\n")
        name = path.relative_to(folder).as_posix()
        files.append(facts_of(parse_file(SourceFile(name, detect_language(name, content), content, ""))))
    return files


@dataclass(slots=True)
class Seen:
    """Both opinions on one definition."""

    chunk: Chunk
    calls: tuple[Call, ...]
    found: list[Key] = field(default_factory=list)
    compiled: list[Key] = field(default_factory=list)
    throws: list[int] = field(default_factory=list)
    evidence: set[str] = field(default_factory=set)
    methods: int = 0
    unordered: set[Key] = field(default_factory=set)
    """Calls in lambdas, which stand in methods of their own in the bytecode."""
    raised: tuple[ErrorFact, ...] = ()
    invoked: set[tuple[str, tuple[str, ...]]] = field(default_factory=set)
    """Name and erased parameter types of every invoke instruction of it."""


def compare(sources: Path, classes: Path, show: int) -> dict[str, object]:
    files = parse_sources(sources)
    oracle = Oracle(read_classes(classes))
    session = Session(universe_of(files))
    by_path: dict[str, list[Seen]] = {}
    for facts in files:
        resolved = resolve_file(facts, session)
        by_path[facts.head.path] = [
            Seen(chunk, result.calls, raised=node_of_chunk(chunk, result, session).facts)
            for chunk, result in zip(facts.chunks, resolved.chunks, strict=True)
            if not chunk.part
        ]
    chunks = {seen.chunk.key: seen.chunk for rows in by_path.values() for seen in rows}
    for rows in by_path.values():
        for seen in rows:
            for call in seen.calls:
                key = _found_key(call, chunks)
                if key:
                    seen.found.append(key)
    _attribute(oracle, by_path)
    return {**_measure(by_path, sources, oracle, show), **_overloads(by_path, chunks, show)}


def _overloads(by_path: dict[str, list[Seen]], chunks: dict[ChunkKey, Chunk], show: int) -> dict[str, object]:
    """Judge calls of methods that only types tell apart: the chosen one must be invoked with its very types."""
    alike = Counter((key.path, key.qualified_name, chunk.parameters) for key, chunk in chunks.items())
    counts: Counter[str] = Counter()
    for path, rows in by_path.items():
        for seen in rows:
            for call in seen.calls:
                first = call.target or (call.candidates[0] if call.candidates else None)
                if first is None or alike[first.path, first.qualified_name, chunks[first].parameters] < 2:
                    continue
                if call.target is None:
                    counts["ambiguous"] += 1
                    continue
                name = "<init>" if _is_constructor(chunks[first]) else chunks[first].name
                types = [
                    text.partition(":")[2] for text in parameter_types(chunks[first].signature, chunks[first].name)
                ]
                right = any(
                    name == other and len(types) == len(known) and all(map(_same_type, types, known))
                    for other, known in seen.invoked
                )
                counts["right" if right else "wrong"] += 1
                if not right and counts["wrong"] <= show:
                    print("OVERLOAD", path, call.line, call.receiver, call.callee, types, chunks[first].qualified_name)
    return {f"overloads {kind}": counts[kind] for kind in ("right", "wrong", "ambiguous")}


def _is_constructor(chunk: Chunk) -> bool:
    return chunk.name == chunk.parent.replace("#", ".").rpartition(".")[2]


def _erased(descriptor: str) -> str:
    """Write a descriptor as the source does: `[Ljava/lang/String;` is `String[]`."""
    base = descriptor.lstrip("[")
    plain = PRIMITIVES.get(base) or _simple(base[1:-1])
    return plain + "[]" * (len(descriptor) - len(base))


def _same_type(written: str, erased: str) -> bool:
    """Compare a type as written with an erased one; a type parameter can be anything."""
    plain = GENERICS.sub("", GENERICS.sub("", written)).replace("...", "[]").replace(" ", "")
    base = plain.rstrip("[]").rpartition(".")[2]
    if re.fullmatch(r"[A-Z][A-Z0-9]?", base):
        return plain.count("[") <= erased.count("[")
    return base + "[]" * plain.count("[") == erased


def _found_key(call: Call, chunks: dict[ChunkKey, Chunk]) -> Key | None:
    target = call.target
    if target is None and call.candidates and len({key[:2] for key in call.candidates}) == 1:
        target = call.candidates[0]
    if target is None:
        return None
    chunk = chunks[target]
    package = target.path.rpartition("/")[0]
    local = _local_class(chunk, target.path, chunks)
    if local and chunk.kind in ("class", "enum", "interface", "type"):
        return local, "<init>", -1
    if local:
        constructor = chunk.name == local.rpartition(" ")[2]
        return local, *(
            ("<init>", -1) if constructor else (chunk.name, UNKNOWN if chunk.parameters is None else chunk.parameters)
        )
    if chunk.kind in ("class", "enum", "interface", "type"):
        return f"{package}/{target.qualified_name.replace('.', '$').replace('#', '$')}", "<init>", -1
    owner = chunk.parent.replace(".", "$").replace("#", "$")
    parent = next((other for key, other in chunks.items() if key[:2] == (target.path, chunk.parent)), None)
    unnamed = parent is None and chunk.parent.rpartition(".")[2].rpartition("#")[2] in chunk.extends
    if unnamed or (parent is not None and _is_anonymous(parent)):
        return f"{target.path} anonymous", chunk.name, UNKNOWN if chunk.parameters is None else chunk.parameters
    if chunk.name == chunk.parent.replace("#", ".").rpartition(".")[2]:
        return f"{package}/{owner}", "<init>", -1
    return f"{package}/{owner}", chunk.name, UNKNOWN if chunk.parameters is None else chunk.parameters


def _is_anonymous(chunk: Chunk) -> bool:
    return chunk.kind in ("constant", "field") or chunk.name in {text.partition("<")[0] for text in chunk.extends}


def _local_class(chunk: Chunk, path: str, chunks: dict[ChunkKey, Chunk]) -> str:
    """Name the class inside a method or an anonymous class that a definition is or belongs to; empty without one."""
    around = {key[1]: other for key, other in chunks.items() if key[0] == path} if "." in chunk.qualified_name else {}
    kind = chunk if chunk.kind in ("class", "enum", "interface", "type") else around.get(chunk.parent)
    outer = around.get(kind.parent) if kind is not None else None
    if kind is None or outer is None or _is_anonymous(kind):
        return ""
    return f"{path} local {kind.name}" if outer.kind in ("method", "function") or _is_anonymous(outer) else ""


def _attribute(oracle: Oracle, by_path: dict[str, list[Seen]]) -> None:
    for kind in oracle.classes.values():
        rows = by_path.get(kind.source, ())
        for method in kind.methods:
            touched = set()
            for pc, _, owner, name, parameters in method.invokes:
                seen = _innermost(rows, method.line(pc))
                if name == method.name and owner == method.owner and _is_bridge(method, kind, parameters):
                    continue
                owner, name, parameters = oracle.behind(owner, name, parameters)
                if seen is None or name.startswith(("access$", "lambda$")):
                    continue
                touched.add(id(seen))
                seen.invoked.add((name, tuple(map(_erased, PARAMETER.findall(parameters)))))
                key = oracle.declaring(owner, name, parameters)
                if key:
                    if key[0].rpartition("$")[2].isdigit():
                        key = (f"{kind.source} anonymous", *key[1:])
                    elif LOCAL.search(key[0]):
                        key = (f"{kind.source} local {_simple(key[0]).lstrip('0123456789')}", *key[1:])
                    seen.compiled.append(key)
                    if method.name.startswith("lambda$"):
                        seen.unordered.add(key)
            for seen in rows:
                if id(seen) in touched and not method.name.startswith("lambda$"):
                    seen.methods += 1
            for pc in method.throwing:
                seen = _innermost(rows, method.line(pc))
                if seen:
                    seen.throws.append(method.line(pc))
            for pc, made in method.made:
                seen = _innermost(rows, method.line(pc))
                if seen:
                    seen.evidence.add(made)
            for seen in {id(s): s for s in (_innermost(rows, line) for _, line in method.lines) if s}.values():
                seen.evidence |= method.caught | method.results
                seen.evidence.update(
                    _simple(p.lstrip("[").removeprefix("L").removesuffix(";"))
                    for p in PARAMETER.findall(method.descriptor)
                )


def _is_bridge(method: Method, kind: Class, parameters: str) -> bool:
    """Tell whether the compiler made the method to call the one with the same name and narrower types."""
    own = method.descriptor.split(")")[0][1:]
    same = len(PARAMETER.findall(own)) == len(PARAMETER.findall(parameters))
    return (
        method.name != "<init>"
        and len(method.invokes) == 1
        and same
        and method.line(0) == min((line for other in kind.methods for _, line in other.lines), default=0)
    )


def _is_opening(method: Method, kind: Class) -> bool:
    """Tell whether the compiler made the method to open a public one of a class that is not public."""
    count = len(PARAMETER.findall(method.descriptor.split(")")[0]))
    twins = [m for m in kind.methods if m.name == method.name]
    alike = [m for m in twins if len(PARAMETER.findall(m.descriptor.split(")")[0])) == count]
    passed_on = (
        len(method.invokes) == 1
        and method.invokes[0][1] == "special"
        and method.invokes[0][3:5]
        == (
            method.name,
            method.descriptor.split(")")[0][1:],
        )
    )
    return len(alike) == 1 and passed_on and _is_bridge(method, kind, method.invokes[0][4])


def _innermost(rows: list[Seen] | tuple[Seen, ...], line: int) -> Seen | None:
    best: Seen | None = None
    for seen in rows:
        chunk = seen.chunk
        if chunk.kind == "module" or not chunk.start_line <= line <= chunk.end_line:
            continue
        if best is None or (chunk.end_line - chunk.start_line) <= (best.chunk.end_line - best.chunk.start_line):
            best = seen
    return best


def _measure(by_path: dict[str, list[Seen]], sources: Path, oracle: Oracle, show: int) -> dict[str, object]:
    true = wrong = missed = pairs = agree = raised = raised_right = 0
    wrong_shown: list[str] = []
    missed_shown: list[str] = []
    why: Counter[str] = Counter()
    for path, rows in by_path.items():
        lines = (sources / path).read_text("utf-8", "replace").split("\n")
        for seen in rows:
            text = "\n".join(lines[seen.chunk.start_line - 1 : seen.chunk.end_line])
            compiled = {key for key in seen.compiled if _spelled(key, text)}
            found = _known_counts(seen.found, compiled)
            true += len(found & compiled)
            for key in sorted(found - compiled):
                if key in seen.compiled or (
                    key[1] == "<init>" and key[0].rpartition("$")[2].rpartition("/")[2] in seen.evidence
                ):
                    true += 1
                elif not _dead(seen, lines):
                    wrong += 1
                    wrong_shown.append(f"{path}:{seen.chunk.start_line} {seen.chunk.qualified_name}: {key}")
            for key in sorted(compiled - found):
                missed += 1
                answers = [
                    f"{c.receiver or ''}.{c.callee}/{c.arguments}={c.certainty}" for c in seen.calls if _named(c, key)
                ]
                why["not a call" if not answers else answers[0].partition("=")[2]] += 1
                missed_shown.append(f"{path}:{seen.chunk.start_line} {seen.chunk.qualified_name}: {key} {answers[:2]}")
            one, two = _kendall(seen)
            pairs, agree = pairs + one, agree + two
            for fact in seen.raised:
                if fact.role == "raise" and fact.source == "code" and fact.type:
                    raised += 1
                    right = fact.type in seen.evidence and bool(seen.throws)
                    raised_right += right
                    if not right and show:
                        print("raise?", path, seen.chunk.qualified_name, fact.type, fact.text)
    for title, rows_shown in (("WRONG", wrong_shown), ("MISSED", missed_shown)):
        for row in rows_shown[:: max(1, len(rows_shown) // show)][:show] if show else ():
            print(title, row)
    declared, exact = _declared(by_path, oracle, show)
    return {
        "own edges": true + missed, "precision": round(true / max(1, true + wrong), 4),
        "recall": round(true / max(1, true + missed), 4),
        "kendall tau": round(2 * agree / max(1, pairs) - 1, 4), "pairs": pairs, "raised": raised,
        "raised precision": round(raised_right / max(1, raised), 4), "declaring methods": declared, "declared exact": exact,
        "missed because": dict(why),
    }  # fmt: skip


def _known_counts(found: list[Key], compiled: set[Key]) -> set[Key]:
    """Take over the number of parameters where the source's is open (variadic) or not given (annotations)."""
    exact = {key for key in found if key[2] != UNKNOWN}
    open_ended = sorted({key[:2] for key in found if key[2] == UNKNOWN})
    known = set(exact)
    for owner, name in open_ended:
        fitting = sorted(key for key in compiled if key[:2] == (owner, name))
        others = [key for key in fitting if key not in exact]  # what no other call of the definition stands for
        known.update((others or fitting)[:1] or {(owner, name, UNKNOWN)})
    return known


def _spelled(key: Key, text: str) -> bool:
    owner, name, _ = key
    if name == "<init>":
        simple = re.escape(owner.rpartition("/")[2].rpartition("$")[2])
        return (
            bool(re.search(rf"new\s+(?:@\w+\s+)?(?:[\w.]+\.)?{simple}\b\s*[(<]|\b(?:super|this)\s*\(", text))
            and not simple.isdigit()
        )
    return bool(re.search(rf"\b{re.escape(name)}\s*\(", text))


def _named(call: Call, key: Key) -> bool:
    if key[1] == "<init>":
        return call.callee in (key[0].rpartition("/")[2].rpartition("$")[2], "super", "this")
    return call.callee == key[1]


def _dead(seen: Seen, lines: list[str]) -> bool:
    """Tell whether the compiler left nothing of a definition (constants, annotations)."""
    return not seen.compiled and not seen.evidence and not seen.methods


def _kendall(seen: Seen) -> tuple[int, int]:
    if seen.methods != 1:
        return 0, 0
    once_found = [key for key, n in Counter(seen.found).items() if n == 1]
    once_compiled = Counter(seen.compiled)
    shared = [key for key in once_found if once_compiled[key] == 1 and key not in seen.unordered]
    first, second = seen.found, seen.compiled
    pairs = agree = 0
    for i, one in enumerate(shared):
        for other in shared[i + 1 :]:
            pairs += 1
            agree += (first.index(one) < first.index(other)) == (second.index(one) < second.index(other))
    return pairs, agree


def _declared(by_path: dict[str, list[Seen]], oracle: Oracle, show: int) -> tuple[int, int]:
    chunks: dict[tuple[str, str, int], list[Chunk]] = defaultdict(list)
    for path, rows in by_path.items():
        for seen in rows:
            chunk = seen.chunk
            if chunk.kind in ("method", "function"):
                owner = f"{path.rpartition('/')[0]}/{chunk.parent.replace('.', '$').replace('#', '$')}"
                name = "<init>" if chunk.name == chunk.parent.replace("#", ".").rpartition(".")[2] else chunk.name
                count = chunk.parameters if chunk.parameters is not None else (chunk.parameters_required or 0) + 1
                chunks[owner, name, count].append(chunk)
    total = exact = 0
    for kind in oracle.classes.values():
        grouped: dict[tuple[str, str, int], list[tuple[str, ...]]] = defaultdict(list)
        for method in kind.methods:
            count = len(PARAMETER.findall(method.descriptor.split(")")[0][1:]))
            grouped[kind.name, method.name, count].append(tuple(sorted(method.throws)))
        for key, throws in grouped.items():
            found = chunks.get(key, ())
            if len(found) != len(throws) or not any(throws):
                continue
            total += len(throws)
            ours = [
                tuple(sorted(f.type for f in c.contract if f.role == "declare" and f.source == "code")) for c in found
            ]
            exact += len(throws) if sorted(ours) == sorted(throws) else 0
            if sorted(ours) != sorted(throws) and show:
                print("declared?", key, throws, ours)
    return total, exact


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sources", type=Path)
    parser.add_argument("classes", type=Path)
    parser.add_argument("--show", type=int, default=0)
    given = parser.parse_args()
    for name, value in compare(given.sources, given.classes, given.show).items():
        print(f"{name}: {value}")


if __name__ == "__main__":
    main()
