"""The checkpoints of fixtures/checkpoints_read: of every form and type, by genuine releases, with their values."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np

FOLDER = Path(__file__).parents[4] / "fixtures" / "checkpoints_read"
RELEASES = sorted(path.stem for path in FOLDER.glob("*.zip"))


def unpacked_forms(release: str, parent: Path) -> Path:
    """The folder of what a release wrote: v1, v2, v1_sharded and v2_sharded, unpacked once."""
    folder = parent / f"forms-{release}"
    if not folder.exists():
        with zipfile.ZipFile(FOLDER / f"{release}.zip") as archive:
            archive.extractall(folder)
    return folder


def values_of(folder: Path, version: str) -> dict[str, Any]:
    """Name -> value, as the session of that release had it."""
    with np.load(folder / f"expected_{version}.npz") as stored:
        result = {}
        for key in stored:
            name, _, kind = key.partition(" as ")
            value = stored[key].view(getattr(ml_dtypes, kind)) if kind else stored[key]
            result[name] = value.astype(object) if value.dtype.kind == "S" else value
        return result
