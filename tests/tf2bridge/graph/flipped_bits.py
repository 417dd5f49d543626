"""Loads a graph whose file has one wrong bit, many times: run by test_flipped_bits in a process of its own.

    python -m tests.tf2bridge.graph.flipped_bits FOLDER SEED COUNT

FOLDER holds a directory for each format, in it `path` (the name to load), `damaged` (the file whose bits change) and
`expected.npz` (x and logits). Prints a line of JSON for each flip: format, byte, bit, and what came of it.
"""

from __future__ import annotations

import json
import random
import signal
import sys
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np

import tf2bridge
from tf2bridge.errors import BridgeError

SECONDS = 60
"""A load that takes longer hangs: in time of the processor, since the machine may be busy."""


class HangsError(Exception):
    """A load does not end."""


def main(folder: Path, seed: int, count: int) -> None:
    signal.signal(signal.SIGPROF, _hangs)
    for format_ in sorted(path for path in folder.iterdir() if path.is_dir()):
        path = format_ / (format_ / "path").read_text()
        damaged = format_ / (format_ / "damaged").read_text()
        content = damaged.read_bytes()
        expected = np.load(format_ / "expected.npz")
        draw = random.Random(f"{seed} {format_.name}")
        undamaged = outcome(path, expected)
        assert undamaged == "equal", undamaged
        for _ in range(count):
            place, bit = draw.randrange(len(content)), draw.randrange(8)
            damaged.write_bytes(content[:place] + bytes([content[place] ^ 1 << bit]) + content[place + 1 :])
            print(json.dumps({"format": format_.name, "byte": place, "bit": bit, "is": "running"}), flush=True)
            result = {"format": format_.name, "byte": place, "bit": bit, "is": outcome(path, expected)}
            print(json.dumps(result), flush=True)
        damaged.write_bytes(content)


def outcome(path: Path, expected: Any) -> str:
    """Returns "equal", "different", the name of the BridgeError, or "raises ..." for any other exception."""
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        module = tf2bridge.load(path, outputs=["logits"], inputs=["x"])
        array = np.asarray(module(expected["x"]))
    except BridgeError as error:
        return f"{type(error).__name__}: {error}"
    except Exception as error:
        return f"raises {type(error).__name__}: {error}"
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    same = array.shape == expected["logits"].shape and np.allclose(array, expected["logits"], rtol=1e-5, atol=1e-6)
    return "equal" if same else "different"


def _hangs(_signal: int, _frame: FrameType | None) -> None:
    raise HangsError(f"no end after {SECONDS} seconds")


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
