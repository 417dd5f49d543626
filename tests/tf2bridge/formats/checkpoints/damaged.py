"""Reads a checkpoint of which one bit, or the end, is wrong, many times.

    python -m tests.tf2bridge.formats.checkpoints.damaged PATH DAMAGED SEED COUNT

PATH is what is opened, DAMAGED the file whose bits change. Prints a line of JSON for each time: what was done, and what
came of it. Run in a process of its own where a library might bring it down.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import tf2bridge
from tf2bridge.errors import BridgeError

SILENT = "silently different"


def contents(path: Path) -> dict[str, Any]:
    """Name -> (type, shape, bytes or texts) of every tensor."""
    with tf2bridge.checkpoint.open(path) as checkpoint:
        result = {}
        for name in checkpoint:
            value = checkpoint[name]
            message = value.ravel().tolist() if value.dtype == object else value.tobytes()
            result[name] = (checkpoint.tensors[name].dtype, value.shape, message)
        return result


def outcome(path: Path, expected: dict[str, Any]) -> str:
    """Returns "equal", the error of ours with what it says, or what should never be."""
    try:
        return "equal" if contents(path) == expected else SILENT
    except BridgeError as error:
        return f"{type(error).__name__}: {error}"
    except Exception as error:
        return f"raises {type(error).__name__}: {error}"


def damages(path: Path, damaged: Path, seed: int, count: int) -> Iterator[tuple[str, str]]:
    """What was done to the file, and the outcome; a fifth of the times it is cut off. The file is whole afterwards."""
    content, expected, draw = damaged.read_bytes(), contents(path), random.Random(seed)
    for number in range(count):
        place, bit = draw.randrange(len(content)), draw.randrange(8)
        if number % 5:
            damaged.write_bytes(content[:place] + bytes([content[place] ^ 1 << bit]) + content[place + 1 :])
            done = f"bit {bit} of byte {place} of {len(content)}"
        else:
            damaged.write_bytes(content[:place])
            done = f"cut to {place} of {len(content)}"
        yield done, outcome(path, expected)
    damaged.write_bytes(content)


if __name__ == "__main__":
    np.seterr(all="ignore")
    for damage in damages(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])):
        print(json.dumps(damage), flush=True)
