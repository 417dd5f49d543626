"""`python -m codemods`: the same as the `codemods` script."""

import sys
from pathlib import Path

if sys.version_info < (3, 10):
    sys.exit("codemods: error: Python %d.%d is too old; use Python 3.10 to 3.13" % sys.version_info[:2])

# `python -m` looks for modules in the current directory first, which may be a tree of anybody's.
if sys.path[0] == str(Path.cwd()) and not Path(__file__).resolve().is_relative_to(Path.cwd()):
    del sys.path[0]

from codemods.cli import main

main(prog_name="codemods")
