"""Programs that each need a process of their own, forked from one that has TensorFlow imported.

Graph mode and a release are for a whole process, and importing TensorFlow takes longer than most programs that try
them. Nothing but TensorFlow is imported when a program starts, and nothing of it has run, unless it asks for a release
that is enabled before: that takes as long as most programs, too.
"""

from __future__ import annotations

import functools
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

# Answers each line of JSON with the exit status of a fork that ran its code; a fork ends as any other process. What
# asks for a release is answered by a fork of its own, which has this release enabled and forks in turn.
_SERVER = """
import gc, json, os, sys
gc.disable()
import tensorflow
freeze = getattr(gc, "freeze", gc.collect)  # of Python 3.7: a collection in a fork would copy what TensorFlow keeps
freeze()
gc.enable()

lines, answers, release, others = sys.stdin, sys.stdout, None, {}
for line in iter(lambda: lines.readline(), ""):
    asked = json.loads(line)
    if asked["api"] == release:
        child = os.fork()
        if not child:
            break
        status = os.waitpid(child, 0)[1]
        print(-(status & 127) or status >> 8, file=answers, flush=True)
        continue
    if asked["api"] not in others:
        (read, to), (back, write) = os.pipe(), os.pipe()
        if not os.fork():
            lines, answers, release, others = os.fdopen(read), os.fdopen(write, "w"), asked["api"], {}
            os.close(to)
            os.close(back)
            import tf2bridge.v1
            tf2bridge.v1.enable(api=release)
            freeze()
            continue
        os.close(read)
        os.close(write)
        others[asked["api"]] = os.fdopen(to, "w"), os.fdopen(back)
    to, back = others[asked["api"]]
    print(line, end="", file=to, flush=True)
    print(back.readline() or "\\n", end="", file=answers, flush=True)
else:
    sys.exit()

os.chdir(asked["folder"])
os.environ.clear()
os.environ.update(asked["environment"])
for number, name in enumerate((os.devnull, asked["out"], asked["err"])):
    os.dup2(os.open(name, os.O_RDWR), number)
sys.argv[1:] = asked["arguments"]
exec(compile(asked["code"], "<string>", "exec"), {"__name__": "__main__"})
"""


@functools.cache
def _server(python: str) -> subprocess.Popen[str]:
    """The process that forks; it ends with this one, which closes its input."""
    pipe = subprocess.PIPE
    command = [python, "-c", _SERVER]
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True)


def run(
    code: str, *arguments: str, api: str | None = None, python: str = sys.executable
) -> subprocess.CompletedProcess[str]:
    """Runs code as `python -c` does, with its arguments in sys.argv; what it printed and its exit status.

    With `api`, this release is enabled before the code begins, and the code's own `tf.enable` of it changes nothing.
    `python` may be the Python 3 of a genuine release.
    """
    server = _server(python)
    assert server.stdin is not None and server.stdout is not None
    with tempfile.TemporaryDirectory() as folder:
        out, err = Path(folder) / "out", Path(folder) / "err"
        out.touch()
        err.touch()
        of_process = {"folder": str(Path.cwd()), "environment": dict(os.environ), "out": str(out), "err": str(err)}
        request = {"api": api, "code": code, "arguments": arguments, **of_process}
        server.stdin.write(json.dumps(request) + "\n")
        server.stdin.flush()
        status = server.stdout.readline()
        assert status.strip(), "the process that forks has ended"
        return subprocess.CompletedProcess([code, *arguments], int(status), out.read_text(), err.read_text())
