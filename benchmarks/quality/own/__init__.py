"""A benchmark of our own: questions that the public one lacks, over pinned packages."""
