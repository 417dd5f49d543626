"""Where a test's stored files lie. Needs nothing but the standard library."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

_KEPT = re.compile(r"[^\w.\-\[\]=+,]")


def stored_at(test_file: Path, node_id: str, folder: str, suffix: str) -> Path:
    """Returns `<folder of the test file>/<folder>/<id of the test><suffix>`.

    tests/test_net.py::TestNet::test_loss[0.5] -> tests/traces/test_net.TestNet.test_loss[0.5].trace. Where a character
    cannot stand in a file's name, "_" does and a digest tells the names apart.
    """
    _, *inside = node_id.split("::")
    name = ".".join([test_file.stem, *inside])
    safe = _KEPT.sub("_", name)
    if safe != name or len(safe) > 180:
        safe = f"{safe[:150]}-{hashlib.sha256(name.encode()).hexdigest()[:10]}"
    return test_file.parent / folder / f"{safe}{suffix}"
