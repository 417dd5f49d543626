"""What is left of TensorFlow in a tree, before and after a rewrite of a copy of it; run by hand.

    python tests/codemods/census.py [--unsafe-fixes] TREE ...

Each TREE is copied, rewritten by every rule, and its uses of TensorFlow are looked up in `codemods/symbols`; TensorFlow
is not imported. Prints a line per tree, then every use that is dead afterwards.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from codemods.engine import rewrite_tree
from codemods.settings import Settings
from codemods.symbols.census import Census, of_paths, sentence


def before_and_after(tree: Path, unsafe_fixes: bool) -> tuple[Census, Census]:
    """The census of a tree, and that of its rewritten copy."""
    with tempfile.TemporaryDirectory() as directory:
        copy = Path(directory) / "tree"
        rewrite_tree(tree, copy, Settings(unsafe_fixes=unsafe_fixes))
        return of_paths([tree], Settings()), of_paths([copy], Settings())


def main() -> int:
    """The command line; the exit status is 1 if something is dead and reported by no rule."""
    parser = argparse.ArgumentParser(description="The census of trees before and after a rewrite.")
    parser.add_argument("trees", type=Path, nargs="+", metavar="TREE")
    parser.add_argument("--unsafe-fixes", action="store_true")
    options = parser.parse_args()
    clean = silent = 0
    for tree in options.trees:
        before, after = before_and_after(tree, options.unsafe_fixes)
        print(f"{tree.name}\n  before: {sentence(before)}\n  after:  {sentence(after)}")
        for item in after.dead:
            print(f"    {item.path}:{item.line}: {item.name}: {item.reason}")
        clean += not after.dead
        silent += len(after.unreported)
    print(f"{clean} of {len(options.trees)} trees have nothing left; {silent} uses are reported by no rule")
    return int(silent > 0)


if __name__ == "__main__":
    raise SystemExit(main())
