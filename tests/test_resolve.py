"""Where calls lead: small sources of many languages, each call with the answer it must get."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codemem.languages import detect_language
from codemem.parse import parse_file
from codemem.resolve import MemoryUniverse, Session, facts_of, resolve_file, shown_calls, universe_of
from codemem.resolve.expressions import receiver_steps, type_name
from codemem.resolve.profile import profile_of
from codemem.resolve.signatures import generic_parameters, with_arguments
from codemem.types import READS, Call, SourceFile

Files = dict[str, str]


def resolve(files: Files) -> dict[str, list[Call]]:
    """Resolve all files; the calls by the place that makes them (`path name`)."""
    facts = [
        facts_of(parse_file(SourceFile(path, detect_language(path, text), text, ""))) for path, text in files.items()
    ]
    session = Session(universe_of(facts))
    found: dict[str, list[Call]] = {}
    for file in facts:
        for chunk, resolved in zip(file.chunks, resolve_file(file, session).chunks, strict=True):
            found.setdefault(f"{file.head.path} {chunk.qualified_name}", []).extend(resolved.calls)
    return found


def told(call: Call) -> str:
    """Say in a line what a call got: certainty, target, candidates, module."""
    words = [call.certainty]
    if call.target:
        words.append(f"{call.target.path} {call.target.qualified_name}")
        if call.target.ordinal:
            words.append(f"#{call.target.ordinal}")
    if call.candidates:
        words.append("[" + ", ".join(key.qualified_name for key in call.candidates) + "]")
    if call.module and call.module != READS:
        words.append(f"from {call.module}")
    return " ".join(words)


PYTHON: Files = {
    "pkg/__init__.py": "from .core import Store as Shop\nfrom .core import helper\n",
    "pkg/core.py": (
        "import json\nfrom .base import Base\n\n\nclass Store(Base):\n    def __init__(self, db: 'Db'):\n        super().__init__()\n"
        "        self.db = db\n\n    def save(self, item):\n        self.check(item)\n        self.db.write(json.dumps(item))\n"
        "        return self.path_for(item)\n\n    def check(self, item):\n        def inner(x):\n            return helper(x)\n\n"
        "        return inner(item)\n\n    @classmethod\n    def make(cls) -> 'Store':\n        return cls(Db())\n\n\n"
        "class Db:\n    def write(self, text):\n        pass\n\n\ndef helper(cb):\n    return cb(1)\n\n\ndef recursion(n):\n    return recursion(n - 1)\n"
    ),
    "pkg/base.py": "class Base:\n    def __init__(self):\n        self.n = 0\n\n    def path_for(self, item):\n        return item\n",
    "main.py": (
        "import os.path\nimport pkg.core as c\nfrom pkg import Shop, helper as h\nfrom requests import get\nfrom unknown import *\n\n\n"
        "def main(param):\n    shop = Shop(None)\n    shop.save(1)\n    shop.path_for(2)\n    h(len)\n    c.recursion(1)\n"
        "    Shop.make().save(3)\n    get('u')\n    os.path.join('a')\n    param.save(1)\n    param()\n    mystery(1)\n"
    ),
}  # fmt: skip
JAVA: Files = {
    "shop/Store.java": "package shop;\npublic interface Store { void take(int n); }\n",
    "shop/Disk.java": "package shop;\npublic class Disk implements Store {\n  public void take(int n) { take(n, 1); }\n  void take(int n, int m) { }\n}\n",
    "shop/Shop.java": (
        "package shop;\nimport java.util.List;\nimport shop.other.Helper;\nimport static shop.other.Helper.check;\nclass Shop extends Base<Disk> {\n"
        "  private Store store; private List<Disk> disks;\n  Shop(Store s) { super(1); this.store = s; }\n  Shop() { this(new Disk()); }\n"
        "  void sell() { store.take(1); disks.get(0).take(1, 2); Helper.check(1); check(2); item().take(5); inherited(); toString(); }\n"
        "  void print(String s) { System.out.println(s.trim()); unknown(s); }\n  class Inner { void run() { sell(); Shop.this.sell(); } }\n}\n"
    ),
    "shop/Base.java": "package shop;\nabstract class Base<T extends Store> {\n  Base(int n) {}\n  T item() { return null; }\n  void inherited() {}\n}\n",
    "shop/other/Helper.java": "package shop.other;\npublic class Helper { public static void check(int n) {} }\n",
}  # fmt: skip
TYPESCRIPT: Files = {
    "src/index.ts": "export { createOrder as order } from './orders/create';\nexport * from './orders/types';\n",
    "src/orders/create.ts": (
        "import { Repo } from './types';\nexport const createOrder = (repo: Repo) => {\n  const inner = () => repo.save();\n  inner();\n  return helper(repo);\n};\n"
        "function helper(repo: Repo) { return repo.find(1).ship(); }\nexport default class Facade { private repo = new Repo(); run() { this.repo.save(); this.other(); } other() {} }\n"
        "export const alias = helper;\nexport function viaAlias() { alias(null); }\n"
    ),
    "src/orders/types.ts": "export class Order { ship(): void {} }\nexport class Repo { save() {} find(id: number): Order { return new Order(); } }\n",
    "src/main.ts": (
        "import { order, Repo } from '.';\nimport Facade from './orders/create';\nimport express from 'express';\nimport * as create from './orders/create';\n"
        "export function main() { order(new Repo()); new Facade().run(); express(); create.viaAlias(); }\n"
    ),
}  # fmt: skip
RENAMED: Files = {
    "a.ts": "function fn(n: number) { throw new TypeError('x'); }\nfunction gn() { fn(1); }\nexport { fn as renamed, gn as default };\n",
    "again.ts": "import { renamed } from './a';\nimport { readFile } from 'node:fs';\nexport { renamed as other, readFile as read };\nexport { ghost };\n",
    "main.ts": (
        "import { renamed as r } from './a';\nimport g from './a';\nimport * as all from './a';\nimport { other, read, ghost } from './again';\n"
        "export function main() { r(2); g(); all.renamed(3); other(4); read('x'); ghost(); }\n"
    ),
}  # fmt: skip
ERRORS: Files = {
    "own.py": "class TimeoutError(Exception):\n    def __init__(self, why):\n        self.why = why\n",
    "main.py": (
        "from own import TimeoutError\n\ndef main(timeout):\n    isinstance(1, int)\n    raise RuntimeError('x')\n\ndef other(timeout):\n"
        "    timeout(1)\n    Mystery('x')\n    raise TimeoutError('x')\n"
    ),
}  # fmt: skip
GO: Files = {
    "go/store/store.go": (
        "package store\n\nimport \"fmt\"\n\ntype Reader interface { Read(k string) string }\ntype Disk struct { inner *Inner }\ntype Inner struct{}\n"
        "func (d *Disk) Read(k string) string { return d.inner.load(k) }\nfunc (i *Inner) load(k string) string { return fmt.Sprint(k) }\nfunc New() *Disk { return &Disk{} }\n"
    ),
    "go/store/more.go": "package store\n\nfunc Twice(r Reader) { r.Read(\"a\"); New().Read(\"b\") }\n",
    "go/main.go": "package main\n\nimport \"example.com/x/go/store\"\n\nfunc main() {\n\td := store.New()\n\td.Read(\"x\")\n\tstore.Twice(d)\n}\n",
}  # fmt: skip
RUST: Files = {
    "src/lib.rs": "mod store;\npub use store::Store;\nuse crate::store::helper as h;\npub fn run() { let s = Store::new(); s.get(1); h(2); inner::deep(); }\nmod inner { pub fn deep() { super::run(); } }\n",
    "src/store.rs": (
        "pub trait Source { fn get(&self, n: u32) -> u32; }\npub struct Store { inner: Box<Inner> }\nstruct Inner;\n"
        "impl Store { pub fn new() -> Self { Store { inner: Box::new(Inner) } } fn all(&self) { self.get(1); Self::new(); self.inner.load(); } }\n"
        "impl Source for Store { fn get(&self, n: u32) -> u32 { n } }\nimpl Inner { fn load(&self) {} }\npub fn helper(n: u32) {}\n"
    ),
}  # fmt: skip
COMMONJS: Files = {
    "lib/reply.js": (
        "const { done } = require('./hooks')\nconst Hooks = require('./hooks')\nconst eos = require('node:stream').finished\n"
        "function Reply (raw, cb) { this.hooks = new Hooks(); cb(); this.send() }\n"
        "Reply.prototype.send = function (x) { this.getHeader(); serialize(x); this.hooks.add(); done() }\n"
        "Reply.prototype.getHeader = function () { return 1 }\n"
        "Reply.prototype.serialize = function () { return serialize(1) }\n"
        "const api = { get () { get() }, post: () => { api.get() } }\n"
        "function run () { const r = new Reply(); r.send(); get(); const { send } = r; send();"
        " return { close () {}, open () { close() } } }\n"
        "module.exports = Reply\nmodule.exports.api = api\n"
    ),
    "lib/hooks.js": "function Hooks () {}\nHooks.prototype.add = function () {}\nmodule.exports = Hooks\nmodule.exports.done = function () {}\n",
    "main.js": (
        "const Reply = require('./lib/reply')\nconst { api } = require('./lib/reply')\nconst plugin = require('./plugin')\n"
        "const Named = require('./named')\nconst desk = require('./desk')\nconst split = require('split2')\nconst all = require('./all')\n"
        "function main () { new Reply().send(); api.get(); plugin(); new Named().go(); desk.start(); split(); all.start(); new Map() }\n"
    ),
    "plugin.js": "module.exports = async (x) => { throw new Error('x') }\n",
    "named.js": "module.exports = class Named { go () {} }\n",
    "desk.js": "module.exports = { start () { stop() }, stop: function () {} }\n",
    "all.js": "module.exports = require('./desk')\n",
}
COMPONENTS: Files = {
    "types.ts": (
        "export interface Base { save(): void }\nexport interface Control { watch(x: string): void }\n"
        "export type Props<T> = { control: Control; render: (x: number) => string } & Base;\nexport type Other = Base;\n"
        "export type Form<T> = { register: Register<T>; reset: () => void };\n"
    ),
    "use.tsx": (
        "import { Props, Other, Form, Control } from './types';\nimport { cb } from './cb';\n"
        "export function useForm<T>(options?: object): Form<T> { return {} as Form<T>; }\n"
        "export const Drawn = (props: Props<X>) => { props.render(1); props.save(); };\n"
        "export const Taken = ({ control }: Props<X>) => control.watch('a');\n"
        "export const Inline = ({ control }: { control: Control }) => control.watch('b');\n"
        "export function Kept(o: Other, p: { cb: () => void }) { o.save(); cb(); }\n"
        "export function Page() { const { register, reset } = useForm<Foo>({ a: { b: 1 } }); register('x'); reset(); }\n"
        "export async function typed() { const form = await useForm<{ a: string }>(1); form.register(2); }\n"
    ),
    "cb.ts": "export const cb = () => 1;\n",
    "cb.d.ts": "export declare function cb(): number;\n",
}
RUBY: Files = {
    "lib/shop.rb": "module Shop\n  def self.open; end\nend\n",
    "lib/shop/store.rb": (
        "module Shop\n  class Store < Base\n    attr_reader :size\n    def initialize(log, opts = defaults)\n      @log = log\n"
        "      @queue = Queue.new\n    end\n"
        "    def add(item)\n      return false unless room\n      name = compute\n      place name, item, *rest\n      @queue.push(name)\n"
        "      run = lambda { name; compute }\n      use run\n      size\n    end\n"
        "    def room; compute > size end\n    def compute = 1\n    def place(*all) end\n    def item; end\n    def defaults; {} end\n"
        "    def name; end\n  end\n  class Queue\n    def push(x) end\n  end\nend\n"
    ),
    "lib/shop/inner.rb": "module Shop\n  def self.settings; end\n  class Desk\n    def go; settings; end\n  end\nend\n",
    "lib/shop/base.rb": "module Shop\n  class Base\n    def rest; [] end\n    def run; end\n  end\nend\n",
    "lib/rack/shop.rb": "module Rack\n  module Shop\n    def self.run; end\n  end\nend\n",
    "main.rb": "store = Shop::Store.new(1)\nstore.add(2)\nstore.size\nShop.open\nworkers\n",
    "other.rb": "def workers; end\n",
}
OPTIONS: Files = {
    "a.vue": (
        "<script>\nexport default {\n  methods: {\n    save() { this.load(); this.$emit('x'); },\n    load() { return 1; },\n  },\n"
        "  mounted() { this.save(); },\n};\nfunction alone() { this.load(); }\n</script>\n"
    ),
    "b.js": "const api = {\n  get(u) { return this.send(u); },\n  send(u) { return fetch(u); },\n};\nfunction f() { this.send(1); }\n",
}
PHP: Files = {
    "src/Reason.php": (
        "<?php\nnamespace App;\nfinal class Reason extends \\RuntimeException {\n  private string $reason = '';\n"
        "  public function reason(): string { return $this->reason; }\n  public function next(): Reason { return $this; }\n}\n"
    ),
    "src/Desk.php": (
        "<?php\nnamespace App;\nuse Vendor\\Uri;\nclass Desk {\n  public function run(Reason $reason, Uri $uri) {\n"
        "    $reason->reason();\n    $host = $uri->host();\n    $host->getPath();\n    $other = $this->find();\n    $other->next();\n"
        "    $reason = $reason->next();\n    $reason->next()->reason();\n  }\n  private function find(): Reason {}\n}\n"
        "class Cookie { public function getPath() {} }\n"
    ),
}
DART: Files = {
    "lib/a.dart": (
        "import 'b.dart';\n"
        "import 'package:shop/src/c.dart';\n"
        "import 'package:http/http.dart' as http;\n"
        "part 'p.dart';\n"
        "class A extends Base {\n"
        "  final Queue q = Queue();\n"
        "  Future<int> f(Req ro) async { return fetch<int>(ro); }\n"
        "  Future<int> fetch<T>(Req r) async => 1;\n"
        "  void g(Options? o, Token t) {\n"
        "    final x = (o ?? Options()).compose(1).run();\n"
        "    if (t.done) throw t.cancelError!;\n"
        "    if (x) throw Failure.late('x');\n"
        "    if (x) throw Failure('y');\n"
        "    if (x) throw t;\n"
        "    throw makeError();\n"
        "  }\n"
        "  Failure makeError() => Failure('z');\n"
        "  Future<void> h() async {\n"
        "    q..push(1)..pop();\n"
        "    this.q.push(2);\n"
        "    list.map((e) => e.toString()).toList();\n"
        "    final v = await this.q.pop();\n"
        "    v.compose(2);\n"
        "    super.init();\n"
        "    final c = C.named(1);\n"
        "    c.go();\n"
        "    late D d;\n"
        "    d = D();\n"
        "    d.stop();\n"
        "    hidden();\n"
        "    helper<String>('x');\n"
        "  }\n"
        "}\n"
        "class Failure implements Exception { Failure(String m); factory Failure.late(String m) { return Failure(m); } }\n"
        "class Token { Failure? cancelError; bool done = false; }\n"
        "class Base { void init() {} }\n"
        "class D { void stop() {} }\n"
        "T helper<T>(String s) => s as T;\n"
    ),
    "lib/p.dart": ("part of 'a.dart';\nvoid hidden() { helper('y'); }\n"),
    "lib/b.dart": (
        "class Queue { void push(int x) {} Options pop() => Options(); }\n"
        "class Options { Options compose(int a) => this; bool run() => true; Options({int? a}); }\n"
        "class Req {}\n"
    ),
    "lib/src/c.dart": ("class C { C.named(int x); void go() {} }\n"),
    "test/x_test.dart": ("class MockList { List toList() => []; }\n"),
    "lib/e.dart": (
        "import 'b.dart';\n"
        "class H {\n"
        "  Future<Options?> make() async => null;\n"
        "  final List<Queue> qs = [];\n"
        "  void run(Map<String, Queue> m) async {\n"
        "    final o = await make();\n"
        "    o.compose(1);\n"
        "    for (final q in qs) { q.push(1); }\n"
        "    (await make()).run();\n"
        "    make().then((v) => v);\n"
        "  }\n"
        "}\n"
    ),
}
ELIXIR: Files = {
    "lib/ecto.ex": ("defmodule Ecto do\n  def put_meta(struct, opts), do: struct\nend\n"),
    "lib/ecto/query.ex": (
        "defmodule Ecto.Query do\n"
        "  alias Ecto.Query.Builder\n"
        "  defmacro from(expr, kw \\\\ []) do\n"
        "    Builder.From.build(expr)\n"
        "  end\n"
        "  def subquery(q, opts \\\\ []), do: q\n"
        "  def where(q, x), do: q\n"
        "end\n"
    ),
    "lib/ecto/query/builder/from.ex": ("defmodule Ecto.Query.Builder.From do\n  def build(x), do: x\nend\n"),
    "lib/mix/tasks/a.ex": (
        "defmodule Mix.Tasks.A do\n"
        "  import Ecto.Query, only: [subquery: 1]\n"
        "  import Mix.Helper\n"
        "  alias Ecto.{Query, Repo}\n"
        "  alias Ecto.Query.Builder, as: B\n"
        "  def run(args) do\n"
        "    x = subquery(args)\n"
        "    Mix.Helper.parse(args)\n"
        "    Ecto.Query.where(x, 1)\n"
        "    Ecto.put_meta(x, [])\n"
        "    Query.where(x, 2)\n"
        "    B.From.build(x)\n"
        "    helper(1)\n"
        "    args |> take(3) |> Ecto.Query.where(1) |> Enum.map(&step/1)\n"
        "    __MODULE__.run(1)\n"
        '    raise ArgumentError, "x"\n'
        "  end\n"
        "  defp take(list, n), do: Enum.take(list, n)\n"
        "  defp step(x), do: x\n"
        "end\n"
    ),
    "lib/mix/helper.ex": ("defmodule Mix.Helper do\n  def parse(x), do: x\n  def helper(y), do: y\nend\n"),
}
LUA: Files = {
    "src/rocks/dir.lua": (
        "local dir = {}\n"
        'local core = require("rocks.core.dir")\n'
        "dir.norm = core.normalize\n"
        "function dir.path(a, b) return core.normalize(a) end\n"
        "function dir.base(x) return dir.path(x) end\n"
        "return dir\n"
    ),
    "src/rocks/core/dir.lua": ("local dir = {}\nfunction dir.normalize(x) return x end\nreturn dir\n"),
    "src/rocks/init.lua": (
        'local M = {}\nfunction M.setup(opts) local ok, mod = pcall(require, "rocks.dir") end\nreturn M\n'
    ),
    "src/rocks/parser.lua": (
        "local Parser = {}\n"
        "Parser.__index = Parser\n"
        "function Parser.new(x) local self = setmetatable({}, Parser) self:init() return self end\n"
        "function Parser:init() self:go(1) end\n"
        'function Parser:go(n) error("x") end\n'
        "local function helper() end\n"
        "return Parser\n"
    ),
    "src/main.lua": (
        'local dir = require("rocks.dir")\n'
        'local rocks = require "rocks"\n'
        "local Parser = require('rocks.parser')\n"
        'local path = require("rocks.dir").path\n'
        'local ext = require("socket.http")\n'
        "local function run()\n"
        '  dir.path("a")\n'
        '  dir.norm("b")\n'
        "  rocks.setup({})\n"
        "  local p = Parser.new(1)\n"
        "  p:go(2)\n"
        "  path(1)\n"
        '  ext.request("x")\n'
        "  M.setup()\n"
        "  helper()\n"
        "end\n"
    ),
    "test/other.lua": ("local M = {}\nfunction M.setup() end\nfunction helper() end\nreturn M\n"),
}
CHOSEN: Files = {
    "server.ts": (
        "export class User { greet() {}  self(): User { return this; } }\n"
        "export class Query<E> {\n"
        "  where(by: string | ((query: this) => string) | Query<any>, at?: number): this { return this; }\n"
        "  sub(): this { return this; }\n"
        "  of(): E {}\n"
        "}\n"
        "export class Server {\n"
        "  get(path: string, handler?: null | ((user: User) => void)): this { return this; }\n"
        "  use(handler: (user: User) => string | number): this { return this; }\n"
        "}\n"
        "export class Brackets { constructor(build: (user: User) => void) {} }\n"
        "export class Table { find(name: string): User | undefined {} }\n"
        "export interface Runner { table(name: string): Promise<Table | undefined> }\n"
        "export class Manager {\n"
        "  save() {}\n"
        "  transaction<T>(run: (inner: Manager) => Promise<T>): Promise<T> {}\n"
        "}\n"
    ),
    "app.ts": (
        "import { Brackets, Manager, Query, Runner, Server, User } from './server';\n"
        "export function run(server: Server, query: Query<User>) {\n"
        "  server.get('/x', a => { a.greet(); });\n"
        "  server.use(b => { b.greet(); });\n"
        "  query.where(c => c.sub());\n"
        "  query.where(d => d.of().greet());\n"
        "}\n"
        "export async function settle(manager: Manager, runner: Runner) {\n"
        "  new Brackets(one => { one.greet(); });\n"
        "  await manager.transaction(async (first) => {\n"
        "    await first.transaction(async (second) => {\n"
        "      await second.transaction(async (third) => third.save());\n"
        "    });\n"
        "  });\n"
        "  const table = await runner.table('x');\n"
        "  const user = table!.find('enum')!;\n"
        "  const same = user.self();\n"
        "  same.greet();\n"
        "}\n"
    ),
}
CALLBACKS: Files = {
    "server.ts": (
        "export interface Request { header(name: string): string; user: User }\n"
        "export class User { greet() {} }\n"
        "export class Reply { send(x: string): Reply { return this; } }\n"
        "export type Handler = (req: Request, reply: Reply) => void;\n"
        "export class Server {\n"
        "  get(path: string, handler: (req: Request, reply: Reply) => void): this { return this; }\n"
        "  use(handler: Handler): this { return this; }\n"
        "  each(cb: (user: User) => void) {}\n"
        "  items: User[] = [];\n"
        "}\n"
        "export function withUser<T>(cb: (user: User, n?: number) => T): T { return cb(new User()); }\n"
    ),
    "app.ts": (
        "import { Server, withUser, User } from './server';\n"
        "const server = new Server();\n"
        "server.get('/x', (req, reply) => { req.header('a'); reply.send('x').send('y'); req.user.greet(); });\n"
        "server.get('/y', async function (req, reply) { reply.send('z'); });\n"
        "server.use((req, back) => { back.send('u'); });\n"
        "export function run(users: User[]) {\n"
        "  withUser(user => user.greet());\n"
        "  withUser((u, n) => { u.greet(); });\n"
        "  users.forEach(one => one.greet());\n"
        "  server.items.map((x) => x.greet());\n"
        "  [1].map(reply => reply.send('no'));\n"
        "}\n"
    ),
}
HASKELL: Files = {
    "src/X/Set.hs": (
        "module X.Set (peek, insert, Stack(..), filter) where\n"
        "import qualified Data.Map as M\n"
        "data Stack a = Stack { focus :: a, up :: [a] }\n"
        "peek :: Stack a -> Maybe a\n"
        "peek s = Just (focus s)\n"
        "insert a s = s { up = a : up s }\n"
        "filter p s = s\n"
        "choose x = x\n"
        "class Show' a where\n"
        "  render :: a -> String\n"
    ),
    "test/T.hs": (
        "module T where\n"
        "import X.Set hiding (filter)\n"
        "import qualified X.Set as W\n"
        "import Data.List (sort)\n"
        "main = do\n"
        "  print (peek s)\n"
        "  W.insert 1 s\n"
        "  let f = choose\n"
        "  print (render x)\n"
        "  sort xs\n"
        "  filter even xs\n"
        "  f 1\n"
        '  throwIO (Bad "x") `catch` \\e -> handler (e :: IOException)\n'
        "  where handler e = return ()\n"
    ),
    "test/U.hs": (
        "{-# LANGUAGE X #-}\n"
        "module U (main) where\n"
        "\n"
        "import X.Set\n"
        "  ( peek\n"
        "  , Stack (..)\n"
        "  )\n"
        "main = peek s >>= insert\n"
    ),
}
CPP: Files = {
    "include/shop/registry.h": (
        "#pragma once\n"
        "namespace shop {\n"
        "namespace details {\n"
        "class registry {\n"
        "public:\n"
        "  static registry &instance();\n"
        "  void drop_all();\n"
        "  int level_;\n"
        "};\n"
        "}\n"
        "void drop_all();\n"
        "}\n"
    ),
    "src/registry.cpp": (
        '#include "shop/registry.h"\n'
        "namespace shop {\n"
        "namespace details {\n"
        "registry &registry::instance() { static registry r; return r; }\n"
        "void registry::drop_all() { level_ = 0; }\n"
        "namespace os { int thread_id() { return 1; } }\n"
        "static const char *names[] SHOP_LEVEL_NAMES;\n"
        "int here() { return os::thread_id(); }\n"
        "}\n"
        "void drop_all() { details::registry::instance().drop_all(); }\n"
        "}\n"
    ),
    "test/t.cpp": (
        '#include "shop/registry.h"\n'
        "void run() {\n"
        "  shop::drop_all();\n"
        "  shop::details::registry::instance().drop_all();\n"
        "  auto &r = shop::details::registry::instance();\n"
        "  r.drop_all();\n"
        "  std::move(r);\n"
        "  ::shop::details::here();\n"
        "}\n"
        "template <> struct fmt::formatter<my_type> { int format(int x) { return x; } };\n"
        "void more(std::vector<Item> &items, Item *one) {\n"
        "  for (auto &item : items) { item.touch(); }\n"
        "  auto other = one;\n"
        "  other->touch();\n"
        "}\n"
        "struct Item { void touch(); };\n"
        "void Item::touch() {}\n"
        "using item_ptr = std::shared_ptr<Item>;\n"
        "typedef struct Item item_t;\n"
        "struct Box { std::vector<item_ptr> items_; item_ptr one_; void run(item_t *t) { for (auto &i : items_) { i->touch(); } one_->touch(); t->touch(); } };\n"
    ),
}
OCAML: Files = {
    "src/pure/message.ml": (
        "let status m = m\nlet read m = status m\nmodule Cookies = struct\n  let parse x = x\nend\n"
    ),
    "src/pure/message.mli": ("val status : int -> int\nval read : int -> int\n"),
    "src/pure/stream.ml": ("let writer x = x\nlet own s = Stream.writer s\n"),
    "src/http/http.ml": (
        "module Message = Shop_pure.Message\n"
        "open Stream\n"
        "let serve m =\n"
        "  let s = Message.status m in\n"
        "  let c = Message.Cookies.parse s in\n"
        "  let w = writer c in\n"
        "  Shop_pure.Stream.writer (List.map w c) |> Message.read\n"
        "module Local = struct\n"
        "  let inner x = x\n"
        "  let outer x = inner x\n"
        "end\n"
        "let go () = Local.outer 1\n"
    ),
    "test/stream.ml": ("let writer x = x\n"),
}
SCALA: Files = {
    "core/IO.scala": (
        "package shop.core\n"
        "\n"
        "package unsafe\n"
        "\n"
        "import scala.util.Try\n"
        "import shop.core.kernel.{Ref => KRef, _}\n"
        "\n"
        "final class Pool(size: Int) {\n"
        "  def run(): Unit = helper(Outer.make())\n"
        "  private def helper(o: Outer): Unit = { o.go(); Config.load(1); pure(1) }\n"
        "}\n"
        "object Config { def load(x: Int): Config = new Config() }\n"
        "class Config()\n"
    ),
    "core/Outer.scala": (
        "package shop.core\nclass Outer { def go(): Unit = () }\nobject Outer { def make(): Outer = new Outer }\n"
    ),
    "kernel/testkit/pure.scala": ("package shop.core.kernel\npackage testkit\nobject pure { def apply(x: Int) = x }\n"),
    "kernel/Gen.scala": ("package shop.core.kernel\ntrait Gen[F] extends Functor[F] { def a = pure(1) }\n"),
    "app/Main.scala": (
        "package app\n"
        "import shop.core.unsafe.{Config, Pool}\n"
        "object Main { def main(): Unit = { val p = new Pool(1); p.run(); Config.load(2) } }\n"
    ),
}
NESTED: Files = {
    "a.hpp": (
        "namespace app { namespace web {\n"
        "class Exec {\n"
        "public:\n"
        "  class Proxy { public: void go(); Proxy(int x); };\n"
        "  struct Error { Error(int c); };\n"
        "  std::shared_ptr<Proxy> m_p;\n"
        "  void run();\n"
        "};\n"
        "class Proxy { public: void other(); };\n"
        "}}\n"
    ),
    "a.cpp": (
        '#include "a.hpp"\n'
        "namespace app { namespace web {\n"
        "Exec::Proxy::Proxy(int x) {}\n"
        "void Exec::Proxy::go() {}\n"
        "void Exec::run() {\n"
        "  std::shared_ptr<Proxy> p = std::make_shared<Proxy>(1);\n"
        "  p->go();\n"
        "  m_p->go();\n"
        "  auto q = std::make_unique<Exec::Proxy>(2);\n"
        "  q->go();\n"
        "  throw Error(3);\n"
        "}\n"
        "}}\n"
    ),
    "co.hpp": ("namespace lib { namespace async {\nclass Action { public: bool isNone(); };\n}}\n"),
    "co.cpp": ("namespace lib { namespace async {\nbool Action::isNone() { return true; }\n}}\n"),
    "r.hpp": (
        "namespace lib { namespace web {\n"
        "class Reader { public: typedef lib::async::Action Action; int read(); };\n"
        "}}\n"
    ),
    "r.cpp": (
        "namespace lib { namespace web {\n"
        "int Reader::read() { async::Action action; Action other; if (!action.isNone()) { other.isNone(); } return 1; }\n"
        "}}\n"
    ),
}
C: Files = {
    "app.c": '#include "util.h"\nLOCAL(int) hidden(int x) { return x; }\nint run(void) { return helper(1) + hidden(2) + printf("x"); }\n',
    "util.c": "int helper(int n) { return n; }\n",
}

ROWS = [
    # place, number of the call, what it must get
    (PYTHON, "main.py main", "Shop", "resolved pkg/core.py Store#__init__"),
    (PYTHON, "main.py main", "shop.save", "resolved pkg/core.py Store#save"),
    (PYTHON, "main.py main", "shop.path_for", "resolved pkg/base.py Base#path_for"),
    (PYTHON, "main.py main", "h", "resolved pkg/core.py helper"),
    (PYTHON, "main.py main", "c.recursion", "resolved pkg/core.py recursion"),
    (PYTHON, "main.py main", "Shop.make", "resolved pkg/core.py Store#make"),
    (PYTHON, "main.py main", "Shop.make().save", "resolved pkg/core.py Store#save"),
    (PYTHON, "main.py main", "get", "external from requests"),
    (PYTHON, "main.py main", "os.path.join", "external from os"),
    (PYTHON, "main.py main", "param", "unresolved"),
    (PYTHON, "main.py main", "mystery", "unresolved"),
    (PYTHON, "pkg/core.py Store#__init__", "super().__init__", "resolved pkg/base.py Base#__init__"),
    (PYTHON, "pkg/core.py Store#save", "self.check", "resolved pkg/core.py Store#check"),
    (PYTHON, "pkg/core.py Store#save", "self.db.write", "resolved pkg/core.py Db#write"),
    (PYTHON, "pkg/core.py Store#save", "json.dumps", "external from json"),
    (PYTHON, "pkg/core.py Store#save", "self.path_for", "resolved pkg/base.py Base#path_for"),
    (PYTHON, "pkg/core.py Store#check", "inner", "resolved pkg/core.py Store#check.inner"),
    (PYTHON, "pkg/core.py Store#check.inner", "helper", "resolved pkg/core.py helper"),
    (PYTHON, "pkg/core.py helper", "cb", "unresolved"),
    (PYTHON, "pkg/core.py recursion", "recursion", "resolved pkg/core.py recursion"),
    (JAVA, "shop/Shop.java Shop#sell", "store.take", "resolved shop/Store.java Store#take [Disk#take]"),
    (JAVA, "shop/Shop.java Shop#sell", "disks.get(0).take", "resolved shop/Disk.java Disk#take #1"),
    (JAVA, "shop/Shop.java Shop#sell", "Helper.check", "resolved shop/other/Helper.java Helper#check"),
    (JAVA, "shop/Shop.java Shop#sell", "check", "resolved shop/other/Helper.java Helper#check"),
    (JAVA, "shop/Shop.java Shop#sell", "item().take", "resolved shop/Disk.java Disk#take"),
    (JAVA, "shop/Shop.java Shop#sell", "inherited", "resolved shop/Base.java Base#inherited"),
    (JAVA, "shop/Shop.java Shop#print", "System.out.println", "external"),
    (JAVA, "shop/Shop.java Shop#print", "unknown", "unresolved"),
    (JAVA, "shop/Shop.java Shop#Shop", "super", "resolved shop/Base.java Base#Base"),
    (JAVA, "shop/Shop.java Shop#Shop", "this", "resolved shop/Shop.java Shop#Shop"),
    (JAVA, "shop/Shop.java Shop#Shop", "Disk", "resolved shop/Disk.java Disk"),
    (JAVA, "shop/Disk.java Disk#take", "take", "resolved shop/Disk.java Disk#take #1"),
    (JAVA, "shop/Shop.java Shop.Inner#run", "sell", "resolved shop/Shop.java Shop#sell"),
    (JAVA, "shop/Shop.java Shop.Inner#run", "Shop.this.sell", "resolved shop/Shop.java Shop#sell"),
    (TYPESCRIPT, "src/main.ts main", "order", "resolved src/orders/create.ts createOrder"),
    (TYPESCRIPT, "src/main.ts main", "Repo", "resolved src/orders/types.ts Repo"),
    (TYPESCRIPT, "src/main.ts main", "new Facade().run", "resolved src/orders/create.ts Facade#run"),
    (TYPESCRIPT, "src/main.ts main", "express", "external from express"),
    (TYPESCRIPT, "src/main.ts main", "create.viaAlias", "resolved src/orders/create.ts viaAlias"),
    (TYPESCRIPT, "src/orders/create.ts createOrder", "inner", "resolved src/orders/create.ts createOrder.inner"),
    (TYPESCRIPT, "src/orders/create.ts createOrder.inner", "repo.save", "resolved src/orders/types.ts Repo#save"),
    (TYPESCRIPT, "src/orders/create.ts createOrder", "helper", "resolved src/orders/create.ts helper"),
    (TYPESCRIPT, "src/orders/create.ts helper", "repo.find(1).ship", "resolved src/orders/types.ts Order#ship"),
    (TYPESCRIPT, "src/orders/create.ts Facade#run", "this.repo.save", "resolved src/orders/types.ts Repo#save"),
    (TYPESCRIPT, "src/orders/create.ts Facade#run", "this.other", "resolved src/orders/create.ts Facade#other"),
    (TYPESCRIPT, "src/orders/create.ts viaAlias", "alias", "resolved src/orders/create.ts alias"),
    (RENAMED, "main.ts main", "r", "resolved a.ts fn"),
    (RENAMED, "main.ts main", "g", "resolved a.ts gn"),
    (RENAMED, "main.ts main", "all.renamed", "resolved a.ts fn"),
    (RENAMED, "main.ts main", "other", "resolved a.ts fn"),
    (RENAMED, "main.ts main", "read", "external from node:fs"),
    (RENAMED, "main.ts main", "ghost", "unresolved"),
    (RENAMED, "a.ts fn", "TypeError", "external"),
    (COMMONJS, "lib/reply.js Reply", "Hooks", "resolved lib/hooks.js Hooks"),
    (COMMONJS, "lib/reply.js Reply", "cb", "unresolved"),
    (COMMONJS, "lib/reply.js Reply", "this.send", "resolved lib/reply.js Reply#send"),
    (COMMONJS, "lib/reply.js Reply#send", "this.getHeader", "resolved lib/reply.js Reply#getHeader"),
    (COMMONJS, "lib/reply.js Reply#send", "serialize", "unresolved"),
    (COMMONJS, "lib/reply.js Reply#send", "this.hooks.add", "resolved lib/hooks.js Hooks#add"),
    (COMMONJS, "lib/reply.js Reply#send", "done", "resolved lib/hooks.js done"),
    (COMMONJS, "lib/reply.js Reply#serialize", "serialize", "unresolved"),
    (COMMONJS, "lib/reply.js api.get", "get", "unresolved"),
    (COMMONJS, "lib/reply.js api.post", "api.get", "resolved lib/reply.js api.get"),
    (COMMONJS, "lib/reply.js run", "get", "unresolved"),
    (COMMONJS, "lib/reply.js run", "r.send", "resolved lib/reply.js Reply#send"),
    (COMMONJS, "lib/reply.js run", "send", "resolved lib/reply.js Reply#send"),
    (COMMONJS, "lib/reply.js run.open", "close", "unresolved"),
    (COMMONJS, "main.js main", "Reply", "resolved lib/reply.js Reply"),
    (COMMONJS, "main.js main", "new Reply().send", "resolved lib/reply.js Reply#send"),
    (COMMONJS, "main.js main", "api.get", "resolved lib/reply.js api.get"),
    (COMMONJS, "main.js main", "plugin", "resolved plugin.js exports"),
    (COMMONJS, "main.js main", "new Named().go", "resolved named.js Named#go"),
    (COMMONJS, "main.js main", "desk.start", "resolved desk.js start"),
    (COMMONJS, "main.js main", "all.start", "resolved desk.js start"),
    (COMMONJS, "main.js main", "split", "external from split2"),
    (COMMONJS, "main.js main", "Map", "external"),
    (COMMONJS, "desk.js start", "stop", "unresolved"),
    (COMPONENTS, "use.tsx Drawn", "props.render", "resolved types.ts Props#render"),
    (COMPONENTS, "use.tsx Drawn", "props.save", "resolved types.ts Base#save"),
    (COMPONENTS, "use.tsx Taken", "control.watch", "resolved types.ts Control#watch"),
    (COMPONENTS, "use.tsx Inline", "control.watch", "resolved types.ts Control#watch"),
    (COMPONENTS, "use.tsx Kept", "o.save", "resolved types.ts Base#save"),
    (COMPONENTS, "use.tsx Kept", "cb", "resolved cb.ts cb"),
    (COMPONENTS, "use.tsx Page", "register", "resolved types.ts Form#register"),
    (COMPONENTS, "use.tsx Page", "reset", "resolved types.ts Form#reset"),
    (COMPONENTS, "use.tsx typed", "form.register", "resolved types.ts Form#register"),
    (RUBY, "lib/shop/store.rb Shop.Store#initialize", "defaults", "resolved lib/shop/store.rb Shop.Store#defaults"),
    (RUBY, "lib/shop/store.rb Shop.Store#initialize", "Queue.new", "resolved lib/shop/store.rb Shop.Queue"),
    (RUBY, "lib/shop/store.rb Shop.Store#add", "room", "resolved lib/shop/store.rb Shop.Store#room"),
    (RUBY, "lib/shop/store.rb Shop.Store#add", "compute", "resolved lib/shop/store.rb Shop.Store#compute"),
    (RUBY, "lib/shop/store.rb Shop.Store#add", "rest", "resolved lib/shop/base.rb Shop.Base#rest"),
    (RUBY, "lib/shop/store.rb Shop.Store#add", "@queue.push", "resolved lib/shop/store.rb Shop.Queue#push"),
    (RUBY, "lib/shop/store.rb Shop.Store#add", "size", "resolved lib/shop/store.rb Shop.Store#size"),
    (RUBY, "lib/shop/inner.rb Shop.Desk#go", "settings", "unresolved"),
    (RUBY, "main.rb <module>", "Shop::Store.new", "resolved lib/shop/store.rb Shop.Store#initialize"),
    (RUBY, "main.rb <module>", "store.add", "resolved lib/shop/store.rb Shop.Store#add"),
    (RUBY, "main.rb <module>", "store.size", "resolved lib/shop/store.rb Shop.Store#size"),
    (RUBY, "main.rb <module>", "Shop.open", "resolved lib/shop.rb Shop#open"),
    (RUBY, "main.rb <module>", "workers", "unresolved"),
    (PHP, "src/Desk.php Desk#run", "$reason.reason", "resolved src/Reason.php Reason#reason #1"),
    (PHP, "src/Desk.php Desk#run", "$host.getPath", "external from Vendor.Uri"),
    (PHP, "src/Desk.php Desk#run", "$other.next", "resolved src/Reason.php Reason#next"),
    (PHP, "src/Desk.php Desk#run", "$reason->next().reason", "resolved src/Reason.php Reason#reason #1"),
    (DART, "lib/a.dart A#f", "fetch", "resolved lib/a.dart A#fetch"),
    (DART, "lib/a.dart A#g", "Options", "resolved lib/b.dart Options#Options"),
    (DART, "lib/a.dart A#g", "(o ?? Options()).compose", "resolved lib/b.dart Options#compose"),
    (DART, "lib/a.dart A#g", "(o ?? Options()).compose(1).run", "resolved lib/b.dart Options#run"),
    (DART, "lib/a.dart A#h", "q.push", "resolved lib/b.dart Queue#push"),
    (DART, "lib/a.dart A#h", "list.map((e) => e.toString()).toList", "external"),
    (DART, "lib/a.dart A#h", "v.compose", "resolved lib/b.dart Options#compose"),
    (DART, "lib/a.dart A#h", "super.init", "resolved lib/a.dart Base#init"),
    (DART, "lib/a.dart A#h", "C.named", "resolved lib/src/c.dart C#named"),
    (DART, "lib/a.dart A#h", "c.go", "resolved lib/src/c.dart C#go"),
    (DART, "lib/a.dart A#h", "d.stop", "resolved lib/a.dart D#stop"),
    (DART, "lib/a.dart A#h", "hidden", "resolved lib/p.dart hidden"),
    (DART, "lib/p.dart hidden", "helper", "resolved lib/a.dart helper"),
    (DART, "lib/e.dart H#run", "o.compose", "resolved lib/b.dart Options#compose"),
    (DART, "lib/e.dart H#run", "q.push", "resolved lib/b.dart Queue#push"),
    (DART, "lib/e.dart H#run", "(await make()).run", "resolved lib/b.dart Options#run"),
    (
        ELIXIR,
        "lib/ecto/query.ex Ecto.Query.from",
        "Builder.From.build",
        "resolved lib/ecto/query/builder/from.ex Ecto.Query.Builder.From#build",
    ),
    (ELIXIR, "lib/mix/tasks/a.ex Mix.Tasks.A#run", "subquery", "resolved lib/ecto/query.ex Ecto.Query#subquery"),
    (ELIXIR, "lib/mix/tasks/a.ex Mix.Tasks.A#run", "Mix.Helper.parse", "resolved lib/mix/helper.ex Mix.Helper#parse"),
    (ELIXIR, "lib/mix/tasks/a.ex Mix.Tasks.A#run", "Ecto.Query.where", "resolved lib/ecto/query.ex Ecto.Query#where"),
    (ELIXIR, "lib/mix/tasks/a.ex Mix.Tasks.A#run", "Ecto.put_meta", "resolved lib/ecto.ex Ecto#put_meta"),
    (ELIXIR, "lib/mix/tasks/a.ex Mix.Tasks.A#run", "Query.where", "resolved lib/ecto/query.ex Ecto.Query#where"),
    (
        ELIXIR,
        "lib/mix/tasks/a.ex Mix.Tasks.A#run",
        "B.From.build",
        "resolved lib/ecto/query/builder/from.ex Ecto.Query.Builder.From#build",
    ),
    (ELIXIR, "lib/mix/tasks/a.ex Mix.Tasks.A#run", "helper", "resolved lib/mix/helper.ex Mix.Helper#helper"),
    (ELIXIR, "lib/mix/tasks/a.ex Mix.Tasks.A#run", "take", "resolved lib/mix/tasks/a.ex Mix.Tasks.A#take"),
    (ELIXIR, "lib/mix/tasks/a.ex Mix.Tasks.A#run", "Enum.map", "external"),
    (ELIXIR, "lib/mix/tasks/a.ex Mix.Tasks.A#run", "__MODULE__.run", "resolved lib/mix/tasks/a.ex Mix.Tasks.A#run"),
    (LUA, "src/rocks/dir.lua dir#path", "core.normalize", "resolved src/rocks/core/dir.lua dir#normalize"),
    (LUA, "src/main.lua run", "dir.path", "resolved src/rocks/dir.lua dir#path"),
    (LUA, "src/main.lua run", "rocks.setup", "resolved src/rocks/init.lua M#setup"),
    (LUA, "src/main.lua run", "Parser.new", "resolved src/rocks/parser.lua Parser#new"),
    (LUA, "src/main.lua run", "p.go", "resolved src/rocks/parser.lua Parser#go"),
    (LUA, "src/main.lua run", "path", "resolved src/rocks/dir.lua dir#path"),
    (LUA, "src/main.lua run", "ext.request", "external from socket.http"),
    (LUA, "src/main.lua run", "M.setup", "unresolved"),
    (LUA, "src/main.lua run", "helper", "likely test/other.lua helper"),
    (CALLBACKS, "app.ts <module>", "req.header", "resolved server.ts Request#header"),
    (CALLBACKS, "app.ts <module>", "reply.send", "resolved server.ts Reply#send"),
    (CALLBACKS, "app.ts <module>", "req.user.greet", "resolved server.ts User#greet"),
    (CALLBACKS, "app.ts run", "user.greet", "resolved server.ts User#greet"),
    (CHOSEN, "app.ts run", "a.greet", "resolved server.ts User#greet"),
    (CHOSEN, "app.ts settle", "one.greet", "resolved server.ts User#greet"),
    (CHOSEN, "app.ts settle", "third.save", "resolved server.ts Manager#save"),
    (CHOSEN, "app.ts settle", "same.greet", "resolved server.ts User#greet"),
    (CHOSEN, "app.ts run", "b.greet", "resolved server.ts User#greet"),
    (CHOSEN, "app.ts run", "c.sub", "resolved server.ts Query#sub"),
    (CHOSEN, "app.ts run", "d.of().greet", "resolved server.ts User#greet"),
    (CALLBACKS, "app.ts run", "u.greet", "resolved server.ts User#greet"),
    (HASKELL, "test/T.hs main", "peek", "resolved src/X/Set.hs peek"),
    (HASKELL, "test/T.hs main", "W.insert", "resolved src/X/Set.hs insert"),
    (HASKELL, "test/T.hs main", "filter", "external from Prelude.filter"),
    (HASKELL, "test/T.hs main", "sort", "external from Data.List.sort"),
    (HASKELL, "test/T.hs main", "handler", "resolved test/T.hs main.handler"),
    (HASKELL, "test/T.hs main", "render", "resolved src/X/Set.hs Show'#render"),
    (HASKELL, "test/U.hs main", "peek", "resolved src/X/Set.hs peek"),
    (CPP, "src/registry.cpp shop.details.here", "os.thread_id", "resolved src/registry.cpp shop.details.os.thread_id"),
    (
        CPP,
        "src/registry.cpp shop.drop_all",
        "details::registry::instance().drop_all",
        "resolved src/registry.cpp shop.details.registry#drop_all",
    ),
    (CPP, "test/t.cpp run", "shop.drop_all", "resolved src/registry.cpp shop.drop_all"),
    (
        CPP,
        "test/t.cpp run",
        "shop::details::registry.instance",
        "resolved src/registry.cpp shop.details.registry#instance",
    ),
    (CPP, "test/t.cpp run", "r.drop_all", "resolved src/registry.cpp shop.details.registry#drop_all"),
    (CPP, "test/t.cpp run", "::shop::details.here", "resolved src/registry.cpp shop.details.here"),
    (CPP, "test/t.cpp more", "item.touch", "resolved test/t.cpp Item#touch"),
    (CPP, "test/t.cpp more", "other.touch", "resolved test/t.cpp Item#touch"),
    (CPP, "test/t.cpp Box#run", "i.touch", "resolved test/t.cpp Item#touch"),
    (CPP, "test/t.cpp Box#run", "one_.touch", "resolved test/t.cpp Item#touch"),
    (CPP, "test/t.cpp Box#run", "t.touch", "resolved test/t.cpp Item#touch"),
    (OCAML, "src/http/http.ml serve", "Message.status", "resolved src/pure/message.ml status"),
    (OCAML, "src/http/http.ml serve", "Message.Cookies.parse", "resolved src/pure/message.ml Cookies.parse"),
    (OCAML, "src/http/http.ml serve", "writer", "resolved src/pure/stream.ml writer"),
    (OCAML, "src/http/http.ml serve", "List.map", "external"),
    (OCAML, "src/http/http.ml serve", "Shop_pure.Stream.writer", "resolved src/pure/stream.ml writer"),
    (OCAML, "src/http/http.ml go", "Local.outer", "resolved src/http/http.ml Local.outer"),
    (OCAML, "src/pure/stream.ml own", "Stream.writer", "unresolved"),
    (SCALA, "core/IO.scala Pool#run", "Outer.make", "resolved core/Outer.scala Outer#make"),
    (SCALA, "core/IO.scala Pool#helper", "o.go", "resolved core/Outer.scala Outer#go"),
    (SCALA, "core/IO.scala Config#load", "Config", "resolved core/IO.scala Config #1"),
    (SCALA, "core/Outer.scala Outer#make", "Outer", "resolved core/Outer.scala Outer"),
    (SCALA, "kernel/Gen.scala Gen#a", "pure", "unresolved"),
    (SCALA, "app/Main.scala Main#main", "Pool", "resolved core/IO.scala Pool"),
    (SCALA, "app/Main.scala Main#main", "p.run", "resolved core/IO.scala Pool#run"),
    (SCALA, "app/Main.scala Main#main", "Config.load", "resolved core/IO.scala Config#load"),
    (OPTIONS, "a.vue save", "this.load", "likely a.vue load"),
    (OPTIONS, "a.vue save", "this.$emit", "unresolved"),
    (OPTIONS, "a.vue mounted", "this.save", "likely a.vue save"),
    (OPTIONS, "a.vue alone", "this.load", "unresolved"),
    (OPTIONS, "b.js api.get", "this.send", "resolved b.js api.send"),
    (OPTIONS, "b.js f", "this.send", "unresolved"),
    (NESTED, "a.cpp app.web.Exec#run", "Proxy", "resolved a.cpp app.web.Exec.Proxy#Proxy"),
    (NESTED, "a.cpp app.web.Exec#run", "p.go", "resolved a.cpp app.web.Exec.Proxy#go"),
    (NESTED, "a.cpp app.web.Exec#run", "m_p.go", "resolved a.cpp app.web.Exec.Proxy#go"),
    (NESTED, "a.cpp app.web.Exec#run", "q.go", "resolved a.cpp app.web.Exec.Proxy#go"),
    (NESTED, "r.cpp lib.web.Reader#read", "action.isNone", "resolved co.cpp lib.async.Action#isNone"),
    (NESTED, "r.cpp lib.web.Reader#read", "other.isNone", "resolved co.cpp lib.async.Action#isNone"),
    (ERRORS, "main.py main", "isinstance", "external"),
    (ERRORS, "main.py main", "RuntimeError", "external"),
    (ERRORS, "main.py other", "TimeoutError", "resolved own.py TimeoutError#__init__"),
    (ERRORS, "main.py other", "timeout", "unresolved"),
    (ERRORS, "main.py other", "Mystery", "unresolved"),
    (GO, "go/main.go main", "store.New", "resolved go/store/store.go New"),
    (GO, "go/main.go main", "d.Read", "resolved go/store/store.go Disk#Read"),
    (GO, "go/main.go main", "store.Twice", "resolved go/store/more.go Twice"),
    (GO, "go/store/more.go Twice", "r.Read", "resolved go/store/store.go Reader#Read [Disk#Read]"),
    (GO, "go/store/more.go Twice", "New().Read", "resolved go/store/store.go Disk#Read"),
    (GO, "go/store/store.go Disk#Read", "d.inner.load", "resolved go/store/store.go Inner#load"),
    (GO, "go/store/store.go Inner#load", "fmt.Sprint", "external from fmt"),
    (RUST, "src/lib.rs run", "Store.new", "resolved src/store.rs Store#new"),
    (RUST, "src/lib.rs run", "s.get", "resolved src/store.rs Store#get"),
    (RUST, "src/lib.rs run", "h", "resolved src/store.rs helper"),
    (RUST, "src/lib.rs run", "inner.deep", "resolved src/lib.rs inner.deep"),
    (RUST, "src/lib.rs inner.deep", "super.run", "resolved src/lib.rs run"),
    (RUST, "src/store.rs Store#all", "self.get", "resolved src/store.rs Store#get"),
    (RUST, "src/store.rs Store#all", "Self.new", "resolved src/store.rs Store#new"),
    (RUST, "src/store.rs Store#all", "self.inner.load", "resolved src/store.rs Inner#load"),
    (C, "app.c run", "helper", "resolved util.c helper"),
    (C, "app.c run", "hidden", "resolved app.c hidden"),
    (C, "app.c run", "printf", "external"),
]


@pytest.mark.parametrize(("files", "place", "call", "answer"), ROWS, ids=[f"{row[1]}: {row[2]}" for row in ROWS])
def test_where_a_call_leads(files: Files, place: str, call: str, answer: str) -> None:
    calls = resolve(files)[place]
    names = {f"{one.receiver}.{one.callee}" if one.receiver else one.callee: told(one) for one in calls}
    assert names.get(call, f"no such call, but {sorted(names)}") == answer


GUESSES = [
    ("def f(order_service):\n    order_service.place()\n", "likely shop.py OrderService#place"),
    ("def f(x):\n    x.reserve_stock(1)\n", "likely shop.py OrderService#reserve_stock"),
    ("def f(x):\n    x.place()\n", "unresolved"),
    ("def f(x):\n    x.append(1)\n", "external"),
    ("def f(x):\n    x.reserve_stock(1, 2, 3)\n", "unresolved"),
    ("class Other:\n    def reserve_stock(self, n):\n        self.inner.reserve_stock(n)\n", "unresolved"),
]


@pytest.mark.parametrize(("text", "answer"), GUESSES)
def test_unknown_receivers_are_guessed_by_name_or_left_alone(text: str, answer: str) -> None:
    shop = "class OrderService:\n    def place(self):\n        pass\n\n    def reserve_stock(self, n):\n        pass\n\n    def append(self, n):\n        pass\n"
    calls = resolve({"shop.py": shop, "use.py": text})
    assert [told(call) for place, found in calls.items() if place.startswith("use.py") for call in found] == [answer]


@pytest.mark.parametrize("name", ["item", "name", "run"])
def test_a_variable_is_no_call(name: str) -> None:
    assert name not in [call.callee for call in resolve(RUBY)["lib/shop/store.rb Shop.Store#add"]]


def test_no_self_loop_by_name_alone() -> None:
    calls = resolve({"a.py": "class A:\n    def handle_request(self, x):\n        x.handle_request(x)\n"})
    assert told(calls["a.py A#handle_request"][0]) == "unresolved"


def test_a_local_module_does_not_hide_the_standard_library() -> None:
    calls = resolve(
        {
            "pkg/__init__.py": "",
            "pkg/json.py": "def dumps(x):\n    pass\n",
            "pkg/use.py": "import json\n\n\ndef f():\n    json.dumps(1)\n",
        }
    )
    assert told(calls["pkg/use.py f"][0]) == "external from json"


def test_shown_calls_are_own_and_without_loggers() -> None:
    calls = resolve(
        {
            "a.py": "class Logger:\n    def info(self, x):\n        pass\n\n\nlogger = Logger()\n\n\ndef step(x):\n    pass\n\n\n"
            "def f(x):\n    logger.info(1)\n    step(x)\n    x.append(1)\n    print(x)\n"
        }
    )
    assert [call.callee for call in shown_calls(calls["a.py f"], "python")] == ["step"]


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("this.dao", "name:this name:dao"),
        ("a.b(c, d).e", "name:a call:b/2 name:e"),
        ("new a.b.Foo<>(x)", "new:a.b.Foo/1"),
        ("new Foo() { void run() {", "new:Foo/0"),
        ("((Foo) bar)", "cast:Foo"),
        ("(await x.y()).z", "name:x call:y/0 name:z"),
        ("Optional.<Foo>of(x, y)", "name:Optional call:of/2"),
        ("self.store[0].x", "name:self name:store index name:x"),
        ('x.y("a.b(")', "name:x call:y/1"),
        ("&mut self.x", "name:self name:x"),
        ("$this->repo", "name:$this name:repo"),
        ("f(*args)", "call:f"),
        ('"text"', "literal:string"),
        ('"text" + x', "literal"),
        ("new Map<K, Order>()", "new:Map<K, Order>/0"),
        ("a + b", ""),
        ("(a ? b : c)", ""),
        ("", ""),
    ],
)
def test_receivers_are_read_step_by_step(text: str, steps: str) -> None:
    told_steps = [
        step.kind + (f":{step.name}" if step.name else "") + ("" if step.arguments is None else f"/{step.arguments}")
        for step in receiver_steps(text)
    ]
    assert " ".join(told_steps) == steps


@pytest.mark.parametrize(
    ("text", "name", "arguments"),
    [
        ("Map<String, List<Foo>>", "Map", ["String", "List"]),
        ("*Store", "Store", []),
        ("[]Foo", "[]", ["Foo"]),
        ("Foo[]", "[]", ["Foo"]),
        ("map[string]*Foo", "map", ["string", "Foo"]),
        ("Foo | None", "Foo", []),
        ("'Foo'", "Foo", []),
        ("&'a mut Box<dyn Trait>", "Box", ["Trait"]),
        ("final @Nullable Foo", "Foo", []),
        ("\\App\\Repo", "App\\Repo", []),
        ("(*Store, error)", "Store", []),
        ("A | B", None, []),
        ("(x: number) => Foo", None, []),
    ],
)
def test_types_are_read(text: str, name: str | None, arguments: list[str]) -> None:
    found = type_name(text, profile_of("python").nothing)
    assert (found.name if found else None) == name
    assert [argument.name for argument in found.arguments] == arguments if found else not arguments


@pytest.mark.parametrize(
    ("signature", "name", "answer"),
    [
        ("public class Box<T extends Order & Sized, K>", "Box", (("T", "Order"), ("K", ""))),
        ("public static <T extends Comparable<T>> T max(List<T> all)", "max", (("T", "Comparable<T>"),)),
        ("fn run<T: Source + Send, 'a>(x: T)", "run", (("T", "Source"),)),
        ("def f(x)", "f", ()),
        ("func Map[K comparable, V any](m map[K]V)", "Map", (("K", ""), ("V", ""))),
        ("anything", "", ()),
    ],
)
def test_type_parameters_are_read(signature: str, name: str, answer: tuple[tuple[str, str], ...]) -> None:
    assert generic_parameters(signature, name) == answer


def test_supertypes_keep_their_arguments() -> None:
    assert (
        with_arguments("class Shop extends a.Base<Disk, List<T>> implements Runnable", "a.Base")
        == "a.Base<Disk, List<T>>"
    )
    assert with_arguments("class Shop extends Base", "Base") == "Base"


@given(st.text(alphabet="ab.()[]{}<>\"'\\ :->?!*&,new@$", max_size=60))
def test_no_text_breaks_the_readers(text: str) -> None:
    receiver_steps(text)
    type_name(text)
    generic_parameters(text, "a")
    with_arguments(text, "b")


def test_an_empty_universe_answers_nothing() -> None:
    universe = MemoryUniverse()
    assert not universe.symbols("x") and universe.head("x") is None and not universe.modules("x")
