"""A process that reads one hostile file after another, under a limit of memory: `served.Server` starts it.

It says "ready", takes lines "KIND<tab>PATH", and answers each with one line of JSON.
"""

from __future__ import annotations

import json
import resource
import sys
from pathlib import Path

from tests.hostile.readers import READERS, outcome

MEMORY = 1 << 30
"""Bytes that a file may take beyond those of the process that has imported its readers."""


def main() -> None:
    """Answers until its input ends."""
    import google.protobuf.text_format  # so that imports are no part of what a file takes
    import h5py
    import numpy as np
    import safetensors.numpy

    import tf2bridge.checkpoint.planning.plan_reading
    import tf2bridge.formats.checkpoints.described
    import tf2bridge.formats.checkpoints.opening
    import tf2bridge.formats.graphs.described
    import tf2bridge.proof.traces.described  # noqa: F401

    np.seterr(all="ignore")
    assert h5py.version and google.protobuf.text_format and safetensors.numpy
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + MEMORY, used + MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    print("ready", flush=True)
    for line in sys.stdin:
        kind, _, path = line.rstrip("\n").partition("\t")
        assert kind in READERS
        print(json.dumps(outcome(kind, Path(path))), flush=True)


if __name__ == "__main__":
    main()
