"""`python -m codemem` is the same as `codemem`."""

import sys

from codemem.cli import main

if __name__ == "__main__":
    sys.exit(main())
