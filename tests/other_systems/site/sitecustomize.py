"""Makes this interpreter look like one of Windows or macOS to codemods and tf2bridge, as far as Linux can play that.

Python runs this at its start where PYTHONPATH names the folder; the processes that it starts do the same. The file that
SIMULATED names says what is hidden. Only modules of ours see it: TensorFlow, NumPy and the standard library are those
of Linux. Of Windows there are also its rules for files and text: what is open cannot be moved or deleted, directories
cannot be opened, symbolic links need a privilege, text is in cp1252 and its lines end in CRLF unless told otherwise.
"""

# ruff: noqa: A002, PTH100, PTH112, PTH115, PTH120, PTH123 - calls are replaced by those of the same arguments
import builtins
import errno
import functools
import importlib
import importlib.util
import io
import json
import os
import pathlib
import shutil
import subprocess
import sys
import types

_OURS = ("tf2bridge", "codemods")
_PLANS = "SIMULATED"


def _is_ours(name):
    return str(name).partition(".")[0] in _OURS


class _Partial(types.ModuleType):
    """A module without some of its names, and with others in the place of its own."""

    def __init__(self, real, hidden, other):
        super().__init__(real.__name__)
        object.__setattr__(self, "_parts", (real, frozenset(hidden) - other.keys(), other))

    def __getattribute__(self, name):
        if name in ("__class__", "__dict__"):
            return object.__getattribute__(self, name)
        real, hidden, other = object.__getattribute__(self, "_parts")
        if name in hidden:
            raise AttributeError(f"module {real.__name__} of {_plan['system']} has no attribute {name}")
        return other[name] if name in other else getattr(real, name)

    def __setattr__(self, name, value):
        setattr(object.__getattribute__(self, "_parts")[0], name, value)


def _apply(plan):
    modules = dict.fromkeys(plan["modules"])
    partial = {
        name: _Partial(importlib.import_module(name), hidden, _others(name, plan["system"]))
        for name, hidden in plan["names"].items()
    }
    if plan["system"] == "win32":
        modules["msvcrt"] = _msvcrt()
        _rules_of_windows()
    for name in plan["without"]:
        modules[name] = None
    _without_proc()
    _replace_imports({**partial, **modules})


def _replace_imports(given):
    original, by_name = builtins.__import__, importlib.import_module

    def taken(name, level, asker):
        return not level and name in given and asker and _is_ours(asker.get("__name__"))

    def found(name):
        if given[name] is None:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return given[name]

    def imported(name, globals=None, locals=None, fromlist=(), level=0):
        top = name.partition(".")[0]
        if taken(top, level, globals) and (name == top or not fromlist):
            return found(top)
        return original(name, globals, locals, fromlist, level)

    def imported_by_name(name, package=None):
        if taken(name, 0, sys._getframe(1).f_globals):
            return found(name)
        return by_name(name, package)

    builtins.__import__, importlib.import_module = imported, imported_by_name


def _others(module, system):
    """What a module has instead of its own on a system."""
    if module == "sys":
        return {"platform": system}
    if system != "win32":
        return {}
    if module == "os":
        calls = ["open", "stat", "mkdir", "unlink", "remove", "rmdir", "rename", "replace", "link", "symlink"]
        by_name = {name: _by_name(getattr(os, name)) for name in [*calls, "listdir"]}
        none = {name: set() for name in ("supports_dir_fd", "supports_fd", "supports_follow_symlinks")}
        return {**by_name, **none, "O_BINARY": 0, "name": "nt"}
    if module == "subprocess":
        return {"Popen": _Popen, "CREATE_NEW_PROCESS_GROUP": 0x200}
    return {}


def _by_name(call):
    @functools.wraps(call)
    def made(path, *arguments, **keywords):
        if isinstance(path, int) and call.__name__ in ("listdir", "stat"):
            raise TypeError(f"{call.__name__}: not of a descriptor on Windows")
        if any(keywords.get(name) is not None for name in ("dir_fd", "src_dir_fd", "dst_dir_fd")):
            raise NotImplementedError("dir_fd unavailable on this platform")
        if call.__name__ == "open" and os.path.isdir(path):
            raise PermissionError(errno.EACCES, "Permission denied", path)
        return call(path, *arguments, **keywords)

    return made


class _Popen(subprocess.Popen):
    def __init__(self, *arguments, **keywords):
        for name in ("pass_fds", "preexec_fn", "process_group", "user", "group", "umask"):
            if keywords.get(name):
                raise ValueError(f"{name} not supported on Windows platforms")
        if keywords.pop("creationflags", 0) & 0x200:
            keywords["start_new_session"] = True
        if (keywords.get("text") or keywords.get("universal_newlines")) and not keywords.get("encoding"):
            keywords["encoding"] = "cp1252"
        super().__init__(*arguments, **keywords)


def _msvcrt():
    """The lock of a byte of an open file, which is that of the whole file here."""
    import fcntl

    module = types.ModuleType("msvcrt")
    module.LK_NBLCK = 2

    def locking(descriptor, _mode, _bytes):
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise PermissionError(errno.EACCES, "Permission denied") from None

    module.locking = locking
    return module


def _rules_of_windows():
    opened = io.open

    def text_of_windows(file, mode="r", buffering=-1, encoding=None, errors=None, newline=None, *rest, **more):
        if "b" not in mode:
            encoding = "cp1252" if encoding in (None, "locale") else encoding
            if newline is None and set(mode) & set("wax+") and not isinstance(file, int):
                newline = "\r\n" if set(mode) & set("wax") else None
        return opened(file, mode, buffering, encoding, errors, newline, *rest, **more)

    builtins.open = io.open = text_of_windows

    def no_link(*_arguments, **_keywords):
        error = OSError(errno.EPERM, "A required privilege is not held by the client")
        error.winerror = 1314
        raise error

    os.symlink = no_link
    _keep_what_is_open()
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.reconfigure(encoding="cp1252", newline="\r\n")


def _keep_what_is_open():
    for name in ("rename", "replace"):
        setattr(os, name, _unless_open(getattr(os, name), 2))
    for name in ("unlink", "remove", "rmdir"):
        setattr(os, name, _unless_open(getattr(os, name), 1))
    removed = shutil.rmtree

    def removed_tree(path, ignore_errors=False, *rest, **more):
        if not ignore_errors and not isinstance(path, int):
            _check_closed(path)
        return removed(path, ignore_errors, *rest, **more)

    shutil.rmtree = removed_tree


def _unless_open(call, count):
    @functools.wraps(call)
    def made(*arguments, **keywords):
        if not any(name.endswith("dir_fd") for name in keywords):
            for path in arguments[:count]:
                _check_closed(path)
        return call(*arguments, **keywords)

    return made


def _check_closed(path):
    """Raises what Windows raises for a file that this process has open, and for a directory with one in it."""
    try:
        facts = _stat(path, follow_symlinks=False)
    except OSError:
        return
    inside = os.path.realpath(path) + os.sep
    for descriptor in _listdir("/proc/self/fd"):
        try:
            theirs = _stat(int(descriptor))
            target = os.readlink("/proc/self/fd/" + descriptor)
        except OSError:
            continue
        if os.path.samestat(theirs, facts) or target.startswith(inside):
            error = PermissionError(errno.EACCES, "The process cannot access the file: it is open here", str(path))
            error.winerror = 32
            raise error


_stat, _listdir = os.stat, os.listdir


def _without_proc():
    """No system but Linux has /proc."""

    def hidden(call):
        @functools.wraps(call)
        def made(path=".", *arguments, **keywords):
            is_there = isinstance(path, (str, pathlib.PurePath)) and str(path).startswith("/proc")
            if is_there and sys._getframe(1).f_globals.get("__name__") not in ("sitecustomize", "posixpath"):
                raise FileNotFoundError(errno.ENOENT, "No such file or directory", str(path))
            return call(path, *arguments, **keywords)

        return made

    for name in ("stat", "listdir", "scandir"):
        before, after = getattr(os, name), hidden(getattr(os, name))
        for able in (os.supports_dir_fd, os.supports_fd, os.supports_follow_symlinks):
            if before in able:
                able.add(after)
        setattr(os, name, after)
    builtins.open = io.open = hidden(io.open)


def _the_next_one():
    """The sitecustomize that this one hides, as `tf2bridge run` has one, which runs this one if it comes first."""
    from importlib.machinery import PathFinder

    here = os.path.dirname(os.path.abspath(__file__))
    places = [os.path.abspath(path) for path in sys.path if path]
    spec = PathFinder.find_spec("sitecustomize", places[places.index(here) + 1 :])
    if spec is not None and spec.loader is not None:
        spec.loader.exec_module(importlib.util.module_from_spec(spec))


if _PLANS in os.environ and not hasattr(builtins, _PLANS):
    setattr(builtins, _PLANS, True)
    with open(os.environ[_PLANS], encoding="utf-8") as _file:
        _plan = json.load(_file)
    _apply(_plan)
_the_next_one()
