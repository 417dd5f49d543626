"""Fisher's iris data as TensorFlow 1.x shipped it, from the file of an installed scikit-learn.

scikit-learn 0.20 corrected two rows of its file, from which TensorFlow had taken its own. They are put back, and the
checksum of the result is that of contrib/learn/python/learn/datasets/data/iris.csv of 1.15.5.
"""

from __future__ import annotations

import hashlib
import importlib.util
from pathlib import Path

CHECKSUM = "6027dafdbe4d2070d1e3ed287ad858862cc95b89ccc9de4677d267be5602785d"
"""The SHA-256 of the file of 1.15.5."""
ROWS = {35: "4.9,3.1,1.5,0.1,0", 38: "4.9,3.1,1.5,0.1,0"}
"""Lines of the file, from 0, as they were before the correction."""


def iris_lines() -> list[str] | None:
    """Returns the lines of the file, or None without a scikit-learn that has the data."""
    spec = importlib.util.find_spec("sklearn")
    for folder in spec.submodule_search_locations or () if spec else ():
        path = Path(folder) / "datasets" / "data" / "iris.csv"
        if path.is_file():
            lines = path.read_text(encoding="utf-8").splitlines()
            lines = [ROWS.get(place, line) for place, line in enumerate(lines)]
            content = "".join(f"{line}\n" for line in lines).encode()
            if hashlib.sha256(content).hexdigest() == CHECKSUM:
                return lines
    return None
