"""The language table: which file is what."""

from __future__ import annotations

import pytest

from codemem.languages import detect_language, fallback_language, grammar_fingerprint, known_by_name, language_table


@pytest.mark.parametrize(
    ("path", "content", "language"),
    [
        ("a/b/order.py", "", "python"),
        ("ORDER.PY", "", "python"),
        ("types.d.ts", "", "typescript"),
        ("view.tsx", "", "tsx"),
        ("x.mjs", "", "javascript"),
        ("SConstruct", "", "python"),
        ("notes.txt", "", "text"),
        ("LICENSE", "MIT", "text"),
        ("data.unknown", "", "text"),
        (".gitignore", "*", "text"),
        ("run", "#!/usr/bin/env python3\nprint()", "python"),
        ("run", "#!/usr/bin/python3.11 -u\n", "python"),
        ("run", "#!/usr/bin/env -S node --harmony\n", "javascript"),
        ("run", "#! /usr/bin/env FOO=1 ruby\n", "ruby"),
        ("run", "#!/opt/strange\n", "text"),
        ("run", "#!", "text"),
        ("api.h", "int add(int a, int b);\n", "c"),
        ("api.h", "namespace shop {\nclass Order;\n}\n", "cpp"),
        ("guide.md", "", "markdown"),
        ("deploy.yml", "", "yaml"),
        ("orders.ipynb", "{}", "jupyter"),
        ("trailing.", "", "text"),
        # Names of a platform's habit, in any case, and their variants.
        ("dockerfile", "", "dockerfile"),
        ("deploy/Dockerfile.dev", "", "dockerfile"),
        ("Makefile.am", "", "make"),
        ("Makefile-arm64", "", "make"),
        ("rakefile", "", "ruby"),
        ("completions/bash_completion", "", "bash"),
        ("dotfiles/.bash_aliases", "", "bash"),
        ("dotfiles/.bashrc_local", "", "bash"),
        ("home/zshrc", "", "bash"),
        ("pkg/BUILD.bazel", "", "python"),
        ("pkg/BUILD", "", "python"),
        ("build", "", "text"),
        ("defs.bzl", "", "python"),
        ("Jenkinsfile", "pipeline {}", "text"),
        # A template is what it becomes.
        ("config.h.in", "", "c"),
        ("settings.py.example", "", "python"),
        ("app.yaml.j2", "", "yaml"),
        ("Gemfile.sample", "", "ruby"),
        ("notes.in", "", "text"),
        ("snap.js.snap", "", "text"),
        # Interpreters.
        ("run", "#!/usr/bin/env -S uv run --script\n", "python"),
        ("run", "#!/usr/bin/env -S cargo +nightly -Zscript\n", "rust"),
        ("run", "#!/usr/bin/swift\n", "swift"),
        ("run", "#!/usr/bin/env scala-cli\n", "scala"),
        ("run", "#!/usr/bin/env kotlin\n", "kotlin"),
        ("run", "#! /usr/bin/env nix-shell\n#! nix-shell -i python3 -p python3\n", "python"),
        ("run", "#!/sbin/openrc-run\n", "bash"),
        # Mode lines.
        ("completions/git", "# git completion\n# ex: ts=4 sw=4 et filetype=sh\n", "bash"),
        ("completions/tail", "f() {\n:\n}\n" * 40 + "# vim: set ft=bash :\n", "bash"),
        ("include/vector", "// <vector> -*- C++ -*-\n", "cpp"),
        ("api.h", "/* -*- Mode: C++; tab-width: 4 -*- */\nint f(int);\n", "cpp"),
        ("Foofile", "# -*- mode: ruby -*-\n# vi: set ft=ruby :\n", "ruby"),
        ("x", "# -*- indent-tabs-mode: nil; coding: utf-8; mode: python -*-\n", "python"),
        ("x", "# -*- coding: utf-8 -*-\n", "text"),
        ("x", "# vim: ft=klingon\n", "text"),
        ("order.py", "# -*- mode: ruby -*-\n", "python"),
        # What a file begins with.
        ("_git", "#compdef git\n", "bash"),
        ("shop.module", "<?php\nfunction shop_menu() {}\n", "php"),
        ("page.tpl", "<!DOCTYPE html>\n<html>", "html"),
        ("app_de.ts", '<?xml version="1.0"?>\n<!DOCTYPE TS><TS>', "text"),
        ("a.ts", "let a = 1", "typescript"),
        ("", "", "text"),
    ],
)
def test_language_of_a_file(path: str, content: str, language: str) -> None:
    assert detect_language(path, content) == language


def test_a_name_is_known_when_the_table_claims_it() -> None:
    assert known_by_name("a.py") and known_by_name("README.md")
    assert not known_by_name("a.xyz") and not known_by_name("notes.txt")


def test_the_table_is_sorted_and_has_one_fallback() -> None:
    table = language_table()
    assert list(table) == sorted(table)
    assert [name for name, row in table.items() if row.fallback] == [fallback_language()]


def test_the_fingerprint_is_stable() -> None:
    first = grammar_fingerprint()
    grammar_fingerprint.cache_clear()
    assert grammar_fingerprint() == first
