"""Where a package may be written. Nothing here imports TensorFlow."""

from __future__ import annotations

from pathlib import Path

from tf2bridge.decompile.refusals import OutputNotEmptyError, PackageNameError


def check_destination(path: Path) -> None:
    """Raises OutputNotEmptyError or PackageNameError if a package cannot be written there."""
    if not path.name.isidentifier():
        raise PackageNameError(path)
    if path.exists() and (not path.is_dir() or any(path.iterdir())):
        raise OutputNotEmptyError(path)


def move_into_place(folder: Path, path: Path) -> None:
    """Makes a directory the package at `path`, in one step."""
    if path.exists():
        path.rmdir()
    folder.rename(path)
