"""Memories: what `remember` decides, what each context sees, what is found, and that nothing is lost on the way."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from codemem.embed import load_embedder
from codemem.errors import BadInput, BadQuery, ProviderError, WrongCount
from codemem.memory import (
    Changes,
    MemoryQuery,
    Options,
    Stores,
    Turn,
    add_turns,
    attached_memories,
    delete_memory,
    edit_memory,
    find_one,
    list_memories,
    memory_history,
    memory_stats,
    open_memories,
    remember,
    restore_memory,
    search_memories,
    verify_memory,
    version_chain,
)
from codemem.memory.exchange import export_lines, import_lines
from codemem.memory.identity import parse_time
from codemem.memory.smilecli import export_smilecli, import_smilecli
from codemem.memory.upkeep import calibrate, find_faults, mend, rebuild
from codemem.store import create_store
from codemem.store.memories import visible
from codemem.store.migrations import MEMORY_STEPS, applied_steps
from codemem.store.terms import BLOCK_SIZE, add_document, read_documents, read_postings, remove_document
from codemem.types import Memory, Scope

EVERYTHING = MemoryQuery("", limit=100)


@pytest.fixture
def stores(tmp_path: Path) -> Iterator[Stores]:
    with open_memories(tmp_path / "p", write=True, home=tmp_path / "home") as opened:
        yield opened


def add(stores: Stores, text: str, scope: Scope | None = None, **options: object) -> str:
    return remember(stores, text, scope or stores.scope(), Options(**options)).verdict  # type: ignore[arg-type]


def found(stores: Stores, text: str, scope: Scope | None = None, **query: object) -> list[str]:
    asked = MemoryQuery(text, mode="keyword", **query)  # type: ignore[arg-type]
    return [hit.memory.content for hit in search_memories(stores, asked, scope or stores.scope()).hits]


def current(stores: Stores, scope: Scope | None = None) -> list[str]:
    return [memory.content for memory in list_memories(stores, scope or stores.scope(), EVERYTHING).memories]


def one(stores: Stores, text: str) -> Memory:
    rows = list_memories(stores, stores.scope(), EVERYTHING, ("active", "candidate", "superseded", "deleted")).memories
    return next(memory for memory in rows if memory.content == text)


def reference(stores: Stores, text: str) -> object:
    return find_one(stores, stores.scope(), one(stores, text).uuid)


# --- verdicts ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("texts", "verdict", "left"),
    [
        (["The project uses Java 16", "The project uses Java 17"], "superseded_old", ["The project uses Java 17"]),
        (["User loves sushi", "User hates sushi"], "possible_conflict", ["User hates sushi", "User loves sushi"]),
        (["Cache TTL is 300 seconds", "Cache TTL is 5 minutes"], "near_duplicate", ["Cache TTL is 300 seconds"]),
        (["We use pytest", "We  use\npytest"], "exact_duplicate", ["We use pytest"]),
        (["service-a is slow", "service-b is slow"], "stored", ["service-b is slow", "service-a is slow"]),
        (["项目使用 Java 16", "项目使用 Java 17"], "superseded_old", ["项目使用 Java 17"]),
        (["a", "  ...  "], "empty", ["a"]),
        (["a", "password=hunter2"], "secret_blocked", ["a"]),
        (["a", "x" * 100_001], "too_long", ["a"]),
    ],
)
def test_the_second_statement_is(stores: Stores, texts: list[str], verdict: str, left: list[str]) -> None:
    assert [add(stores, text) for text in texts][-1] == verdict
    assert sorted(current(stores)) == sorted(left)


def test_a_paraphrase_is_kept_as_another_wording_and_found_by_it(stores: Stores) -> None:
    add(stores, "Error logs are retained for 30 days")
    assert add(stores, "Error logs are kept for thirty days") == "near_duplicate"
    memory = one(stores, "Error logs are retained for 30 days")
    assert (memory.seen_count, memory.aliases) == (2, ("Error logs are kept for thirty days",))
    assert found(stores, "thirty") == ["Error logs are retained for 30 days"]
    assert add(stores, "Error logs are kept for thirty days") == "exact_duplicate"


def test_superseding_closes_the_old_row_and_keeps_its_history(stores: Stores) -> None:
    add(stores, "The project uses Java 16")
    done = remember(stores, "The project uses Java 17", stores.scope())
    assert done.existing is not None and done.memory is not None
    assert done.existing.superseded_by == done.memory.uuid
    assert (done.existing.status, done.memory.version) == ("superseded", 2)
    newer = find_one(stores, stores.scope(), done.memory.uuid)
    assert newer is not None and [older.content for older in version_chain(newer, stores.scope())] == [
        "The project uses Java 16"
    ]
    old = find_one(stores, stores.scope(), done.existing.uuid)
    assert old is not None and [entry["action"] for entry in memory_history(old)] == ["add", "supersede"]
    assert found(stores, "java") == ["The project uses Java 17"]
    assert found(stores, "java", include_superseded=True) == ["The project uses Java 17", "The project uses Java 16"]


def test_a_key_makes_a_chain_and_force_skips_the_judge(stores: Stores) -> None:
    assert add(stores, "Temurin", key="build.jdk") == "stored"
    assert add(stores, "GraalVM forever", key="build.jdk") == "superseded_old"
    assert current(stores) == ["GraalVM forever"]
    assert add(stores, "The limit is 5", force=True) == "stored"
    assert add(stores, "The limit is 6", force=True) == "stored"
    assert add(stores, "The limit is 6", force=True) == "exact_duplicate"


def test_a_fact_that_arrives_late_is_closed_at_the_start_of_the_newer(stores: Stores) -> None:
    june, may = parse_time("2026-06-01"), parse_time("2026-05-01")
    add(stores, "The leader is Bob", valid_from=june)
    assert add(stores, "The leader is Amy", valid_from=may) == "stored"
    late = one(stores, "The leader is Amy")
    assert (late.status, late.valid_to) == ("superseded", june)
    assert found(stores, "leader") == ["The leader is Bob"]
    add(stores, "Port is 1", key="k", valid_from=june)
    add(stores, "Port is 2", key="k", valid_from=may)
    assert one(stores, "Port is 2").valid_to == june
    assert found(stores, "port") == ["Port is 1"]
    assert found(stores, "port", as_of=parse_time("2026-05-15")) == ["Port is 2"]
    assert found(stores, "port", as_of=parse_time("2026-07-01")) == ["Port is 1"]


def test_a_failing_write_leaves_the_old_memory_current(stores: Stores, monkeypatch: pytest.MonkeyPatch) -> None:
    add(stores, "The project uses Java 16")

    def fail(*_: object, **__: object) -> int:
        raise RuntimeError("disk")

    monkeypatch.setattr("codemem.memory.rows.insert", fail)
    with pytest.raises(RuntimeError):
        add(stores, "The project uses Java 17")
    monkeypatch.undo()
    assert current(stores) == ["The project uses Java 16"]
    assert find_faults(stores) == []


@pytest.mark.parametrize(
    "options",
    [
        {"type": "nonsense"}, {"type": ""}, {"importance": 0}, {"importance": 11}, {"source": "x"}, {"key": "a b"},
        {"valid_from": 2, "valid_to": 1}, {"visibility": "world"}, {"status": "deleted"},
    ],
)  # fmt: skip
def test_options_that_make_no_sense_are_misuse(stores: Stores, options: dict[str, object]) -> None:
    with pytest.raises(BadInput):
        add(stores, "text", **options)
    assert current(stores) == []


def test_secrets_reach_no_column(stores: Stores) -> None:
    secret = "ghp_" + "a1B2" * 9
    add(stores, f"deploy with {secret} please", context=secret)
    edit_memory(
        stores,
        stores.scope(),
        reference(stores, "deploy with [REDACTED:github-token] please"),
        Changes(content=f"now {secret} x"),
    )  # type: ignore[arg-type]
    import_lines(stores, stores.scope(), [f'{{"content": "imported {secret} y", "aliases": ["{secret}"]}}'])
    assert stores.project is not None
    dump = "\n".join(stores.project.connection.iterdump())
    assert secret not in dump and dump.count("[REDACTED:github-token]") >= 3


# --- visibility: every operation ------------------------------------------------------------------------------


def operations(stores: Stores, scope: Scope, uuid: str, folder: Path) -> dict[str, bool]:
    """Run every reading operation and say which of them shows the memory."""
    embedder = load_embedder("fake")
    shown = {
        "find_one": find_one(stores, scope, uuid) is not None,
        "list": bool(
            list_memories(stores, scope, EVERYTHING, ("active", "superseded", "candidate", "deleted")).memories
        ),
        "stats": memory_stats(stores, scope)["total"] > 0,
        "export": any(export_lines(stores, scope)),
        "smilecli": export_smilecli(stores, scope, folder, embedder) > 0,
        "attached": bool(attached_memories(stores, scope, ["Shop#order"])),
        "calibrate": calibrate(stores, scope, embedder)["memories"] > 0,
        "rebuild": rebuild(stores, scope, embedder, "all").wanted > 0,
    }
    for mode in ("keyword", "hybrid", "vector"):
        query = MemoryQuery("secret plan", mode=mode, include_superseded=True)
        shown[f"search {mode}"] = bool(search_memories(stores, query, scope, embedder).hits)
    return shown


def test_nothing_leaks_across_tenant_project_and_cube(tmp_path: Path) -> None:
    embedder = load_embedder("fake")
    home = tmp_path / "home"
    with (
        open_memories(tmp_path / "p", write=True, home=home) as p,
        open_memories(tmp_path / "q", write=True, home=home) as q,
    ):
        owner = Scope("t", ("agent:a_b",), p.project_id)
        done = remember(p, "the secret plan of agent a", owner, Options(symbol="Shop#order"), embedder)
        assert done.memory is not None
        uuid = done.memory.uuid
        seen = operations(p, owner, uuid, tmp_path / "out")
        assert {name for name, shown in seen.items() if not shown} <= {"calibrate"}
        strangers = {
            "another tenant": (p, replace(owner, tenant="u")),
            "another cube": (p, replace(owner, cubes=("agent:b",))),
            "a cube that LIKE would match": (p, replace(owner, cubes=("agent:axb",))),
            "a cube with a wildcard": (p, replace(owner, cubes=("agent:%",))),
            "no project": (p, replace(owner, project_id="")),
            "another project": (q, Scope("t", (), q.project_id)),
            "the default tenant": (p, p.scope()),
        }
        for who, (stores, scope) in strangers.items():
            leaks = {name for name, shown in operations(stores, scope, uuid, tmp_path / "out").items() if shown}
            assert leaks == set(), who
            # What a stranger writes neither finds nor touches it.
            writer = replace(scope, cubes=scope.cubes or ("user_profile",), project_id=scope.project_id or "x")
            if scope.project_id:
                assert remember(stores, "the secret plan of agent a", writer).verdict == "stored", who
        assert find_one(p, owner, uuid) is not None


def test_every_statement_that_selects_memories_by_scope_uses_the_one_function() -> None:
    condition = visible(Scope("t", ("a", "b"), "p"))
    assert condition.values == ("t", "p", "a", "b")
    source = "".join(
        path.read_text("utf-8") for path in (Path(__file__).parents[1] / "codemem" / "memory").rglob("*.py")
    )
    assert "FROM memory " not in source.replace("FROM memory WHERE id", "")


def test_tenants_cubes_projects_and_global_keep_their_own_rows(tmp_path: Path) -> None:
    home = tmp_path / "home"
    with (
        open_memories(tmp_path / "p", write=True, home=home) as p,
        open_memories(tmp_path / "q", write=True, home=home) as q,
    ):
        verdicts = [
            add(p, "same words"), add(q, "same words"), add(p, "same words", visibility="global"),
            add(p, "same words", Scope("b", (), p.project_id)), add(p, "same words", replace(p.scope(), cubes=("agent:x",))),
        ]  # fmt: skip
        assert verdicts == ["stored"] * 5
        assert found(p, "same words", replace(p.scope(), cubes=("user_profile",))) == ["same words"]
        hit = search_memories(p, MemoryQuery("same words"), replace(p.scope(), cubes=("user_profile",))).hits[0]
        assert hit.memory.visibility == "project"
        assert found(q, "same words") == ["same words"]


# --- finding ---------------------------------------------------------------------------------------------------


@pytest.fixture
def filled(stores: Stores) -> Stores:
    for text in (
        "ERR_4711_X means the stock is empty", "项目使用 Java 17，订单服务先冻结库存", "C++ is used by foo:bar", "a AND b", "it's -x *",
        "the deploy script lives in scripts", "OrderFacade#createOrder checks risk first",
    ):  # fmt: skip
        add(stores, text, force=True)
    return stores


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("ERR_4711_X", "ERR_4711_X means the stock is empty"),
        ("冻结库存", "项目使用 Java 17，订单服务先冻结库存"),
        ("库存", "项目使用 Java 17，订单服务先冻结库存"),
        ("foo:bar", "C++ is used by foo:bar"),
        ("C++", "C++ is used by foo:bar"),
        ("a AND", "a AND b"),
        ("it's", "it's -x *"),
        ("-x", "it's -x *"),
        ("*", "it's -x *"),
        ("create_order", "OrderFacade#createOrder checks risk first"),
        ("where do deployment scripts live zebra", "the deploy script lives in scripts"),
    ],
)
def test_a_question_finds(filled: Stores, query: str, first: str) -> None:
    assert found(filled, query)[:1] == [first]


@pytest.mark.parametrize("query", ['"unbalanced', "NEAR(", "xyzzy", "%", "_", "\\"])
def test_odd_questions_find_nothing_and_do_no_harm(filled: Stores, query: str) -> None:
    assert all(query in text for text in found(filled, query))


def test_an_empty_question_is_misuse(stores: Stores) -> None:
    with pytest.raises(BadQuery):
        found(stores, "  ")


def test_identifiers_stand_first_even_with_a_meaningless_model(filled: Stores) -> None:
    embedder = load_embedder("fake")
    rebuild(filled, filled.scope(), embedder)
    result = search_memories(filled, MemoryQuery("ERR_4711_X"), filled.scope(), embedder)
    assert result.hits[0].memory.content.startswith("ERR_4711_X") and not result.semantic


def test_a_minimum_score_says_what_it_hides(stores: Stores) -> None:
    embedder = load_embedder("fake")
    remember(stores, "the kitchen is painted in pale green", stores.scope(), Options(), embedder)
    asked = MemoryQuery("what about the kitchen sink and the drains", min_score=0.9)
    assert (search_memories(stores, asked, stores.scope(), embedder).below_minimum, current(stores)) == (
        1,
        ["the kitchen is painted in pale green"],
    )
    assert len(search_memories(stores, replace(asked, min_score=None), stores.scope(), embedder).hits) == 1


def test_vectors_of_another_model_are_counted_and_words_still_find(stores: Stores) -> None:
    remember(stores, "alpha beta gamma", stores.scope(), Options(), load_embedder("fake:8"))
    result = search_memories(stores, MemoryQuery("gamma"), stores.scope(), load_embedder("fake:16"))
    assert [hit.memory.content for hit in result.hits] == ["alpha beta gamma"]
    assert result.skipped_model_mismatch == 1


class Failing:
    """A model that fails on texts with a certain word."""

    model, dimension, semantic, remote = "failing", 8, False, False

    def __init__(self, word: str) -> None:
        self.word = word

    def embed_texts(self, texts: list[str]) -> object:
        if any(self.word in text for text in texts):
            raise ProviderError("no answer", "")
        return load_embedder("fake:8").embed_texts(texts)

    embed_prose_queries = embed_queries = embed_texts


def test_a_model_that_fails_costs_the_vector_only(stores: Stores) -> None:
    broken = Failing("")
    done = remember(stores, "alpha beta", stores.scope(), Options(), broken)  # type: ignore[arg-type]
    assert (done.verdict, done.pending_vector) == ("stored", True) and "no answer" in done.degraded[0]
    result = search_memories(stores, MemoryQuery("alpha"), stores.scope(), broken)  # type: ignore[arg-type]
    assert len(result.hits) == 1 and "no answer" in result.degraded[0]


def test_rebuild_goes_on_after_a_failure_and_the_next_run_does_only_the_rest(stores: Stores) -> None:
    for number in range(1, 6):
        add(stores, f"item{number} of the list", force=True)
    done = rebuild(stores, stores.scope(), Failing("item3"))  # type: ignore[arg-type]
    assert (done.done, [message for _, message in done.failed]) == (4, ["no answer"])
    again = rebuild(stores, stores.scope(), Failing("nothing"))  # type: ignore[arg-type]
    assert (again.wanted, again.done) == (1, 1)


def test_an_edit_changes_what_is_found(stores: Stores) -> None:
    embedder = load_embedder("fake")
    for text in ("cats purr in the sun", "the sun sets at noon"):
        remember(stores, text, stores.scope(), Options(), embedder)
    edit_memory(
        stores, stores.scope(), reference(stores, "cats purr in the sun"), Changes(content="dogs bark"), embedder
    )  # type: ignore[arg-type]
    assert found(stores, "cats") == [] and found(stores, "bark") == ["dogs bark"]
    hits = search_memories(stores, MemoryQuery("cats purr in the sun", mode="vector"), stores.scope(), embedder).hits
    assert hits[0].memory.content != "dogs bark"
    assert find_faults(stores, embedder) == []


def test_turns_are_found_by_their_neighbours_and_their_speaker(stores: Stores) -> None:
    said = [
        ("Anna", "Where did you go last summer?"),
        ("Ben", "To Lisbon, it was great"),
        ("Anna", "ok"),
        ("Ben", "ok"),
    ]
    turns = [Turn(text, f"{who} 8 May 2023", "", "s1", f"D1:{place}") for place, (who, text) in enumerate(said, 1)]
    turns += [Turn(f"filler number {place} about work", "Cleo", "", "s2", f"D2:{place}") for place in range(1, 8)]
    assert add_turns(stores, turns, stores.scope()) == 11
    assert found(stores, "summer Ben")[0] == "To Lisbon, it was great"
    assert current(stores).count("ok") == 2
    assert add(stores, "ok") == "stored"


class Judge:
    """A reranker that answers as it is told."""

    name, remote = "judge", False

    def __init__(self, answer: object) -> None:
        self.answer = answer

    def judge(self, question: str, texts: list[str]) -> object:
        if isinstance(self.answer, Exception):
            raise self.answer
        return [float("blue" in text) for text in texts] if self.answer == "blue" else self.answer


def test_a_reranker_reorders_and_odd_answers_leave_the_order(stores: Stores) -> None:
    for text in (
        "a door stands at the end of the longest street in town",
        "the door is painted blue",
        "the door is green",
    ):
        add(stores, text, force=True)
    plain = found(stores, "door")
    query = MemoryQuery("door", mode="keyword")

    def judged(answer: object) -> tuple[list[str], tuple[str, ...]]:
        result = search_memories(stores, query, stores.scope(), None, Judge(answer))  # type: ignore[arg-type]
        return [hit.memory.content for hit in result.hits], result.degraded

    assert plain[0] == "the door is green" and judged("blue")[0][0] == "the door is painted blue"
    for odd in (0.5, None, [float("nan")] * 3, [1.0] * 3, ProviderError("away", "")):
        order, notes = judged(odd)
        assert order == plain and notes, odd
    for wrong in ([1.0, 2.0], WrongCount("2 scores for 3", "")):  # told by the blend, or by the service's own reader
        with pytest.raises(ProviderError, match="2 scores for 3"):
            judged(wrong)


# --- changing ------------------------------------------------------------------------------------------------


def test_a_deleted_memory_is_gone_everywhere_and_comes_back(stores: Stores) -> None:
    embedder = load_embedder("fake")
    remember(stores, "we ship on Fridays", stores.scope(), Options(), embedder)
    delete_memory(reference(stores, "we ship on Fridays"))  # type: ignore[arg-type]
    assert found(stores, "ship") == current(stores) == list(export_lines(stores, stores.scope())) == []
    assert memory_stats(stores, stores.scope())["total"] == 0
    assert rebuild(stores, stores.scope(), embedder).wanted == 0 and find_faults(stores, embedder) == []
    restore_memory(stores, reference(stores, "we ship on Fridays"), embedder)  # type: ignore[arg-type]
    assert found(stores, "ship") == ["we ship on Fridays"]
    entry = reference(stores, "we ship on Fridays")
    assert [row["action"] for row in memory_history(entry)] == ["add", "delete", "restore"]  # type: ignore[arg-type]
    delete_memory(entry, purge=True)  # type: ignore[arg-type]
    assert find_faults(stores) == []


def test_restoring_what_is_already_said_is_refused(stores: Stores) -> None:
    add(stores, "one two three")
    entry = reference(stores, "one two three")
    delete_memory(entry)  # type: ignore[arg-type]
    add(stores, "one two three")
    deleted = next(memory for memory in list_memories(stores, stores.scope(), EVERYTHING, ("deleted",)).memories)
    with pytest.raises(BadInput, match="already says"):
        restore_memory(stores, find_one(stores, stores.scope(), deleted.uuid))  # type: ignore[arg-type]


def test_an_id_may_be_shortened_but_not_guessed(stores: Stores) -> None:
    add(stores, "a fact")
    memory = one(stores, "a fact")
    assert find_one(stores, stores.scope(), memory.short_id) is not None
    assert find_one(stores, stores.scope(), "%%%%%%%%") is None
    assert find_one(stores, stores.scope(), "________") is None
    with pytest.raises(BadQuery, match="too short"):
        find_one(stores, stores.scope(), memory.uuid[-2:])


def test_verifying_needs_a_symbol(stores: Stores) -> None:
    add(stores, "a fact")
    with pytest.raises(BadInput, match="not tied"):
        verify_memory(reference(stores, "a fact"))  # type: ignore[arg-type]


# --- carrying over -------------------------------------------------------------------------------------------


def test_export_import_export_is_identical_and_a_second_import_adds_nothing(tmp_path: Path, stores: Stores) -> None:
    for text in (
        "The project uses Java 16",
        "The project uses Java 17",
        "日志保留三十天",
        "日志保留 30 天",
        "line one\nline two \u2028 é 👩\u200d💻",
    ):
        add(stores, text)
    add(
        stores,
        "for all projects",
        visibility="global",
        importance=9,
        key="k.x",
        valid_from=parse_time("2026-05-01T10:00+09:00"),
    )
    edit_memory(stores, stores.scope(), reference(stores, "The project uses Java 17"), Changes(importance=8))  # type: ignore[arg-type]
    lines = list(export_lines(stores, stores.scope()))
    with open_memories(tmp_path / "other", write=True, home=tmp_path / "home2") as other:
        done = import_lines(other, other.scope(), lines)
        assert (done.read, done.new, done.problems) == (len(lines), len(lines), [])
        assert list(export_lines(other, other.scope())) == lines
        assert import_lines(other, other.scope(), lines).new == 0
        assert find_faults(other) == []
        assert found(other, "java") == ["The project uses Java 17"]


@pytest.mark.parametrize(
    "line",
    ["{", "[]", "{}", '{"content": 5}', '{"content": "x", "type": "?"}', '{"content": "x", "importance": "high"}',
     '{"content": "x", "created_at": "yesterday"}', '{"content": "x", "visibility": "world"}', '{"content": "x", "cube": "a b"}'],
)  # fmt: skip
def test_lines_that_cannot_be_used_are_reported_and_skipped(stores: Stores, line: str) -> None:
    done = import_lines(stores, stores.scope(), [line, '{"content": "a good line"}'])
    assert [number for number, _ in done.problems] == [1]
    assert current(stores) == ["a good line"]


def test_smilecli_files_go_out_and_come_in(tmp_path: Path, stores: Stores) -> None:
    embedder = load_embedder("fake")
    remember(stores, "project fact", stores.scope(), Options(), embedder)
    remember(stores, "global fact", stores.scope(), Options(visibility="global"), embedder)
    assert export_smilecli(stores, stores.scope(), tmp_path / "out", embedder) == 2
    with open_memories(tmp_path / "p2", write=True, home=tmp_path / "home2") as other:
        done = import_smilecli(other, other.scope(), tmp_path / "out", embedder)
        assert done.new == 1 and "another project" in done.problems[0][1]
        assert current(other) == ["global fact"]


# --- the store -------------------------------------------------------------------------------------------------


def test_migrations_are_recorded_and_rebuilding_the_index_leaves_memories(tmp_path: Path) -> None:
    from codemem.store import drop_index

    with open_memories(tmp_path, write=True, home=tmp_path / "home") as stores:
        add(stores, "stays")
        assert stores.project is not None
        assert applied_steps(stores.project) == {step.version for step in MEMORY_STEPS}
        drop_index(stores.project)
        assert found(stores, "stays") == ["stays"]


def test_a_moved_checkout_keeps_its_memories(tmp_path: Path) -> None:
    with open_memories(tmp_path / "before", write=True, home=tmp_path / "home") as stores:
        add(stores, "stays with me")
        identity = stores.project_id
    (tmp_path / "before").rename(tmp_path / "after")
    with open_memories(tmp_path / "after", home=tmp_path / "home") as stores:
        assert stores.project_id == identity and found(stores, "stays") == ["stays with me"]


def test_linked_work_trees_share_the_memories_of_their_main_one(tmp_path: Path) -> None:
    import subprocess

    def git(*arguments: str) -> None:
        subprocess.run(["git", *arguments], cwd=tmp_path / "main", check=True, capture_output=True)

    (tmp_path / "main").mkdir()
    git("init", "-q")
    git("commit", "-q", "--allow-empty", "-m", "first")
    git("worktree", "add", "-q", str(tmp_path / "linked"))
    with open_memories(tmp_path / "linked", write=True, home=tmp_path / "home") as stores:
        add(stores, "shared by both")
    with open_memories(tmp_path / "main", home=tmp_path / "home") as stores:
        assert found(stores, "shared") == ["shared by both"]
    assert not (tmp_path / "linked" / ".codemem").exists()


def test_reading_without_a_store_finds_nothing_and_makes_none(tmp_path: Path) -> None:
    with open_memories(tmp_path / "p", home=tmp_path / "home") as stores:
        assert found(stores, "anything") == []
    assert not (tmp_path / "p").exists() and not (tmp_path / "home").exists()


def test_faults_are_found_and_mended(stores: Stores) -> None:
    add(stores, "alpha beta")
    assert stores.project is not None
    connection = stores.project.connection
    connection.execute("DELETE FROM memory_posting WHERE term = 'alpha'")
    assert [fault.where for fault in find_faults(stores)] == ["index"]
    assert mend(stores) == 1
    assert find_faults(stores) == [] and found(stores, "alpha") == ["alpha beta"]


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.tuples(
            st.booleans(),
            st.integers(1, 2 * BLOCK_SIZE),
            st.dictionaries(st.sampled_from("abcde\x00"), st.integers(1, 70_000), min_size=1),
        ),
        max_size=12,
    )
)
def test_postings_equal_a_plain_dictionary(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[bool, int, dict[str, int]]]
) -> None:
    model: dict[int, dict[str, int]] = {}
    with create_store(tmp_path_factory.mktemp("s") / "x.db") as store:
        with store.transaction() as connection:
            for remove, number, terms in steps:
                if number in model:
                    remove_document(connection, 1, number, list(model.pop(number)))
                if not remove:
                    add_document(connection, 1, number, terms, parent=number % 3)
                    model[number] = terms
        for term in "abcde\x00":
            numbers, counts = read_postings(store, [1], term)
            expected = {number: min(terms[term], 0xFFFF) for number, terms in model.items() if term in terms}
            assert dict(zip(numbers.tolist(), counts.tolist(), strict=True)) == expected
        lengths = read_documents(store, [1]).lengths
        assert {int(n) for n in lengths.nonzero()[0]} == set(model)
        assert read_postings(store, [2], "a")[0].tolist() == []


@pytest.mark.parametrize(
    ("fields", "verdict", "text", "problem"),
    [
        ({}, "exact_duplicate", "The limit is 5", ""),
        ({"content": "The limit is 6", "updated_at": "2999-01-01"}, "updated", "The limit is 6", ""),
        ({"content": "The limit is 6", "updated_at": "2001-01-01"}, "older", "The limit is 5", ""),
        ({"content": "The limit is 6", "updated_at": None}, "", "The limit is 5", "says something else here"),
        ({"content": "Logs are kept", "updated_at": "2999-01-01"}, "", "The limit is 5", "already says"),
    ],
)
def test_of_two_texts_with_one_id_the_later_stays(
    stores: Stores, fields: dict[str, object], verdict: str, text: str, problem: str
) -> None:
    add(stores, "Logs are kept")
    add(stores, "The limit is 5")
    mine = one(stores, "The limit is 5")
    line = next(line for line in export_lines(stores, stores.scope()) if mine.uuid in line)
    done = import_lines(stores, stores.scope(), [json.dumps({**json.loads(line), **fields})])
    assert done.verdicts == ({verdict: 1} if verdict else {})
    assert [problem in message for _, message in done.problems] == ([True] if problem else [])
    now = find_one(stores, stores.scope(), mine.uuid)
    assert now is not None and now.memory.content == text
    assert found(stores, text)[0] == text
    assert ("The limit is 5" in str(memory_history(now)[-1]["before"])) == (verdict == "updated")


def test_a_text_imported_over_a_deleted_memory_is_told(stores: Stores) -> None:
    add(stores, "The limit is 5")
    line = next(iter(export_lines(stores, stores.scope())))
    delete_memory(reference(stores, "The limit is 5"))  # type: ignore[arg-type]
    later = {**json.loads(line), "content": "The limit is 6", "updated_at": "2999-01-01"}
    done = import_lines(stores, stores.scope(), [json.dumps(later)])
    assert done.verdicts == {} and "was deleted here" in done.problems[0][1]


class Turned:
    """A model whose texts lie at these cosines to every question."""

    model, dimension, semantic, remote = "turned", 2, True, False
    cosines = {"near by": 0.6, "at a right angle": 0.0, "turned away": -0.4, "a shared word": -0.4}  # noqa: RUF012

    def embed_texts(self, texts: list[str]) -> np.ndarray:
        rows = [self.cosines[text] for text in texts]
        return np.array([[cosine, (1 - cosine**2) ** 0.5] for cosine in rows], np.float32)

    def embed_prose_queries(self, texts: list[str]) -> np.ndarray:
        return np.array([[1, 0]] * len(texts), np.float32)


@pytest.mark.parametrize(
    ("mode", "expected"),
    [
        ("hybrid", ["a shared word", "near by"]),
        ("vector", ["near by"]),
        ("keyword", ["a shared word"]),
    ],
)
def test_what_no_arm_finds_is_no_hit(stores: Stores, mode: str, expected: list[str]) -> None:
    embedder: Any = Turned()
    for text in Turned.cosines:
        remember(stores, text, stores.scope(), Options(), embedder)
    asked = MemoryQuery("which word", mode=mode)
    result = search_memories(stores, asked, stores.scope(), embedder)
    assert [hit.memory.content for hit in result.hits] == expected and result.total == len(expected)


def test_seen_counts_add_up(stores: Stores) -> None:
    verdicts = Counter(add(stores, "again and again") for _ in range(5))
    assert verdicts == {"stored": 1, "exact_duplicate": 4}
    assert one(stores, "again and again").seen_count == 5
