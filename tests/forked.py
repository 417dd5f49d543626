"""Programs that each need a process of their own, forked from one that has TensorFlow imported.

Graph mode and a release are for a whole process, and importing TensorFlow takes longer than most programs that try
them. Nothing but TensorFlow is imported when a program starts, and nothing of it has run.
"""

from __future__ import annotations

import functools
import json
import subprocess
import sys
import tempfile
from pathlib import Path

# Answers each line of JSON with the exit status of a fork that ran its code; a fork ends as any other process.
_SERVER = """
import gc, json, os, sys
gc.disable()
import tensorflow
gc.freeze()  # else a collection in a fork would copy the memory of all that TensorFlow keeps
gc.enable()

def forks():
    for line in sys.stdin:
        child = os.fork()
        if not child:
            return json.loads(line)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)

asked = forks()
if asked is not None:
    for number, name in enumerate((os.devnull, asked["out"], asked["err"])):
        os.dup2(os.open(name, os.O_RDWR), number)
    sys.argv[1:] = asked["arguments"]
    exec(compile(asked["code"], "<string>", "exec"), {"__name__": "__main__"})
"""


@functools.cache
def _server() -> subprocess.Popen[str]:
    """The process that forks; it ends with this one, which closes its input."""
    pipe = subprocess.PIPE
    return subprocess.Popen(
        [sys.executable, "-c", _SERVER], stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True
    )


def run(code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs code as `python -c` does, with its arguments in sys.argv; what it printed and its exit status."""
    server = _server()
    assert server.stdin is not None and server.stdout is not None
    with tempfile.TemporaryDirectory() as folder:
        out, err = Path(folder) / "out", Path(folder) / "err"
        out.touch()
        err.touch()
        request = {"code": code, "arguments": arguments, "out": str(out), "err": str(err)}
        server.stdin.write(json.dumps(request) + "\n")
        server.stdin.flush()
        status = server.stdout.readline()
        assert status, "the process that forks has ended"
        return subprocess.CompletedProcess([code, *arguments], int(status), out.read_text(), err.read_text())
