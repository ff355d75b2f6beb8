"""search(): the cases from the field about ranking and queries, on small repositories through the real index."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from codemem.errors import BadQuery
from codemem.indexing import refresh
from codemem.retrieval import Session, search
from codemem.settings import Settings
from codemem.store import Store, open_store, store_path
from codemem.types import Filters, Hit, Query, SearchResult

Ask = Callable[..., SearchResult]

SERVICE = '''
"""Orders."""


class OrderService:
    """Creates orders."""

    def createOrder(self, lines):
        """Reserve the stock and store the order."""
        order = self.reserve(lines)
        if not order:
            raise OutOfStock(lines)
        return order

    def cancelOrder(self, number):
        createOrder = None
        return createOrder
'''
ORDERS = {
    "src/service.py": SERVICE,
    "src/errors.py": "class OutOfStock(Exception):\n    pass\n",
    "src/client.py": "def run(service):\n    createOrder = service.createOrder([])\n    return createOrder\n",
    "src/other.py": "class CartService:\n    def createOrder(self):\n        return None\n",
    "README.md": "# Shop\n\nCall `createOrder` to create an order.\n\ncreateOrder createOrder createOrder\n",
    **{
        f"tests/test_{number}.py": f"def test_{number}(service):\n    order = service.createOrder([{number}])\n    createOrder(order)\n"
        for number in range(40)
    },
}


OPEN: list[Store] = []
"""Stores that the questions of a module go to: kept to the end, since a connection that is collected unclosed is a warning."""


def build(root: Path, files: dict[str, str]) -> Ask:
    """Index some files and return a function that asks them."""
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, "utf-8")
    refresh(root, Settings(jobs=1))
    store = open_store(store_path(root))
    OPEN.append(store)
    session = Session()

    def ask(text: str, **options: object) -> SearchResult:
        return search(store, replace(Query(text), **options), session)  # type: ignore[arg-type]

    return ask


def places(result: SearchResult) -> list[str]:
    return [f"{hit.chunk.path}#{hit.chunk.qualified_name}" for hit in result.hits]


def paths(result: SearchResult) -> list[str]:
    return [hit.chunk.path for hit in result.hits]


@pytest.fixture(scope="module")
def orders(tmp_path_factory: pytest.TempPathFactory) -> Ask:
    return build(tmp_path_factory.mktemp("orders"), ORDERS)


@pytest.mark.parametrize("mode", ["keyword", "hybrid"])
@pytest.mark.parametrize(
    "query",
    [
        "createOrder",
        "where is createOrder defined",
        "OrderService#createOrder",
        "OrderService.createOrder",
        "OrderService::createOrder",
        "create order",
        "create_order",
        "createOrder()",
        "CreateOrder",
    ],
)
def test_r40_the_definition_comes_first_in_every_spelling(orders: Ask, query: str, mode: str) -> None:
    result = orders(query, mode=mode)
    assert result.hits[0].chunk.name == "createOrder"
    assert result.hits[0].chunk.path in {"src/service.py", "src/other.py"}
    if "OrderService" in query:
        assert places(result)[0] == "src/service.py#OrderService#createOrder"


def test_r40_with_test_in_the_query_a_test_may_lead(orders: Ask) -> None:
    assert orders("createOrder test").hits[0].chunk.path.startswith("tests/")


def test_r40_an_exact_match_is_stated(orders: Ask) -> None:
    assert orders("createOrder").exact_match
    assert not orders("createOrders2").exact_match


@pytest.mark.parametrize("mode", ["keyword", "hybrid"])
@pytest.mark.parametrize(
    ("query", "meant"),
    [("OrderServcie", "OrderService"), ("craeteOrder", "createOrder"), ("OrderService#cancleOrder", "cancelOrder")],
)
def test_a_misspelled_symbol_finds_what_is_meant_and_says_so(orders: Ask, query: str, meant: str, mode: str) -> None:
    result = orders(query, mode=mode)
    assert result.hits[0].chunk.name == meant
    assert not result.exact_match
    assert result.degraded[-1] == f"nothing is called {query}; this answers {meant}"


@pytest.mark.parametrize(
    "query", ["useState", "Invoice", "createOrder", "createorder", "how is an order craeted", "ordr"]
)
def test_what_is_no_misspelled_symbol_is_taken_as_it_is(orders: Ask, query: str) -> None:
    assert not any("nothing is called" in remark for remark in orders(query).degraded)


@pytest.mark.parametrize("mode", ["keyword", "hybrid", "vector"])
def test_one_hit_a_file(orders: Ask, mode: str) -> None:
    found = paths(orders("createOrder", mode=mode, limit=30))
    assert len(found) == len(set(found)) > 5


def test_all_chunks_unfolds_a_file(orders: Ask) -> None:
    found = [
        hit.chunk.qualified_name
        for hit in orders("order", all_chunks=True, limit=50).hits
        if hit.chunk.path == "src/service.py"
    ]
    assert len(found) == len(set(found)) >= 2


def test_pages_are_disjoint_and_together_the_whole(orders: Ask) -> None:
    pages = [places(orders("createOrder", limit=7, offset=offset)) for offset in (0, 7, 14)]
    whole = places(orders("createOrder", limit=21))
    assert [place for page in pages for place in page] == whole
    assert len(set(whole)) == 21


def test_filters_apply_before_the_cut(orders: Ask) -> None:
    assert paths(orders("createOrder", limit=1, filters=Filters(paths=("src/client.py",)))) == ["src/client.py"]
    assert set(paths(orders("createOrder", limit=50, filters=Filters(paths=("src",))))) <= {
        "src/service.py", "src/client.py", "src/other.py", "src/errors.py",
    }  # fmt: skip
    assert paths(orders("createOrder", limit=50, filters=Filters(sources=("docs",)))) == ["README.md"]
    assert "README.md" not in paths(orders("createOrder", limit=50, filters=Filters(sources=("code",))))
    assert {hit.chunk.kind for hit in orders("order", limit=50, filters=Filters(kinds=("class",))).hits} == {"class"}
    assert paths(orders("order", limit=50, filters=Filters(languages=("markdown",)))) == ["README.md"]
    assert paths(orders("order", filters=Filters(raises=("OutOfStock",)))) == ["src/service.py"]
    assert set(paths(orders("order", filters=Filters(calls=("reserve",))))) == {"src/service.py"}


DAOS = {
    "Dao.java": "interface Dao { void save(Order order); }\nclass Order {}\n",
    "Disk.java": "class Disk implements Dao {\n  public void save(Order order) { throw new ArrayIndexOutOfBoundsException(); }\n}\n",
    "ViaDao.java": "class ViaDao {\n  Dao dao;\n  void order(Order order) { dao.save(order); }\n}\n",
    "ViaDisk.java": "class ViaDisk {\n  Disk disk;\n  void order(Order order) { disk.save(order); }\n}\n",
    "Own.java": "class Own {\n  void order() { throw new OrderException(); }\n}\nclass OrderException extends IndexOutOfBoundsException {}\n",
    "Other.java": "class Other {\n  void order() { throw new IllegalStateException(); }\n}\n",
}


@pytest.fixture(scope="module")
def daos(tmp_path_factory: pytest.TempPathFactory) -> Ask:
    return build(tmp_path_factory.mktemp("daos"), DAOS)


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        (Filters(calls=("Dao#save",)), {"ViaDao.java", "ViaDisk.java"}),
        (Filters(calls=("Disk.save()",)), {"ViaDao.java", "ViaDisk.java"}),
        (Filters(calls=("save",)), {"ViaDao.java", "ViaDisk.java"}),
        (Filters(calls=("Nothing#save",)), set()),
        (Filters(raises=("IndexOutOfBoundsException",)), {"Disk.java", "Own.java", "ViaDao.java", "ViaDisk.java"}),
        (Filters(raises=("OrderException",)), {"Own.java"}),
        (Filters(raises=("IllegalStateException",)), {"Other.java"}),
        (Filters(raises=("RuntimeException",)), {"Disk.java", "Other.java", "Own.java", "ViaDao.java", "ViaDisk.java"}),
    ],
)
def test_filters_know_subtypes_and_implementations(daos: Ask, filters: Filters, expected: set[str]) -> None:
    assert set(paths(daos("order", limit=50, filters=filters))) == expected


def test_a_filter_that_fits_nothing_gives_nothing(orders: Ask) -> None:
    assert orders("createOrder", filters=Filters(paths=("nowhere",))).hits == ()


def test_the_raise_answers_who_raises(orders: Ask) -> None:
    assert places(orders("what raises OutOfStock"))[0] == "src/service.py#OrderService#createOrder"


def test_reciprocal_ranks_are_a_plain_fallback(orders: Ask) -> None:
    hit = orders("createOrder", fusion="rrf").hits[0]
    assert set(hit.why) <= {"units", "file", "meaning", "file_meaning"}
    assert hit.score == pytest.approx(sum(hit.why.values()), abs=1e-5)


def test_every_signal_that_counts_is_explained(orders: Ask) -> None:
    hit = orders("createOrder").hits[0]
    assert hit.score == pytest.approx(sum(hit.why.values()), abs=1e-4)
    assert hit.why["definition_case"] > 0


def test_scores_fall_from_hit_to_hit(orders: Ask) -> None:
    scores = [hit.score for hit in orders("create an order", limit=30).hits]
    assert scores == sorted(scores, reverse=True)


# Queries that look like syntax: no error, the literal hit is found.

SYNTAX = {
    "a.md": "run ask-codex now\n",
    "vec.cpp": "#include <vector>\nstd::vector<int> numbers() { return {}; }\n",
    "a/b.txt": "see a/b here\n",
    "v.txt": "version 38.101 of it\n",
    "u.txt": "unbalanced quotes\n",
    "f.py": "def foo(bar):\n    return bar\n",
    "near.txt": "NEAR and AND and OR\n",
    "col.txt": "col:val pairs\n",
    "x.txt": "the letter x\n",
    "help.txt": "--help me please\n",
}


@pytest.fixture(scope="module")
def syntax(tmp_path_factory: pytest.TempPathFactory) -> Ask:
    return build(tmp_path_factory.mktemp("syntax"), SYNTAX)


@pytest.mark.parametrize("mode", ["keyword", "hybrid"])
@pytest.mark.parametrize(
    ("query", "path"),
    [
        ("ask-codex", "a.md"),
        ("std::vector", "vec.cpp"),
        ("a/b", "a/b.txt"),
        ("38.101", "v.txt"),
        ('"unbalanced', "u.txt"),
        ("foo(bar)", "f.py"),
        ("NEAR", "near.txt"),
        ("AND", "near.txt"),
        ("col:val", "col.txt"),
        ("^x", "x.txt"),
        ("-x", "x.txt"),
        ("--help me", "help.txt"),
    ],
)
def test_q38_syntax_is_text(syntax: Ask, query: str, path: str, mode: str) -> None:
    assert paths(syntax(query, mode=mode))[0] == path


@pytest.mark.parametrize(
    "query", ["*", "?", "(((", "'", '"', "%", "\\", "; DROP TABLE chunk", "x" * 10_000, "a\0b", "OR 1=1 --"]
)
def test_q38_nothing_breaks(syntax: Ask, query: str) -> None:
    assert isinstance(syntax(query).hits, tuple)


@pytest.mark.parametrize("query", ["", "   ", "\0"])
def test_q38_an_empty_query_is_an_error(syntax: Ask, query: str) -> None:
    with pytest.raises(BadQuery):
        syntax(query)


@pytest.mark.parametrize("mode", ["keyword", "hybrid"])
@pytest.mark.parametrize(
    ("query", "path"), [("注文", "ja.py"), ("заказ", "ru.py"), ("createOrder", "mix.txt"), ("заказы", "ru.py")]
)
def test_q39_other_scripts_find_their_file(tmp_path: Path, query: str, path: str, mode: str) -> None:
    ask = build(
        tmp_path,
        {
            "ja.py": 'def make():\n    """注文を作成する"""\n',
            "ru.py": "# создать заказ\ndef make():\n    pass\n",
            "mix.txt": "注文createOrder処理\n" if query == "createOrder" else "nothing\n",
        },
    )
    assert paths(ask(query, mode=mode))[0] == path


@pytest.mark.parametrize("mode", ["keyword", "hybrid", "vector"])
def test_o50_twins_come_in_the_order_of_their_paths(tmp_path: Path, mode: str) -> None:
    ask = build(tmp_path, {f"{name}.py": SERVICE for name in ("b", "a", "c")})
    assert paths(ask("createOrder", mode=mode)) == ["a.py", "b.py", "c.py"]


# What is shown.


def long_function(name: str, word_at: int) -> str:
    lines = [f"def {name}(items):", '    """Work through the items."""']
    lines += [f"    step_{number} = items" if number != word_at else "    zebra = items" for number in range(60)]
    return "\n".join(lines) + "\n"


def only(result: SearchResult) -> Hit:
    assert len(result.hits) == 1
    return result.hits[0]


@pytest.mark.parametrize("at", [5, 50])
def test_a_snippet_shows_the_line_that_matches(tmp_path: Path, at: int) -> None:
    text = "import os\n\n\n" + long_function("work", at)
    hit = only(build(tmp_path, {"a.py": text})("zebra"))
    lines = text.split("\n")
    assert (hit.start_line, hit.end_line) == (4, 65)
    assert 15 <= hit.text.count("\n") + 1 <= 20
    assert hit.text.split("\n") == lines[hit.text_line - 1 : hit.text_line - 1 + hit.text.count("\n") + 1]
    assert "zebra" in lines[hit.match_line - 1]
    assert hit.text_line <= hit.match_line < hit.text_line + 20
    assert ("def work" in hit.text) is (at == 5)


def test_a_short_unit_is_shown_whole(tmp_path: Path) -> None:
    hit = only(build(tmp_path, {"a.py": SERVICE.lstrip()})("cancelOrder"))
    assert "def cancelOrder" in hit.text


def test_other_spans_of_the_file_fold_under_the_best(tmp_path: Path) -> None:
    body = "".join(long_function(f"work_{number}", 9) + "\n\n" for number in range(3))
    hit = only(build(tmp_path, {"a.py": body})("zebra"))
    assert len(hit.also) == 2
    assert (hit.start_line, hit.end_line) not in hit.also


def test_a_stack_frame_leads_to_its_line(tmp_path: Path) -> None:
    body = "".join(long_function(f"work_{number}", 9) + "\n\n" for number in range(3))
    ask = build(tmp_path, {"pkg/a.py": body, "pkg/b.py": "x = 1\n"})
    hit = ask('File "/srv/app/pkg/a.py", line 100, in work_1').hits[0]
    assert hit.chunk.path == "pkg/a.py"
    assert hit.start_line <= 100 <= hit.end_line


# Vectors that are missing degrade the answer and say so.


def test_an_index_without_vectors_answers_by_keywords_and_says_so(tmp_path: Path) -> None:
    build(tmp_path, {"a.py": SERVICE})
    from codemem.store import create_store

    with create_store(store_path(tmp_path)) as store:
        store.connection.execute("DELETE FROM vector")
        for cache in store_path(tmp_path).parent.glob("vectors-*"):
            cache.unlink()
    with open_store(store_path(tmp_path)) as store:
        result = search(store, Query("createOrder"))
    assert paths(result) == ["a.py"]
    assert any("keyword" in reason for reason in result.degraded)


def test_words_that_stand_nowhere_find_nothing(tmp_path: Path) -> None:
    ask = build(tmp_path, {"a.py": SERVICE})
    assert ask("qwxzzy").hits == ()
    assert ask("qwxzzy", mode="keyword").hits == ()


def test_a_session_sees_a_refreshed_index(tmp_path: Path) -> None:
    ask = build(tmp_path, {"a.py": SERVICE})
    assert ask("zebra", mode="keyword").hits == ()
    (tmp_path / "b.py").write_text(long_function("work", 3), "utf-8")
    refresh(tmp_path, Settings(jobs=1))
    assert paths(ask("zebra"))[0] == "b.py"
    (tmp_path / "b.py").unlink()
    refresh(tmp_path, Settings(jobs=1))
    assert ask("zebra", mode="keyword").hits == ()


USER = "import { useGate } from './gates';\n\n/** A door that opens by the gate. */\nexport function Door(id: string) {\n  const gate = useGate(id);\n  return gate.open ? useGate(id).render() : null;\n}\n"


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("src/index.ts", "export { useGate } from '@gate/core';\nexport { Door } from './door';\n"),
        ("src/gates.ts", "export { useGate } from '@gate/core';\nexport { Door } from './door';\n"),
        ("src/gates.ts", "export { gate as useGate } from '@gate/core';\n"),
        ("src/gates.ts", "import { useGate } from '@gate/core';\n\nexport { useGate };\n"),
        ("src/gates.py", "from gate.core import useGate\n\n__all__ = ['useGate']\n"),
    ],
)
def test_a_symbol_that_nothing_defines_is_where_it_is_handed_on(tmp_path: Path, path: str, text: str) -> None:
    files = {
        path: text,
        "src/door.ts": USER,
        "src/lamp.ts": "export const lamp = 1;\n",
        "README.md": "# Gate\nDoors.\n",
    }
    ask = build(tmp_path, files)
    assert paths(ask("useGate"))[:2] == [path, "src/door.ts"]
    assert paths(ask("Door"))[0] == "src/door.ts"


ACCENTS = {
    "commande.py": "def créer(commande):\n    return commande\n\n\ndef état_civil(personne):\n    return personne\n",
    "plain.py": "def remplacer(commande):\n    return commande\n\n\ndef supprimer_eleve(nom):\n    return nom\n",
    "strasse.py": "def straße_prüfen(ort):\n    return ort\n\n\ndef kunde_loeschen(kunde):\n    return kunde\n",
    "bestilling.py": "def hent_øre(beløb):\n    return beløb\n",
    "order.py": "def 创建订单(商品):\n    return 商品\n",
}


@pytest.fixture(scope="module")
def accents(tmp_path_factory: pytest.TempPathFactory) -> Ask:
    return build(tmp_path_factory.mktemp("accents"), ACCENTS)


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("creer", "commande.py#créer"),
        ("créer", "commande.py#créer"),
        ("CRÉER", "commande.py#créer"),
        ("cre\u0301er", "commande.py#créer"),
        ("etatCivil", "commande.py#état_civil"),
        ("supprimer élève", "plain.py#supprimer_eleve"),
        ("SupprimerÉlève", "plain.py#supprimer_eleve"),
        ("strasse pruefen", "strasse.py#straße_prüfen"),
        ("strasse_prufen", "strasse.py#straße_prüfen"),
        ("Kunde löschen", "strasse.py#kunde_loeschen"),
        ("KundeLöschen", "strasse.py#kunde_loeschen"),
        ("hent_ore", "bestilling.py#hent_øre"),
        ("创建订单", "order.py#创建订单"),
    ],
)
def test_accents_are_neither_needed_nor_in_the_way(accents: Ask, question: str, found: str) -> None:
    assert places(accents(question, mode="keyword"))[0] == found


def test_a_word_without_its_accents_is_worth_as_much_as_with_them(accents: Ask) -> None:
    with_accents, without = (accents(f"où {word} une commande", mode="keyword") for word in ("créer", "creer"))
    assert [hit.score for hit in with_accents.hits] == pytest.approx([hit.score for hit in without.hits])


def test_the_exact_spelling_comes_before_the_one_without_accents(tmp_path: Path) -> None:
    ask = build(tmp_path, {"a.py": "def resume():\n    return 1\n", "b.py": "def résumé():\n    return 1\n"})
    assert places(ask("résumé"))[0] == "b.py#résumé"
    assert places(ask("resume"))[0] == "a.py#resume"


BESIDE = {
    "src/orders.ts": (
        "export class OrderService {\n  /** Creates an order and saves it. */\n"
        "  async createOrder(cart: string[]): Promise<string> {\n    return cart.join();\n  }\n}\n"
    ),
    "docs/createOrder.md": (
        "# createOrder\n\n`createOrder` creates an order from a cart. Call `createOrder(cart)`.\nHow to create order: see createOrder.\n"
    ),
    "schemas/createOrder.json": '{"createOrder": {"create": "order", "title": "createOrder"}}\n',
    "tests/createOrder.test.ts": (
        'import { OrderService } from "../src/orders";\n'
        'test("createOrder", async () => {\n  await new OrderService().createOrder([]);\n});\n'
    ),
    "examples/createOrder.ts": (
        'import { OrderService } from "../src/orders";\nconst service = new OrderService();\nservice.createOrder([]);\n'
    ),
}


@pytest.fixture(scope="module")
def beside(tmp_path_factory: pytest.TempPathFactory) -> Ask:
    return build(tmp_path_factory.mktemp("beside"), BESIDE)


@pytest.mark.parametrize("mode", ["keyword", "hybrid"])
@pytest.mark.parametrize(
    "query",
    [
        "createOrder",
        "where is createOrder defined",
        "OrderService#createOrder",
        "create order",
        "create_order",
        "createOrder()",
    ],
)
def test_r40_the_definition_comes_before_files_that_are_called_like_it(beside: Ask, query: str, mode: str) -> None:
    assert beside(query, mode=mode).hits[0].chunk.path == "src/orders.ts"


@pytest.mark.parametrize("query", ["docs of createOrder", "createOrder documentation"])
def test_the_page_comes_first_when_it_is_asked_for(beside: Ask, query: str) -> None:
    assert beside(query).hits[0].chunk.path == "docs/createOrder.md"


def test_what_a_library_offers_to_tests_is_told_from_tests_by_what_it_holds(tmp_path: Path) -> None:
    ask = build(
        tmp_path,
        {
            "shop/testing.py": "class Runner:\n    def invoke(self, order):\n        '''Invoke an order in isolation.'''\n        return order\n",
            "shop/test_orders.py": "def test_invoke(order):\n    '''Invoke an order in isolation.'''\n    assert order\n",
            "shop/orders.py": "class Order:\n    pass\n",
        },
    )
    hits = ask("invoke an order in isolation").hits
    demoted = {hit.chunk.path: "test" in hit.why for hit in hits}
    assert (demoted["shop/testing.py"], demoted["shop/test_orders.py"]) == (False, True)


@pytest.mark.parametrize(
    ("question", "shown"), [("how is an order parsed", "parse"), ("tests for parsing an order line", "parse_line")]
)
def test_of_a_source_with_tests_inside_the_source_is_shown(tmp_path: Path, question: str, shown: str) -> None:
    text = """/// Parses an order.
pub fn parse(text: &str) -> Order { Order::new(text.trim()) }

#[cfg(test)]
mod tests {
    use super::*;

    /// Parses an order line, and another order line.
    #[test]
    fn parse_line() { assert!(parse("order line").is_line()); }
}
"""
    assert build(tmp_path, {"src/order.rs": text})(question).hits[0].chunk.name == shown


def test_a_schema_stands_as_well_as_code_that_calls(tmp_path: Path) -> None:
    """Tables in SQL call nothing, and nothing speaks against them for it; a module of names calls nothing either."""
    ask = build(
        tmp_path,
        {
            "db/orders.sql": "CREATE TABLE orders (\n  id INT PRIMARY KEY,\n  customer TEXT NOT NULL\n);\n",
            "db/loader.py": "def load(connection):\n    connection.open()\n    connection.read()\n    connection.close()\n    return len(connection)\n",
            "db/names.py": 'ORDERS = "orders"\nCUSTOMERS = "customers"\n',
        },
    )
    works = {hit.chunk.path: hit.why.get("works", 0.0) for hit in ask("db orders").hits}
    assert works["db/orders.sql"] > works["db/names.py"] == 0.0
