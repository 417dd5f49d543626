"""`python -m codemods`: the same as the `codemods` script."""

from codemods.cli import main

main(prog_name="codemods")
