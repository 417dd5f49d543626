"""What only some systems have is used in the modules for systems, and nowhere else."""

from __future__ import annotations

import pytest

from tests.other_systems.census import found
from tests.other_systems.simulated import ROOT

PACKAGES = ("codemods", "tf2bridge")
FOR_SYSTEMS = ("codemods/systems/", "tf2bridge/systems/")
ALLOWED = {
    "tf2bridge/proof/recording/folder.py": ({"os.O_BINARY"}, "the recorder is one file, for interpreters of any age"),
    "tf2bridge/proof/recording/archive.py": ({"os.rename"}, "the recorder; of Python 2.7, which Windows never had"),
    "tf2bridge/proof/recording/program.py": ({"os.kill"}, "the recorder ends itself by a signal, on Windows too"),
    "tf2bridge/train/clusters/loopback.py": (
        {"/proc/", "socket.SO_BINDTODEVICE", "socket.SO_REUSEPORT"},
        "what Linux alone can; elsewhere the errors of it are caught, and the server says that it is open",
    ),
}
"""File -> the signs that may be in it, and why."""


def uses() -> dict[str, set[str]]:
    """Each file of ours that has a sign in it -> its signs."""
    files = [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]
    signs = {path.relative_to(ROOT).as_posix(): {sign for _, sign in found(path.read_text("utf-8"))} for path in files}
    return {name: of for name, of in signs.items() if of and not name.startswith(FOR_SYSTEMS)}


def test_what_only_some_systems_have_is_in_one_place() -> None:
    left = {name: of - ALLOWED[name][0] if name in ALLOWED else of for name, of in uses().items()}
    assert {name: of for name, of in left.items() if of} == {}, "use codemods.systems or tf2bridge.systems"


def test_nothing_is_allowed_that_is_not_there() -> None:
    signs = uses()
    assert {name for name, (allowed, _) in ALLOWED.items() if allowed - signs.get(name, set())} == set()


@pytest.mark.parametrize(
    ("text", "sign"),
    [
        ("import fcntl", "import fcntl"),
        ("from resource import getrlimit", "import resource"),
        ("import msvcrt", "import msvcrt"),
        ("import importlib\nimportlib.import_module('termios')", "import termios"),
        ("import os\nos.fork()", "os.fork"),
        ("from os import getuid", "os.getuid"),
        ("import os\nos.O_NOFOLLOW", "os.O_NOFOLLOW"),
        ("import os\ngetattr(os, 'O_BINARY', 0)", "os.O_BINARY"),
        ("import os\nhasattr(os, 'sched_getaffinity')", "os.sched_getaffinity"),
        ("import os\nos.kill(1, 0)", "os.kill"),
        ("import signal\nsignal.SIGHUP", "signal.SIGHUP"),
        ("import signal\nsignal.setitimer(0, 1)", "signal.setitimer"),
        ("import socket\nsocket.AF_UNIX", "socket.AF_UNIX"),
        ("import select\nselect.poll()", "select.poll"),
        ("import sys\nsys.platform == 'win32'", "sys.platform"),
        ("f(pass_fds=[1])", "pass_fds="),
        ("f(name, dir_fd=3)", "dir_fd="),
        ("place.symlink_to(other)", "symlink_to"),
        ("multiprocessing.get_context('fork')", "get_context(fork)"),
        ("Path(f'/proc/{number}/stat')", "/proc/"),
        ("open('/dev/null', 'rb')", "/dev/"),
        ("open(name)", "open without an encoding"),
        ("open(name, 'w', encoding='utf-8')", "open without a newline"),
        ("path.read_text()", "read_text without an encoding"),
        ("path.write_text('a', 'utf-8')", "write_text without a newline"),
        ("path.open('w', encoding='utf-8')", "open without a newline"),
        ("subprocess.run(command, text=True)", "text of a process without an encoding"),
    ],
)
def test_signs(text: str, sign: str) -> None:
    assert sign in [message for _, message in found(text)]


@pytest.mark.parametrize(
    "text",
    [
        "import os\nos.path.join('a', 'b')\nos.environ.get('HOME')\nos.getpid()",
        "import signal\nsignal.SIGINT\nsignal.SIGTERM",
        "open(name, 'rb')\npath.read_bytes()\npath.read_text('utf-8')\nos.open(name, flags)",
        "open(name, 'w', encoding='utf-8', newline='\\n')\narchive.open('member')",
        '"""What lies below /proc."""\nname.split("/")',
    ],
)
def test_what_every_system_has(text: str) -> None:
    assert found(text) == []
