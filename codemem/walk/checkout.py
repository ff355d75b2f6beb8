"""Write the tree of another commit into a folder, without touching the repository: a temporary index, no worktree entry."""

from __future__ import annotations

import shutil
from collections.abc import Collection
from pathlib import Path

from codemem.errors import BadInput
from codemem.walk.git import GitFolders, run_git
from codemem.walk.ignore import OWN_IGNORE

NO_LFS = ("-c", "filter.lfs.smudge=", "-c", "filter.lfs.process=", "-c", "filter.lfs.required=false")
"""Large files stay pointers: nothing of them is indexed, and fetching them would need the network."""


def find_commit(root: Path, folders: GitFolders, name: str) -> str:
    """Return the full commit that `name` (branch, tag, abbreviation) stands for; raises BadInput when there is none."""
    output = run_git(
        root, folders, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}", check=False
    )
    if not output:
        remedy = "fetch it first; in CI check out with the full history (fetch-depth: 0)"
        raise BadInput(f"there is no commit {name!r} in this clone", remedy)
    return output.decode("ascii", "replace").strip()


def merge_base(root: Path, folders: GitFolders, one: str, other: str) -> str:
    """Return the last commit that both have in common, `one` when they have none."""
    output = run_git(root, folders, "merge-base", "--end-of-options", one, other, check=False)
    return output.decode("ascii", "replace").strip() if output else one


def changed_paths(root: Path, folders: GitFolders, commit: str) -> frozenset[str]:
    """Return the tracked paths whose content in the work tree is not that of `commit`."""
    output = run_git(
        root, folders, "diff", "--name-only", "-z", "--no-renames", "--no-ext-diff", "--no-textconv", commit, "--"
    )
    return _paths(output)


def write_tree(root: Path, folders: GitFolders, commit: str, target: Path, changed: Collection[str]) -> frozenset[str]:
    """Fill the new folder `target` with the `changed` files of `commit` that walking may read; return those left out.

    It is a work tree whose listing is exactly that commit's; the files that are left out look deleted in it. Where the
    rules that leave files out differ, all files are written.
    """
    target.mkdir()
    index = target.with_name(target.name + ".index")
    environment = {"GIT_INDEX_FILE": str(index)}
    run_git(root, folders, "read-tree", commit, environment=environment)
    listed = _paths(run_git(root, folders, "ls-files", "-z", "--cached", environment=environment))
    if any(_is_rule(path) for path in changed):
        wanted = listed
    else:
        wanted = frozenset(path for path in listed if path in changed or _is_rule(path))
    told = "".join(path + "\0" for path in sorted(wanted)).encode("utf-8", "surrogateescape")
    command = ("checkout-index", "-z", "--stdin", "--force", f"--prefix={target}/")
    run_git(root, folders, *NO_LFS, *command, environment=environment, told=told)
    own = target / ".git"
    for folder in ("objects", "refs"):
        (own / folder).mkdir(parents=True)
    (own / "HEAD").write_text(f"{commit}\n", "ascii")
    format_version = "1\n[extensions]\n\tobjectFormat = sha256" if len(commit) == 64 else "0"
    (own / "config").write_text(f"[core]\n\trepositoryformatversion = {format_version}\n", "ascii")
    shutil.move(index, own / "index")
    return listed - wanted


def _is_rule(path: str) -> bool:
    """Tell whether a file says which others are left out."""
    return path.rpartition("/")[2] == OWN_IGNORE


def _paths(output: bytes | None) -> frozenset[str]:
    text = (output or b"").decode("utf-8", "surrogateescape")
    return frozenset(path for path in text.split("\0") if path)
