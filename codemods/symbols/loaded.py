"""Imports in a child process what a census says is there, so that `--resolve` claims only what it has tried.

Only modules of the installed TensorFlow and of tf2bridge are imported, and none from the working directory: no file of
the tree that is checked runs.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable

_SECONDS = 900
_MARK = "codemods-resolve:"

_CHILD = """
import sys
sys.path[:] = [path for path in sys.path if path]
import importlib, importlib.util, json
names = json.load(sys.stdin)
sys.argv[1:] = []  # flags read the command line


def load(name):
    module, _, own = name.partition(":")
    if own:
        exec("from %s import %s" % (module, own), {})
        return
    head = "tf2bridge.v0" if name.startswith("tf2bridge.v0") else "tf2bridge.v1"
    path = head if name.startswith(head) else name.partition(".")[0]
    value = importlib.import_module(path)
    for part in filter(None, name[len(path):].split(".")):
        path += "." + part
        value = getattr(value, part) if hasattr(value, part) else importlib.import_module(path)


failed = {}
if importlib.util.find_spec("tensorflow") is None:
    failed = None
else:
    for name in names:
        try:
            load(name)
        except Exception as error:
            failed[name] = "%s: %s" % (type(error).__name__, str(error).partition("\\n")[0])
print("\\n" + MARK + json.dumps(failed))
""".replace("MARK", repr(_MARK))


def failures(names: Iterable[str]) -> dict[str, str] | None:
    """Returns name -> why it cannot be imported; None if this Python has no TensorFlow to try the names with.

    names: dotted names; `module:name` is taken by `from module import name`, and `module:*` by a star.
    """
    wanted = sorted(set(names))
    if not wanted:
        return {}
    environment = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3", "CUDA_VISIBLE_DEVICES": ""}
    try:
        done = subprocess.run(
            [sys.executable, "-c", _CHILD],
            input=json.dumps(wanted),
            capture_output=True,
            encoding="utf-8",
            errors="backslashreplace",
            check=False,
            timeout=_SECONDS,
            env=environment,
        )
    except subprocess.TimeoutExpired:
        return dict.fromkeys(wanted, f"the process that imports gave no answer in {_SECONDS} seconds")
    answer = [line for line in done.stdout.splitlines() if line.startswith(_MARK)]
    if not answer:
        why = (done.stderr.strip().splitlines() or ["it ended without an answer"])[-1]
        return dict.fromkeys(wanted, f"the process that imports ended: {why}")
    reasons: dict[str, str] | None = json.loads(answer[-1].removeprefix(_MARK))
    return reasons
