"""Types that only the documentation says: of parameters, and of what fields hold."""

from __future__ import annotations

import pytest
from test_resolve import resolve, told

PHP = """<?php
class Item { public function go(): void {} }
class Box {
  /** @var array<int, Item> */
  private array $items = [];
  /** @var Item[] */
  protected $list;
  /** @var Item|null */
  private $one;
  /**
   * @param Item[] $all what there is
   * @param iterable<Item> $some
   * @param Other $typed is wrong here
   */
  public function run(array $all, iterable $some, Item $typed) {
    CALL
  }
}
"""
JAVASCRIPT = """class Item { go() {} }
/**
 * @param {Item} item the one
 * @param {Item[]} [items]
 * @param {import('./x').Item|null} other
 * @param {{a: number}} bag
 */
function run(item, items, other, bag) {
  CALL
}
"""


@pytest.mark.parametrize(
    ("path", "call"),
    [
        ("box.php", "foreach ($this->items as $at => $item) { $item->go(); }"),
        ("box.php", "foreach ($this->list as $item) { $item->go(); }"),
        ("box.php", "$this->items[1]->go();"),
        ("box.php", "$first = $this->list[0]; $first->go();"),
        ("box.php", "$this->one->go();"),
        ("box.php", "foreach ($all as $item) { $item->go(); }"),
        ("box.php", "foreach ($some as &$item) { $item->go(); }"),
        ("box.php", "$typed->go();"),
        ("box.js", "item.go()"),
        ("box.js", "for (const each of items) each.go()"),
        ("box.js", "other.go()"),
    ],
)
def test_documentation_types_what_the_code_leaves_open(path: str, call: str) -> None:
    source = (PHP if path.endswith("php") else JAVASCRIPT).replace("CALL", call)
    place = "Box#run" if path.endswith("php") else "run"
    assert told(resolve({path: source})[f"{path} {place}"][-1]) == f"resolved {path} Item#go"


def test_what_is_written_as_a_shape_has_no_own_type() -> None:
    assert told(resolve({"box.js": JAVASCRIPT.replace("CALL", "bag.go()")})["box.js run"][-1]) == "unresolved"
