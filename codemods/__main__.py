"""`python -m codemods`: the same as the `codemods` script."""

import sys

if sys.version_info < (3, 10):
    sys.exit("codemods: error: Python %d.%d is too old; use Python 3.10 to 3.13" % sys.version_info[:2])

from codemods.cli import main

main(prog_name="codemods")
