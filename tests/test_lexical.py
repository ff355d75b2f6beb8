"""Segments and BM25F: the same scores as rank-bm25 on one field, and the same after any history as after a clean build."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rank_bm25 import BM25Okapi

from codemem.card import Card
from codemem.indexing.compaction import add_segment, compact_segments, merge_segments
from codemem.lexical import Document, build_segment, decode_posting, document, path_parts
from codemem.lexical.scoring import (
    Corpus,
    FileScorer,
    UnitScorer,
    Weighting,
    best_units,
    build_corpus,
    idf,
    match_concept,
    restrict,
)
from codemem.lexical.segments import FIELD_BITS, SegmentData
from codemem.store import Store, create_store
from codemem.store.postings import read_postings, read_segments, segment_sizes, terms_with_prefix
from codemem.text import text_terms
from codemem.types import Chunk

BODY_ONLY = Weighting({"body": 1.0}, {"body": 0.75}, k1=1.5)
FIELDED = Weighting({"name": 4.0, "doc": 1.0, "body": 1.0}, {"name": 0.3, "doc": 0.5, "body": 0.6}, idf_power=0.75)
TEXTS = (
    "create an order and pay the order",
    "cancel the order",
    "a shop with many things to pay and to ship",
    "nothing here",
    "order order order order",
)


def plain(number: int, body: str, file_id: int = 1, **fields: str) -> Document:
    values = {"name": "", "scope": "", "signature": "", "doc": "", "relations": "", **fields}
    return Document(number, file_id, body=body, **values)  # type: ignore[arg-type]


def one_segment(documents: Sequence[Document], dead: Sequence[int] = ()) -> tuple[Corpus, dict[str, bytes]]:
    data = build_segment(documents)
    return build_corpus([(1, data.documents, data.arrays, dead)]), dict(data.postings)


def unit_scores(
    documents: Sequence[Document], query: str, weighting: Weighting, dead: Sequence[int] = ()
) -> list[float]:
    corpus, postings = one_segment(documents, dead)
    scorer = UnitScorer(corpus, weighting)
    total = np.zeros(len(documents))
    for term in text_terms(query):
        if term in postings:
            total += scorer.score(match_concept(corpus, [(1, 1.0, postings[term])]))
    return [float(value) for value in total]


@pytest.mark.parametrize("query", ["order", "pay", "create order", "ship nothing", "missing"])
def test_one_field_scores_like_rank_bm25(query: str) -> None:
    oracle = BM25Okapi([text_terms(text) for text in TEXTS], k1=1.5, b=0.75)
    oracle.idf = {
        term: idf(len(TEXTS), sum(term in text_terms(text) for text in TEXTS))
        for term in {term for text in TEXTS for term in text_terms(text)}
    }
    ours = unit_scores([plain(at, text) for at, text in enumerate(TEXTS, 1)], query, BODY_ONLY)
    assert ours == pytest.approx(list(oracle.get_scores(text_terms(query))))


@settings(max_examples=40, deadline=None)
@given(
    st.lists(
        st.lists(st.sampled_from("ape bee cat dog elk fox".split()), min_size=1, max_size=12), min_size=1, max_size=12
    )
)
def test_any_texts_score_like_rank_bm25(texts: list[list[str]]) -> None:
    oracle = BM25Okapi([text_terms(" ".join(text)) for text in texts], k1=1.5, b=0.75)
    oracle.idf = {term: idf(len(texts), sum(term in text for text in texts)) for text in texts for term in text}
    ours = unit_scores([plain(at, " ".join(text)) for at, text in enumerate(texts, 1)], "ape dog fox", BODY_ONLY)
    assert ours == pytest.approx(list(oracle.get_scores(["ape", "dog", "fox"])))


def test_a_posting_list_counts_each_field_apart() -> None:
    data = build_segment([plain(7, "order the order", name="createOrder"), plain(8, "order")])
    codes, counts = decode_posting(dict(data.postings)["order"])
    fields = [(int(code) >> FIELD_BITS, int(code) & 15, int(count)) for code, count in zip(codes, counts, strict=True)]
    assert fields == [(0, 0, 1), (0, 5, 2), (1, 5, 1)]


def test_postings_are_sorted_by_term_and_hold_whole_identifiers() -> None:
    terms = [term for term, _ in build_segment([plain(1, "b a createOrder")]).postings]
    assert terms == ["=createorder", "a", "b", "creat", "order"]


def test_a_name_weighs_more_than_a_mention() -> None:
    named, mentioned = unit_scores([plain(1, "x", name="order"), plain(2, "order y")], "order", FIELDED)
    assert named > mentioned > 0


def test_dead_documents_do_not_count() -> None:
    documents = [plain(1, "order"), plain(2, "order order"), plain(3, "shop")]
    alive = unit_scores([documents[0], documents[2]], "order", FIELDED)
    with_dead = unit_scores(documents, "order", FIELDED, dead=[2])
    assert with_dead == [alive[0], 0.0, alive[1]]


def test_a_filter_keeps_frequencies() -> None:
    corpus, postings = one_segment([plain(1, "order"), plain(2, "order")])
    found = match_concept(corpus, [(1, 1.0, postings["order"])])
    kept = restrict(found, np.array([True, False]))
    assert (kept.rows.tolist(), kept.document_frequency) == ([0], 2)


def test_a_file_is_the_sum_of_its_units() -> None:
    split = [plain(1, "order", 1), plain(2, "order pay", 1), plain(3, "shop", 2)]
    whole = [plain(1, "order order pay", 1), plain(3, "shop", 2)]
    scores = []
    for documents in (split, whole):
        corpus, postings = one_segment(documents)
        found = match_concept(corpus, [(1, 1.0, postings["order"])])
        scores.append(FileScorer(corpus, BODY_ONLY).score(found).tolist())
    assert scores[0] == pytest.approx(scores[1])


def test_top_level_names_weigh_more_in_files() -> None:
    weighting = Weighting({"name": 1.0}, {"name": 0.0}, top_level_name=1.0)
    nested = Document(1, 1, "order", "", "", "", "", "", top_level=False)
    top = Document(2, 2, "order", "", "", "", "", "", top_level=True)
    corpus, postings = one_segment([nested, top])
    low, high = FileScorer(corpus, weighting).score(match_concept(corpus, [(1, 1.0, postings["order"])])).tolist()
    assert high > low


def test_a_file_counts_its_best_units_in_decreasing_shares() -> None:
    corpus, _ = one_segment([plain(1, "a", 1), plain(2, "a", 1), plain(3, "a", 2), plain(4, "a", 1)])
    totals = best_units(corpus, np.array([1.0, 4.0, 3.0, 2.0]), (1.0, 0.5))
    assert totals.tolist() == [5.0, 3.0]


def test_an_empty_index_scores_nothing() -> None:
    corpus = build_corpus([])
    assert corpus.documents == 0
    assert UnitScorer(corpus, FIELDED).score(match_concept(corpus, [])).tolist() == []


def test_the_first_chunk_of_a_file_carries_its_path() -> None:
    chunk = Chunk(
        "src/order/OrderFacade.java", "java", "method", "create", "OrderFacade#create", 0, 3, 9, parent="OrderFacade"
    )
    card = Card(
        chunk.path, "java", "method", chunk.qualified_name, "create", "", "", "", ("Dao#insert",), ("Gone",), ()
    )
    first = document(chunk, card, 5, 2, file_doc="Orders.")
    later = document(chunk, card, 6, 2)
    assert (first.path, first.head, later.path, later.head) == (chunk.path, "Orders.", "", "")
    assert (first.scope, first.relations, first.top_level) == ("OrderFacade", "Dao#insert Gone", False)


@pytest.mark.parametrize(
    ("path", "parts"),
    [
        ("src/order/OrderFacade.java", ("OrderFacade", "src order")),
        ("mux_test.go", ("mux_test", "")),
        (".github/ci.yml", ("ci", ".github")),
        (".bashrc", ("bashrc", "")),
        ("types.d.ts", ("types", "")),
    ],
)
def test_a_path_has_a_stem_and_folders(path: str, parts: tuple[str, str]) -> None:
    assert path_parts(path) == parts


# The store: any history of adding, replacing, removing and merging equals a clean build.


@pytest.fixture
def store(tmp_path: Path) -> Iterable[Store]:
    with create_store(tmp_path / ".codemem" / "codemem.db") as opened:
        yield opened


def put_chunks(store: Store, ids: Iterable[int]) -> None:
    """Insert the rows that lexical documents hang on."""
    columns = {
        row[1]: row[2] for row in store.connection.execute("PRAGMA table_info(file)") if row[3] and row[4] is None
    }
    columns.pop("id", None)
    names = ["id", *columns]
    fresh = [b"" if kind == "BLOB" else 0 if kind == "INTEGER" else "f" for kind in columns.values()]
    with store.transaction() as connection:
        marks = ",".join("?" * len(names))
        connection.execute(f"INSERT OR IGNORE INTO file ({','.join(names)}) VALUES ({marks})", (1, *fresh))
        for number in ids:
            connection.execute(
                "INSERT INTO chunk (id, file_id, kind, name, qualified_name, ordinal, start_line, end_line, facts,"
                " content_hash, interface_hash) VALUES (?, 1, 'function', '', '', ?, 1, 1, '[]', '', '')",
                (number, number),
            )


def add(store: Store, documents: Sequence[Document]) -> None:
    with store.transaction() as connection:
        add_segment(connection, build_segment(documents), [item.chunk_id for item in documents])


def stored_scores(store: Store, query: str) -> dict[int, float]:
    rows = read_segments(store.connection)
    corpus = build_corpus((row.id, row.documents, row.arrays, row.dead) for row in rows)
    scorer = UnitScorer(corpus, FIELDED)
    total = np.zeros(len(corpus.chunk_ids))
    for term in text_terms(query):
        lists = [(s, 1.0, data) for _, s, data in read_postings(store.connection, [row.id for row in rows], [term])]
        total += scorer.score(match_concept(corpus, lists))
    return {
        int(chunk): float(score)
        for chunk, score, live in zip(corpus.chunk_ids, total, corpus.live, strict=True)
        if live
    }


HISTORY = [plain(at, text) for at, text in enumerate(TEXTS, 1)]


def clean_scores(documents: Sequence[Document], query: str) -> dict[int, float]:
    scores = unit_scores(documents, query, FIELDED)
    return {item.chunk_id: score for item, score in zip(documents, scores, strict=True)}


def test_removing_and_replacing_equals_a_clean_build(store: Store) -> None:
    put_chunks(store, range(1, 7))
    add(store, HISTORY)
    store.connection.execute("DELETE FROM chunk WHERE id = 2")
    add(store, [plain(4, "an order at last"), plain(6, "one more order")])
    left = [HISTORY[0], HISTORY[2], HISTORY[4], plain(4, "an order at last"), plain(6, "one more order")]
    assert stored_scores(store, "order pay") == pytest.approx(clean_scores(left, "order pay"))


def test_merging_changes_no_score_and_drops_the_dead(store: Store) -> None:
    put_chunks(store, range(1, 6))
    for item in HISTORY:
        add(store, [item])
    store.connection.execute("DELETE FROM chunk WHERE id = 3")
    before = stored_scores(store, "order pay")
    with store.transaction() as connection:
        merge_segments(connection, [segment for segment, *_ in segment_sizes(store.connection)])
    assert stored_scores(store, "order pay") == before
    assert [(documents, dead) for _, documents, dead in segment_sizes(store.connection)] == [(4, 0)]


def test_a_merged_index_has_the_postings_of_a_clean_one(store: Store) -> None:
    put_chunks(store, range(1, 6))
    add(store, HISTORY[:2])
    add(store, HISTORY[2:])
    with store.transaction() as connection:
        merge_segments(connection, [1, 2])
    rows = store.connection.execute("SELECT term, data FROM posting ORDER BY term").fetchall()
    clean: SegmentData = build_segment(HISTORY)
    assert rows == clean.postings
    assert store.connection.execute("SELECT arrays FROM segment").fetchone()[0] == clean.arrays


def test_many_small_segments_become_few(store: Store) -> None:
    put_chunks(store, range(1, 65))
    for number in range(1, 65):
        add(store, [plain(number, f"order {number}")])
        compact_segments(store)
    sizes = segment_sizes(store.connection)
    assert len(sizes) <= 9
    assert sum(documents for _, documents, _ in sizes) == 64


def test_a_segment_of_mostly_dead_documents_is_rewritten(store: Store) -> None:
    put_chunks(store, range(1, 6))
    add(store, HISTORY)
    store.connection.execute("DELETE FROM chunk WHERE id IN (1, 2, 3)")
    assert compact_segments(store) == 1
    assert [(documents, dead) for _, documents, dead in segment_sizes(store.connection)] == [(2, 0)]


def test_a_segment_without_living_documents_disappears(store: Store) -> None:
    put_chunks(store, range(1, 6))
    add(store, HISTORY)
    store.connection.execute("DELETE FROM chunk")
    compact_segments(store)
    assert segment_sizes(store.connection) == []
    assert store.connection.execute("SELECT count(*) FROM posting").fetchone() == (0,)


def test_terms_are_found_by_their_beginning(store: Store) -> None:
    put_chunks(store, [1])
    add(store, [plain(1, "auth authentication authorize author other")])
    found = [term for term, _ in terms_with_prefix(store.connection, [1], "auth", 10)]
    assert found == ["auth", "authenticat", "author", "authoriz"]
