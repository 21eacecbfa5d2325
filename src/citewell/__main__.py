"""Run the command line as `python -m citewell`."""

import sys

from citewell.cli import main

if __name__ == "__main__":
    sys.exit(main())
