"""Put captured facts in their place: one sweep over the file gives every call and fact its definition and context."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from codemem.parse.names import owner_name
from codemem.parse.records import Captures, Handler, RawBinding, RawCall, RawFact, Site

TYPE_KINDS = frozenset(("class", "interface", "enum", "type", "scope.type"))
MEMBER_KINDS = frozenset(("method", "field", "constant"))
NEAREST_RANGES = 200
"""Ranges looked back at: more siblings than that stand before no parameter of a hand-written list."""
MODULE_NAME = "<module>"
"""Qualified name of the code outside every definition: no language can define such a name."""


@dataclass(slots=True)
class Definition:
    """One definition in its nest; the module is the definition around all others."""

    kind: str
    name: str
    names: tuple[str, ...]
    qualified_name: str
    parent: str
    sites: list[Site]
    start: int
    end: int
    module: bool = False
    scope: bool = False
    up: Definition | None = None
    """The definition or scope around it."""
    calls: list[tuple[RawCall, Context]] = field(default_factory=list)
    facts: list[tuple[RawFact, Context]] = field(default_factory=list)
    bindings: list[RawBinding] = field(default_factory=list)
    extends: list[tuple[int, int]] = field(default_factory=list)
    modifiers: list[tuple[int, int]] = field(default_factory=list)
    results: list[tuple[int, int]] = field(default_factory=list)
    docs: list[tuple[int, int]] = field(default_factory=list)
    locals: list[tuple[int, int]] = field(default_factory=list)
    absorbed: list[Definition] = field(default_factory=list)
    """Neighbouring clauses that were merged into this one."""


class Context(NamedTuple):
    """What holds at one place of the file."""

    definition: Definition
    container: Definition
    mark: str
    guards: tuple[tuple[int, int], ...]
    handlers: tuple[Handler, ...]
    orders: tuple[tuple[int, int], ...]


class Region(NamedTuple):
    """A range that changes the context of what stands in it."""

    kind: str
    key: tuple[int, int]
    handler: Handler | None = None


def nest(captures: Captures, size: int) -> list[Definition]:
    """Return the module and every definition and scope in source order, filled with what belongs to them."""
    module = Definition("module", "", ("",), MODULE_NAME, "", [], 0, size + 1, module=True)
    found = [module]
    stack: list[tuple[int, Context]] = [(size + 1, Context(module, module, "", (), (), ()))]
    contracts = sorted(captures.contracts)
    stated: list[RawFact] = []
    for start, end, item in _events(captures):
        while stack[-1][0] <= start and len(stack) > 1:
            stack.pop()
        context = stack[-1][1]
        contract = innermost(contracts, start) if contracts else None
        if contract is not None and contract[0] >= context.definition.start and type(item) in (RawCall, RawFact):
            if type(item) is RawFact and contract[0] > context.definition.start:
                stated.append(item)  # it speaks of the definition that follows
            elif type(item) is RawFact:
                context.definition.facts.append((item, context))
        elif type(item) is RawCall:
            context.definition.calls.append((item, context))
        elif type(item) is Region:
            stack.append((end, _inside(item, context)))
        elif type(item) is list:
            definition = _define(item, context)
            found.append(definition)
            inner = context.definition if definition.scope else definition
            stack.append((end, Context(inner, definition, "", (), (), ())))
            if not definition.scope:
                definition.facts.extend((fact, stack[-1][1]) for fact in stated)
                stated.clear()
        elif type(item) is RawFact:
            if not item.variable or _compared(item, context):
                context.definition.facts.append((item, context))
        elif type(item) is RawBinding:
            context.definition.bindings.append(item)
        elif type(item) is str:
            _attach(item, (start, end), context)
    return found


def evaluation_key(call: RawCall, context: Context, captures: Captures) -> tuple[int, int, int]:
    """Sort key of a call in evaluation order: its end, after rearranging scopes whose parts run out of source order."""
    if not context.orders:
        return (call.end, -call.start, call.callee_start)
    start, end = call.start, call.end
    for scope in context.orders:
        shift = _shift(scope, captures.orders[scope], start, end)
        start, end = start + shift, end + shift
    return (end, -start, call.callee_start)


def _events(captures: Captures) -> Iterator[tuple[int, int, object]]:
    """Yield regions, definitions and leaves by position; what encloses comes first."""
    payloads: list[object] = []
    order: list[tuple[int, int, int, int]] = []

    def add(start: int, end: int, rank: int, payload: object) -> None:
        order.append((start, -end, rank, len(payloads)))
        payloads.append(payload)

    for start, end in captures.loops:
        add(start, end, 0, Region("*", (start, end)))
    for start, end in captures.branches:
        add(start, end, 0, Region("?", (start, end)))
    for start, end in captures.orders:
        add(start, end, 0, Region("order", (start, end)))
    for handler in captures.handlers.values():
        add(handler.start, handler.end, 0, Region("handler", (handler.start, handler.end), handler))
    for key in {scope for handler in captures.handlers.values() for scope in handler.scopes}:
        add(*key, 0, Region("scope", key))
    for group in _same_range(captures.sites.values()):
        add(group[0].start, group[0].end, 1 if group[0].kind.startswith("scope.") else 2, group)
    for call in captures.calls.values():
        add(call.start, call.end, 3, call)
    for fact in captures.facts.values():
        add(fact.start, fact.end, 3, fact)
    for binding in captures.bindings.values():
        add(binding.start, binding.end, 3, binding)
    for name in ("extends", "modifiers", "results", "docs", "locals"):
        for start, end in getattr(captures, name):
            add(start, end, 3, name)
    order.sort()
    for start, end, _rank, index in order:
        yield start, -end, payloads[index]


def _same_range(sites: Iterable[Site]) -> list[list[Site]]:
    """Group definitions with one and the same range: they are one chunk with several names."""
    groups: dict[tuple[int, int, bool], list[Site]] = {}
    for site in sorted(sites, key=lambda site: site.name_start):
        if site.kind:
            groups.setdefault((site.start, site.end, site.kind.startswith("scope.")), []).append(site)
    return list(groups.values())


def _inside(region: Region, context: Context) -> Context:
    if region.kind == "*":
        return context._replace(mark="*")
    if region.kind == "?":
        return context._replace(mark=context.mark or "?")
    if region.kind == "scope":
        return context._replace(guards=(region.key, *context.guards))
    if region.handler is not None:
        own = region.handler.scopes  # a clause inside its scope does not guard itself
        guards = tuple(each for each in context.guards if each not in own)
        return context._replace(mark=context.mark or "?", guards=guards, handlers=(region.handler, *context.handlers))
    return context._replace(orders=(region.key, *context.orders))


def _define(sites: list[Site], context: Context) -> Definition:
    """Make a definition of one group of sites, qualified by what is around it."""
    site = sites[0]
    up = context.container
    scope = site.kind.startswith("scope.")
    owner = owner_name(site.owner)
    kind = site.kind
    if kind == "field" and up.kind == "method" and up.up is not None and up.up.kind in TYPE_KINDS:
        up = up.up  # declared in the parameters of a constructor
    if kind == "function" and (owner or up.kind in TYPE_KINDS):
        kind = "method"
    name = owner_name(site.name) if scope else site.name
    names = tuple(dict.fromkeys(each.name for each in sites))
    prefix, joint = _prefix(up, kind), ""
    if owner:
        around = _module_of(up)
        prefix = f"{around.qualified_name}.{owner}" if around is not None else owner
        joint = "#" if kind in MEMBER_KINDS else "."
    elif prefix:
        joint = "#" if kind in MEMBER_KINDS and _nearest_named(up).kind in TYPE_KINDS else "."
    qualified = f"{prefix}{joint}{name}" if name else prefix
    if not qualified:
        qualified = MODULE_NAME if scope else name
    start = min(each.outer_start if each.outer_start >= 0 else each.start for each in sites)
    end = max(max(each.end, each.outer_end) for each in sites)
    return Definition(kind, name, names, qualified, prefix, sites, start, end, scope=scope, up=up)


def _prefix(up: Definition, _kind: str) -> str:
    return "" if up.module or up.qualified_name == MODULE_NAME else up.qualified_name


def _nearest_named(up: Definition) -> Definition:
    """Return the nearest enclosing definition or scope that has a name of its own."""
    while not up.name and up.up is not None:
        up = up.up
    return up


def _module_of(up: Definition) -> Definition | None:
    """Return the innermost namespace with a name around a definition that names its owner itself."""
    found: Definition | None = up
    while found is not None and not (found.kind == "scope.module" and found.name):
        found = found.up
    return found


def _compared(fact: RawFact, context: Context) -> bool:
    """Tell whether the fact states that a handler around it handles a type that it compares its variable with."""
    for handler in context.handlers:
        if handler.variable == fact.variable:
            if fact.role == "kept":
                handler.narrowed.append(fact.text)
            elif fact.role == "passes":
                handler.passed.append(fact.text)
            return fact.role == "catch"
    return False


def _attach(name: str, key: tuple[int, int], context: Context) -> None:
    target = context.container if name == "extends" else context.definition
    getattr(target, name).append(key)


def _shift(scope: tuple[int, int], firsts: set[tuple[int, int]], start: int, end: int) -> int:
    """How far a place inside `scope` moves when the ranges in `firsts` are put in front of the rest."""
    ordered = sorted(firsts)
    moved = 0
    for first_start, first_end in ordered:
        if first_start <= start and end <= first_end:
            return scope[0] + moved - first_start
        moved += first_end - first_start
    behind = sum(first_end - first_start for first_start, first_end in ordered if first_start >= end)
    return behind


def innermost(ranges: list[tuple[int, int]], position: int) -> tuple[int, int] | None:
    """Return the innermost of properly nested, sorted `ranges` that holds `position`."""
    index = bisect_right(ranges, (position, 1 << 62)) - 1
    for at in range(index, max(-1, index - NEAREST_RANGES), -1):
        if ranges[at][0] <= position < ranges[at][1]:
            return ranges[at]
    return None
