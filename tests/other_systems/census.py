"""Finds in a source text what only some systems have, or what is another there: names, arguments, paths, text files.

It is a list of signs, and a program can do without one of them what another system cannot: the processes of
`simulated` show that.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache

from tests.other_systems.names import SYSTEMS, modules_lacking, not_everywhere

MODULES = ("os", "signal", "socket", "select", "time", "mmap", "errno", "sys", "subprocess")
OTHERWISE = {
    "os": {"kill", "execv", "execve", "execvp", "execl", "execlp", "symlink", "rename", "name"},
    "sys": {"platform"},
    "platform": {"system", "machine", "uname"},
}
"""Names that are everywhere, and mean something else on Windows, or are asked to tell systems apart."""
KEYWORDS = frozenset((
    *("dir_fd", "src_dir_fd", "dst_dir_fd", "pass_fds", "preexec_fn", "start_new_session", "creationflags"),
    *("process_group", "startupinfo"),
))  # fmt: skip
METHODS = frozenset(("symlink_to",))
_PLACE = re.compile(r"/(?:proc|dev|tmp|etc|bin|usr|var|sys)(?:/|\Z)")
_STARTS = frozenset(("run", "Popen", "check_output", "check_call", "call"))
Found = tuple[int, str]


def found(text: str) -> list[Found]:
    """The line and the sign of each use, in order."""
    tree = ast.parse(text)
    documented = {id(node) for node in _docstrings(tree)}
    return sorted(sign for node in ast.walk(tree) if id(node) not in documented for sign in _signs(node))


def _docstrings(tree: ast.Module) -> Iterator[ast.expr]:
    """Those of modules, classes and functions, and those below a constant."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield node.value


@cache
def _names(module: str) -> frozenset[str]:
    own = not_everywhere(module) if module in MODULES else frozenset()
    return own | OTHERWISE.get(module, set())


@cache
def _modules() -> frozenset[str]:
    return frozenset().union(*(modules_lacking(system) for system in SYSTEMS))


def _signs(node: ast.AST) -> Iterator[Found]:
    if isinstance(node, ast.Import):
        yield from ((node.lineno, f"import {alias.name}") for alias in node.names if alias.name in _modules())
    elif isinstance(node, ast.ImportFrom):
        module = "" if node.level else node.module or ""
        if module in _modules():
            yield node.lineno, f"import {module}"
        yield from ((node.lineno, f"{module}.{name.name}") for name in node.names if name.name in _names(module))
    elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        if node.attr in _names(node.value.id):
            yield node.lineno, f"{node.value.id}.{node.attr}"
    elif isinstance(node, ast.Constant) and isinstance(node.value, str) and _PLACE.match(node.value):
        yield node.lineno, _PLACE.match(node.value)[0]  # type: ignore[index]
    if isinstance(node, ast.Call):
        yield from ((node.lineno, sign) for sign in _of_call(node))


def _of_call(call: ast.Call) -> Iterator[str]:
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    owner = call.func.value if isinstance(call.func, ast.Attribute) else None
    base = owner.id if isinstance(owner, ast.Name) else ""
    given = {keyword.arg for keyword in call.keywords}
    yield from (f"{keyword}=" for keyword in sorted(given & KEYWORDS, key=str))
    if name in METHODS:
        yield name
    if name in ("getattr", "hasattr") and len(call.args) > 1 and isinstance(call.args[0], ast.Name):
        asked = getattr(call.args[1], "value", "")
        if asked in _names(call.args[0].id):
            yield f"{call.args[0].id}.{asked}"
    if name == "import_module" and call.args and getattr(call.args[0], "value", "") in _modules():
        yield f"import {call.args[0].value}"  # type: ignore[attr-defined]
    if name == "get_context" and call.args and isinstance(call.args[0], ast.Constant):
        yield f"get_context({call.args[0].value})"
    if name in _STARTS and base == "subprocess" and given & {"text", "universal_newlines"} and "encoding" not in given:
        yield "text of a process without an encoding"
    yield from _of_text(call, name, base, given)


def _of_text(call: ast.Call, name: str, base: str, given: set[str | None]) -> Iterator[str]:
    """Text without an encoding is in that of the machine; what is written gets its ends of lines."""
    if name in ("read_text", "write_text"):
        place = 0 if name == "read_text" else 1
        if "encoding" not in given and len(call.args) <= place:
            yield f"{name} without an encoding"
        if name == "write_text" and "newline" not in given:
            yield "write_text without a newline"
    if name == "open" and base != "os" and (mode := _mode(call, base)) is not None and "b" not in mode:
        if "encoding" not in given:
            yield "open without an encoding"
        if set(mode) & set("wax") and "newline" not in given:
            yield "open without a newline"


def _mode(call: ast.Call, base: str) -> str | None:
    """The mode that a file is opened with, where it is a constant; None for what opens no file."""
    if isinstance(call.func, ast.Name) or base == "io":
        arguments = call.args[1:2]
        fixed = "r" if len(call.args) == 1 else None
    else:  # a path's own, if it says a mode: archives, images and our functions are opened by this name, too
        arguments, fixed = call.args[:1], None
    arguments = arguments or [keyword.value for keyword in call.keywords if keyword.arg == "mode"]
    mode = getattr(arguments[0], "value", None) if arguments else fixed
    return mode if isinstance(mode, str) and set(mode) <= set("rwaxbt+U") and mode else None
