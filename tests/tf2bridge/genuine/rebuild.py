"""Writes the genuine results: `python tests/tf2bridge/genuine/rebuild.py`, with the oracles of fixtures/oracles.sh."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ORACLES = Path(os.environ.get("TF_ORACLES", Path.home() / ".cache" / "tf-oracles"))
RELEASES = ("0.12.1", "1.15.5")
QUIET = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3", "TF_ENABLE_ONEDNN_OPTS": "0", "PYTHONWARNINGS": "ignore"}
QUIET.pop("TF2_BEHAVIOR", None)  # set where TensorFlow 2 was imported; 1.15 would run eagerly


def interpreter(release: str) -> Path:
    return ORACLES / release / "bin" / "python"


def evaluated(python: str, release: str, module: str) -> dict[str, Any]:
    """What each case of the release computes in `module` ("tensorflow" or a namespace of ours)."""
    command = [python, str(HERE / "evaluate.py"), str(HERE / f"{release}.txt"), module]
    done = subprocess.run(command, env=QUIET, capture_output=True, text=True, check=False)
    _, mark, text = done.stdout.partition("=== results\n")
    if not mark:
        raise RuntimeError(done.stderr)
    results: dict[str, Any] = json.loads(text)
    return results


if __name__ == "__main__":
    for each in RELEASES:
        found = evaluated(str(interpreter(each)), each, "tensorflow")
        (HERE / f"{each}.json").write_text(json.dumps(found, indent=1, sort_keys=True) + "\n")
        for name, result in found.items():
            if "error" in result:
                print(each, name, result["error"][:200])
