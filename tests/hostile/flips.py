"""Reads a file of which one bit is wrong, many times, in a process of its own, since a library might bring it down.

    python -m tests.hostile.flips READER PATH DAMAGED SEED COUNT

PATH is what is read, DAMAGED the file whose bits change. Prints a line of JSON for each flip: its byte, its bit, and
what it came to.
"""

from __future__ import annotations

import hashlib
import json
import random
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np

from tf2bridge.errors import BridgeError

SECONDS = 60
"""A read that takes longer hangs: in time of the processor, since the machine may be busy."""
EQUAL, OTHER, CLOSE = "equal", "other values", "other bits within the tolerance"
REFUSED, FAULT, HANGS = "refused", "raises", "hangs"


class EndlessError(Exception):
    """A read does not end."""


def of_graph(path: Path) -> Any:
    """The outputs of a recorded model, computed on the inputs that were recorded beside it."""
    import tf2bridge

    with np.load(_beside(path, "expected.npz")) as recorded:
        stored = {name.partition(" ")[2]: recorded[name] for name in recorded if name.startswith("in ")}
        outputs = [name.partition(" ")[2] for name in recorded if name.startswith("out ")]
        tensors = {name: str(recorded[f"tensor {name}"]) for name in (*stored, *outputs)}
    module = tf2bridge.load(path, [tensors[name] for name in outputs], [tensors[name] for name in stored])
    result = module(*stored.values())
    return [np.asarray(result[name]) for name in sorted(result)] if isinstance(result, dict) else [np.asarray(result)]


def of_checkpoint(path: Path) -> Any:
    """Name, type, shape and value of every tensor."""
    from tests.tf2bridge.formats.checkpoints.damaged import contents

    return contents(path)


def of_trace(path: Path) -> Any:
    """All that a trace says."""
    from tests.tf2bridge.proof.traces.damaging import everything

    return everything(path)


def of_events(path: Path) -> Any:
    """The graph of an event file."""
    from tf2bridge.formats.graphs.reader import read

    return read(path).graph_def.SerializeToString(deterministic=True)


def of_plan(path: Path) -> Any:
    """All that a plan says."""
    from tf2bridge.checkpoint.planning.plan_reading import load_plan

    plan = load_plan(path)
    return [repr(part) for part in (plan.moves, plan.drops, plan.keeps, plan.variables, plan.source)]


READERS: dict[str, Callable[[Path], Any]] = {
    "graph": of_graph,
    "checkpoint": of_checkpoint,
    "trace": of_trace,
    "events": of_events,
    "plan": of_plan,
}


def main(reader: Callable[[Path], Any], path: Path, damaged: Path, seed: int, count: int) -> None:
    """Flips bits of the file, which is whole again afterwards."""
    signal.signal(signal.SIGPROF, _hangs)
    content, draw, expected = damaged.read_bytes(), random.Random(seed), reader(path)
    for _ in range(count):
        place, bit = draw.randrange(len(content)), draw.randrange(8)
        damaged.write_bytes(content[:place] + bytes([content[place] ^ 1 << bit]) + content[place + 1 :])
        print(json.dumps({"byte": place, "bit": bit, **outcome(reader, path, expected)}), flush=True)
    damaged.write_bytes(content)


def outcome(reader: Callable[[Path], Any], path: Path, expected: Any) -> dict[str, str]:
    """What reading the file comes to, and what was said."""
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        result = reader(path)
    except BridgeError as error:
        return {"is": REFUSED, "said": f"{type(error).__name__}: {error}"}
    except EndlessError as error:
        return {"is": HANGS, "said": str(error)}
    except Exception as error:
        return {"is": FAULT, "said": f"{type(error).__name__}: {error}"}
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    if digest(result) == digest(expected):
        return {"is": EQUAL, "said": ""}
    return {"is": CLOSE if are_close(result, expected) else OTHER, "said": ""}


def digest(value: Any) -> str:
    """Equal for what is equal bit for bit."""
    if isinstance(value, list) and value and all(isinstance(item, np.ndarray) for item in value):
        value = [(str(item.dtype), item.shape, item.tobytes()) for item in value]
    return hashlib.sha256(repr(value).encode()).hexdigest()


def are_close(actual: Any, expected: Any) -> bool:
    """Whether the outputs of a graph are within the usual tolerance."""
    if not all(isinstance(item, np.ndarray) for item in (*actual, *expected)) or len(actual) != len(expected):
        return False
    return all(
        a.shape == b.shape and a.dtype == b.dtype and a.dtype.kind in "fiub" and np.allclose(a, b, rtol=1e-5, atol=1e-6)
        for a, b in zip(actual, expected, strict=True)
    )


def _beside(path: Path, name: str) -> Path:
    """The file of that name in the nearest folder above."""
    return next(folder / name for folder in path.absolute().parents if (folder / name).is_file())


def _hangs(_signal: int, _frame: FrameType | None) -> None:
    raise EndlessError(f"no end after {SECONDS} seconds")


if __name__ == "__main__":
    np.seterr(all="ignore")
    main(READERS[sys.argv[1]], Path(sys.argv[2]), Path(sys.argv[3]), int(sys.argv[4]), int(sys.argv[5]))
