"""Write the tree of another commit into a folder, without touching the repository: a temporary index, no worktree entry."""

from __future__ import annotations

import shutil
from pathlib import Path

from codemem.errors import BadInput
from codemem.walk.git import GitFolders, run_git

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


def write_tree(root: Path, folders: GitFolders, commit: str, target: Path) -> None:
    """Fill the new folder `target` with the files of `commit`, as a work tree whose listing is exactly that commit's."""
    target.mkdir()
    index = target.with_name(target.name + ".index")
    environment = {"GIT_INDEX_FILE": str(index)}
    run_git(root, folders, "read-tree", commit, environment=environment)
    run_git(
        root, folders, *NO_LFS, "checkout-index", "--all", "--force", f"--prefix={target}/", environment=environment
    )
    own = target / ".git"
    for folder in ("objects", "refs"):
        (own / folder).mkdir(parents=True)
    (own / "HEAD").write_text(f"{commit}\n", "ascii")
    format_version = "1\n[extensions]\n\tobjectFormat = sha256" if len(commit) == 64 else "0"
    (own / "config").write_text(f"[core]\n\trepositoryformatversion = {format_version}\n", "ascii")
    shutil.move(index, own / "index")
