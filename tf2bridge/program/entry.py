"""Makes the imports of a program, for the release that it was written for and its first file."""

from __future__ import annotations

from pathlib import Path

from tf2bridge.behaviour.release import Release
from tf2bridge.program.files import has_python2, is_program, is_python2
from tf2bridge.program.imports import ProgramImports
from tf2bridge.v1.namespace import Tree


def program_imports(release: Release, entry: Path) -> ProgramImports:
    """Returns the object that answers the imports of the program whose first file is `entry`."""
    old = is_python2(entry) if is_program(str(entry)) else has_python2(Path.cwd())
    return ProgramImports(_namespace(release), old)


def _namespace(release: Release) -> Tree:
    from tf2bridge.v0.catalog import TREE as V0
    from tf2bridge.v1.catalog import TREE as V1

    return V0 if release.before_one else V1
