"""What the genuine releases had: every public name, and those of the private modules that old programs import."""

from __future__ import annotations

import fnmatch
import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

from codemods.symbols import RELEASES

# Private modules that old programs import.
PRIVATE = (
    "examples.tutorials.mnist.input_data",
    "models.rnn.ptb.reader",
    "models.rnn.rnn",
    "models.rnn.rnn_cell",
    "models.rnn.seq2seq",
    *(f"python.client.{name}" for name in ("device_lib", "session", "timeline")),
    *(f"python.framework.{name}" for name in ("constant_op", "dtypes", "errors", "function", "graph_util", "ops")),
    *(f"python.framework.{name}" for name in ("random_seed", "tensor_shape", "tensor_util")),
    *(f"python.layers.{name}" for name in ("base", "convolutional", "core", "normalization", "pooling", "utils")),
    *(f"python.ops.{name}" for name in ("array_ops", "check_ops", "clip_ops", "control_flow_ops", "ctc_ops")),
    *(f"python.ops.{name}" for name in ("data_flow_ops", "embedding_ops", "functional_ops", "gradients", "image_ops")),
    *(f"python.ops.{name}" for name in ("init_ops", "io_ops", "linalg_ops", "logging_ops", "math_ops", "metrics")),
    *(f"python.ops.{name}" for name in ("nn", "nn_ops", "parsing_ops", "random_ops", "rnn", "rnn_cell")),
    *(f"python.ops.{name}" for name in ("rnn_cell_impl", "seq2seq", "sparse_ops", "state_ops", "string_ops")),
    *(f"python.ops.{name}" for name in ("tensor_array_ops", "variable_scope", "variables")),
    *(f"python.platform.{name}" for name in ("app", "flags", "gfile", "tf_logging")),
    *(f"python.training.{name}" for name in ("moving_averages", "optimizer", "saver", "session_run_hook")),
    *(f"python.util.{name}" for name in ("compat", "nest")),
)
UNWANTED = ("raw_ops.*", "compiler*", "contrib.*_pb2*", "contrib.*.python.*", "*.xrange", "*.zip", "*.tf_export")


@dataclass(frozen=True)
class Legacy:
    """One name as the releases had it: where, of what kind, its arguments by release, its other names by release."""

    name: str
    kind: str
    arguments: dict[str, tuple[str, ...] | None]
    aliases: frozenset[str]


def surface(python: Path) -> dict[str, list[object]]:
    """The rows of `surface.py`, run by the interpreter of a genuine release."""
    script = Path(__file__).with_name("surface.py")
    environment = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3"}
    environment.pop("TF2_BEHAVIOR", None)  # set where TensorFlow 2 was imported; it changes the names of 1.15
    command = [str(python), str(script), *PRIVATE]
    result = subprocess.run(command, capture_output=True, encoding="utf-8", check=True, env=environment)
    symbols: dict[str, list[object]] = json.loads(result.stdout[result.stdout.index('{"symbols"') :])["symbols"]
    return {name: row for name, row in symbols.items() if not any(fnmatch.fnmatch(name, each) for each in UNWANTED)}


def collect(oracles: Path) -> dict[str, Legacy]:
    """Every name of every release."""
    found: dict[str, Legacy] = {}
    for release in RELEASES:
        rows = surface(oracles / release / "bin" / "python")
        groups: dict[object, set[str]] = {}
        for name, (_, identity, _) in rows.items():
            groups.setdefault(identity, set()).add(name)
        for name, (kind, identity, arguments) in rows.items():
            old = found.get(name)
            names = groups[identity] - {name} if identity and kind != "module" else set()
            listed = tuple(arguments) if isinstance(arguments, list) else None
            by_release = {**(old.arguments if old else {}), release: listed}
            found[name] = Legacy(name, str(kind), by_release, (old.aliases if old else frozenset()) | names)
    return found
