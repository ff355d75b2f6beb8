"""What belongs to a repository: its root, its files, the one decision about each, and their decoded text."""

from codemem.walk.checkout import find_commit, merge_base, write_tree
from codemem.walk.decide import FileStatus, decide
from codemem.walk.git import GitFolders, git_folders, read_commit
from codemem.walk.read import decode, decode_source, digest, read_bytes
from codemem.walk.roots import find_root, is_forbidden, main_worktree
from codemem.walk.tree import Walk, walk

__all__ = [
    "FileStatus",
    "GitFolders",
    "Walk",
    "decide",
    "decode",
    "decode_source",
    "digest",
    "find_commit",
    "find_root",
    "git_folders",
    "is_forbidden",
    "main_worktree",
    "merge_base",
    "read_bytes",
    "read_commit",
    "walk",
    "write_tree",
]
