"""`python -m codemem` is the same as `codemem`."""

from codemem.cli import run

if __name__ == "__main__":
    run()
