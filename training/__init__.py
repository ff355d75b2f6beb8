"""The recipe of the bundled model: see README.md."""
