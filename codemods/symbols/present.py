"""What TensorFlow 2.21 and tf2bridge.v1 export today, with their parameters; runs by hand, as part of the build.

A row is one name: `in` says where it is (`2` in tensorflow, `1` in tensorflow.compat.v1), `kind` is "module" for a
module, `takes` its parameters and `takes1` those of compat.v1 where they differ. Parameters are separated by spaces:
`x` must be given, `x=` need not, `*` ends those that may be given by position, `*args` and `**kwargs` take anything.
The rows of tf2bridge have `0` in `in`, and `takes0`, for tf2bridge.v0, and `as`, the module that a module stands for.
"""

from __future__ import annotations

import collections.abc
import enum
import importlib
import inspect
import sys
import warnings
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest import mock

from codemods.symbols import is_private

# Packages of their own, whose names are known but not what they hold.
CLOSED = frozenset(("compat", "core", "python", "raw_ops", "tools", "_api"))
# Other packages can be reached through some modules (`tf.flags.sys`, `tf.test.mock`); these are the ones meant.
_OURS = ("tensorflow", "keras", "tf_keras", "tf2bridge")
# The names of private modules are those of private.json.
_LISTED_ELSEWHERE = ("python.", "core.", "tools.", "compat.")
_KINDS = inspect.Parameter


def takes(value: object) -> str | None:
    """The parameters of a function or class in the spelling above; None where Python cannot tell."""
    if not callable(value) or depends_on_python(value) or isinstance(value, collections.abc.Iterable):
        return None  # FLAGS can be called and iterated: its parameters say nothing
    if _renames_arguments(value):
        return None
    try:
        parameters = list(inspect.signature(value).parameters.values())
    except (TypeError, ValueError):
        return None
    words: list[str] = []
    for each in parameters:
        if each.kind is _KINDS.VAR_POSITIONAL:
            words.append(f"*{each.name}")
        elif each.kind is _KINDS.VAR_KEYWORD:
            words.append(f"**{each.name}")
        else:
            if each.kind is _KINDS.KEYWORD_ONLY and not any(word.startswith("*") for word in words):
                words.append("*")
            words.append(each.name + ("" if each.default is _KINDS.empty else "="))
    return " ".join(words)


def _renames_arguments(value: object) -> bool:
    """Whether a function takes old names of its arguments, too: `flags.DEFINE_string(flag_name=, default_value=)`."""
    code = getattr(value, "__code__", None)
    return code is not None and Path(code.co_filename).parts[-3:] == ("python", "platform", "flags.py")


def depends_on_python(value: object) -> bool:
    """Whether the parameters follow from the release of Python: an Enum, or what the standard library defines."""
    if isinstance(value, enum.EnumMeta):
        return True
    if type(value).__module__ == "typing":  # an alias such as Dict
        return True
    home = value.__module__ if isinstance(value, type) or inspect.isroutine(value) else None
    return isinstance(home, str) and home.partition(".")[0] in sys.stdlib_module_names


def walk(root: Any, closed: frozenset[str] = CLOSED, within: str = "") -> dict[str, str | None]:
    """Every public name below a module: "module", its parameters, or None for what is no function.

    `within`: only modules of this package are entered (those of tf_keras show whatever they import).
    """
    rows: dict[str, str | None] = {}
    waiting: list[tuple[str, Any, frozenset[int]]] = [("", root, frozenset((id(root),)))]
    while waiting:
        prefix, module, around = waiting.pop(0)
        for name, value in members(module):
            dotted = prefix + name
            if not isinstance(value, ModuleType):
                rows[dotted] = takes(value)
                continue
            home = getattr(value, "__name__", "")  # a module that Keras 3 refuses has not even a name
            if not home:
                continue
            rows[dotted] = "module"
            ours = home.startswith(f"{within}.") if within else home.partition(".")[0] in _OURS
            if ours and name not in closed and id(value) not in around:
                waiting.append((f"{dotted}.", value, around | {id(value)}))
    return rows


def members(module: Any) -> list[tuple[str, Any]]:
    """The public attributes of a module; those that it refuses (Keras 3) are left out."""
    found = []
    try:
        listed = sorted(set(dir(module)))
    except ImportError:  # a lazily loaded package that is not installed
        return []
    for name in listed:
        if name.startswith("_"):
            continue
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                found.append((name, getattr(module, name)))
        except Exception:  # noqa: S112 - refusals are of many kinds
            continue
    return found


def tensorflow_rows() -> dict[str, dict[str, str]]:
    """The rows of today.json."""
    tensorflow = importlib.import_module("tensorflow")
    two, one = walk(tensorflow), walk(tensorflow.compat.v1)
    rows: dict[str, dict[str, str]] = {}
    for name in sorted(two.keys() | one.keys()):
        row = {"in": ("1" if name in one else "") + ("2" if name in two else "")}
        first, second = one.get(name), two.get(name)
        if "module" in (first, second):
            row["kind"] = "module"
        else:
            shared = second if name in two else first
            if shared is not None:
                row["takes"] = shared
            if name in two and name in one and first != second:
                row["takes1"] = first or ""
        rows[name] = row
    return rows


def bridge_rows() -> dict[str, dict[str, str]]:
    """The rows of bridge.json: what tf2bridge.v1 supplies itself, private modules apart."""
    rows: dict[str, dict[str, str]] = {}
    for package in ("tf2bridge.v1", "tf2bridge.v0"):
        tree = importlib.import_module(f"{package}.catalog").TREE
        names = {name for name in tree.names | tree.namespaces if not name.startswith(_LISTED_ELSEWHERE)}
        for path in sorted(tree.sources):
            module = _reach(package, path)
            if not is_private(path) and not path.startswith(_LISTED_ELSEWHERE):
                names |= {f"{path}.{name}" for name in walk(module, within=getattr(module, "__name__", ""))}
        for name in sorted(names):
            _add(rows, package, name)
    return rows


def _add(rows: dict[str, dict[str, str]], package: str, name: str) -> None:
    value = _reach(package, name)
    if value is None:
        return
    mark = package[-1]
    text = None if isinstance(value, ModuleType) else takes(value)
    row = rows.setdefault(name, {"in": ""})
    row["in"] += mark
    if isinstance(value, ModuleType):
        row["kind"] = "module"
        place = value.__name__.removeprefix(f"{package}.")
        if place != name and value.__name__.startswith(f"{package}.") and mark == "1":
            row["as"] = place
    elif text is not None and mark == "1":
        row["takes"] = text
    elif text is not None and text != row.get("takes"):
        row["takes0"] = text


def _reach(package: str, name: str) -> Any:
    tree = importlib.import_module(f"{package}.catalog").TREE
    try:  # what a refusal would suggest instead takes longer to find than the name itself
        with warnings.catch_warnings(), mock.patch("difflib.get_close_matches", return_value=[]):
            warnings.simplefilter("ignore")
            value = importlib.import_module("tf2bridge.v1.namespace").resolve(tree, name)
        # What stands for a refused name is no supply.
        stand_in = importlib.import_module("tf2bridge.v1.refusals").Unavailable
        return None if isinstance(value, stand_in) else value
    except Exception:  # the namespace refuses with errors of its own
        return None
