"""Programs run under the recorder, here and under the genuine releases."""

from __future__ import annotations

import functools
import os
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

from tests import scratch
from tf2bridge.proof.recording.assembled import assembled
from tf2bridge.proof.traces.reader import Trace
from tf2bridge.proof.traces.records import CallRecord

RELEASES = ("0.12.1-py2", "0.12.1", "1.4.1", "1.12.3", "1.15.5")
# Finds the TF1 API in every release; Python 2.7 runs it too.
PRELUDE = """\
from __future__ import print_function
import sys, collections, threading
import numpy as np
import tensorflow as tf
if tf.__version__.startswith("2."):
    tf = tf.compat.v1
    tf.disable_v2_behavior()
initialize_all = getattr(tf, "global_variables_initializer", None) or tf.initialize_all_variables
"""


@functools.cache
def recorder() -> Path:
    """The recorder as a user has it, one file."""
    path = scratch.folder() / "recorder.py"
    path.write_text(assembled(), encoding="utf-8")
    return path


def write(directory: Path, program: str) -> None:
    """Writes program.py, which finds the TF1 API as `tf`."""
    (directory / "program.py").write_text(PRELUDE + textwrap.dedent(program), encoding="utf-8")


def started(directory: Path, *arguments: str, python: str | Path = sys.executable) -> subprocess.Popen[str]:
    """Starts the recorder in a directory, with `out.trace` as its output."""
    command = [str(python), "-W", "ignore", str(recorder()), "--output", "out.trace", *arguments]
    environment = os.environ | {"TF_CPP_MIN_LOG_LEVEL": "3", "CUDA_VISIBLE_DEVICES": ""}
    pipe = subprocess.PIPE
    return subprocess.Popen(command, cwd=directory, env=environment, stdout=pipe, stderr=pipe, text=True)


def finished(process: subprocess.Popen[str], status: int = 0) -> tuple[str, str]:
    """Waits for a process, which must end with a status; returns what it printed, output and errors."""
    output, errors = process.communicate()
    assert process.returncode == status, errors
    return output, errors


def record(
    directory: Path, program: str, *options: str, python: str | Path = sys.executable, status: int = 0
) -> tuple[Trace, str, str]:
    """Runs a program under the recorder, which must end with a status; returns its trace, output and errors."""
    write(directory, program)
    output, errors = finished(started(directory, *options, "--", "program.py", "arg", python=python), status)
    assert not (directory / "out.trace.part").exists()
    return Trace(directory / "out.trace"), output, errors


def fetched(trace: Trace, call: CallRecord) -> dict[str, Any]:
    """What a call fetched, by name, as lists."""
    return {leaf.name: None if leaf.value is None else trace.value(leaf.value).tolist() for leaf in call.fetches}


def line(text: str, program: str) -> str:
    """The place of the only line of a program that holds `text`, as a trace gives it."""
    lines = (PRELUDE + textwrap.dedent(program)).splitlines()
    (number,) = [n for n, line in enumerate(lines, 1) if text in line]
    return f"program.py:{number}"
