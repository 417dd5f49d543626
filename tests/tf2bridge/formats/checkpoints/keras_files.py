"""The files of fixtures/keras_files, unpacked: model.h5, weights.h5 and weights, which genuine 1.15.5 wrote."""

from __future__ import annotations

import gzip
import shutil
from pathlib import Path

FOLDER = Path(__file__).parents[4] / "fixtures" / "keras_files"


def unpacked_keras(parent: Path) -> Path:
    """The folder of the files, unpacked once."""
    folder = parent / "keras-files"
    if not folder.exists():
        shutil.copytree(FOLDER, folder)
        for packed in folder.glob("*.gz"):
            packed.with_suffix("").write_bytes(gzip.decompress(packed.read_bytes()))
    return folder
