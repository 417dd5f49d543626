"""Reads from a program's text how the program learns its task in a cluster: by its flags, or by TF_CONFIG."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from codemods.errors import CodemodsError
from codemods.source import decode, to_python3

TEXT, NUMBER, SWITCH, LIST = "text", "number", "switch", "list"
"""What a flag takes: one word, a whole number, true or false, or several words after one another."""

_DEFINED = {
    "DEFINE_string": TEXT,
    "DEFINE_enum": TEXT,
    "DEFINE_list": TEXT,
    "DEFINE_integer": NUMBER,
    "DEFINE_boolean": SWITCH,
    "DEFINE_bool": SWITCH,
}
_ADDED = ("add_argument", "add_option", "option")
"""Of argparse, optparse and click."""
_ESTIMATORS = ("RunConfig", "train_and_evaluate")


@dataclass(frozen=True)
class Flag:
    """A flag of the command line, without its dashes. `bare`: the flag is a switch that takes no value."""

    name: str
    takes: str
    bare: bool = False


@dataclass(frozen=True)
class Interface:
    """How a program learns its place in a cluster, read from its text.

    Attributes:
        flags: Every flag that the program defines, by its name in Python.
        reads_tf_config: Whether the program names TF_CONFIG, or uses something that reads it.
        estimator: The first Estimator API of the program whose clusters need a chief; "" if there is none.
    """

    flags: dict[str, Flag]
    reads_tf_config: bool
    estimator: str


def interface(entry: Path, root: Path) -> Interface:
    """Reads the program `entry` and all files below `root` that it imports."""
    flags: dict[str, Flag] = {}
    reads, estimator = False, ""
    for tree in _trees(entry, root):
        for node in ast.walk(tree):
            if isinstance(node, ast.Call):
                flag = _defined(node) or _added(node)
                if flag is not None:
                    flags.setdefault(flag.name.replace("-", "_"), flag)
            reads = reads or (isinstance(node, ast.Constant) and node.value == "TF_CONFIG")
            name = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
            reads = reads or name == "TFConfigClusterResolver"
            estimator = estimator or (name if name in _ESTIMATORS else "")
    return Interface(flags, reads or bool(estimator), estimator)


def _defined(call: ast.Call) -> Flag | None:
    """Returns the flag of a call `tf.app.flags.DEFINE_string("name", ...)`, whatever its module is called there."""
    takes = _DEFINED.get(_called(call))
    name = _text(call.args[0]) if call.args else next((_text(k.value) for k in call.keywords if k.arg == "name"), None)
    return Flag(name, takes) if takes and name else None


def _added(call: ast.Call) -> Flag | None:
    if _called(call) not in _ADDED:
        return None
    spelled = [word for word in map(_text, call.args) if word and word.startswith("--")]
    if not spelled:
        return None
    given = {keyword.arg: keyword.value for keyword in call.keywords}
    action, nargs = _text(given.get("action")), given.get("nargs")
    if action in ("store_true", "store_false") or _is_true(given.get("is_flag")):
        return Flag(spelled[0][2:], SWITCH, bare=True)
    kind = given.get("type")
    of_type = kind.id if isinstance(kind, ast.Name) else _text(kind)
    if nargs is not None and _text(nargs) in ("+", "*"):
        return Flag(spelled[0][2:], LIST)
    if of_type == "int":
        return Flag(spelled[0][2:], NUMBER)
    return Flag(spelled[0][2:], SWITCH if of_type in ("bool", "str2bool", "strtobool") else TEXT)


def _called(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def _text(node: ast.AST | None) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def _is_true(node: ast.AST | None) -> bool:
    return isinstance(node, ast.Constant) and node.value is True


def _trees(entry: Path, root: Path) -> Iterator[ast.Module]:
    """Yields the syntax trees of the entry and of the files that it imports, nearest first."""
    waiting, seen = [entry.resolve()], set()
    while waiting:
        path = waiting.pop(0)
        if path in seen:
            continue
        seen.add(path)
        try:
            tree = ast.parse(to_python3(decode(path.read_bytes(), path).text, str(path)))
        except (OSError, SyntaxError, CodemodsError):
            continue  # the program reports it, if it ever imports this file
        yield tree
        waiting += _imported(tree, path, root.resolve())


def _imported(tree: ast.Module, path: Path, root: Path) -> list[Path]:
    paths: list[Path] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                paths += _files(root, alias.name.split("."))
        elif isinstance(node, ast.ImportFrom):
            folder = path.parents[node.level - 1] if node.level else root
            parts = node.module.split(".") if node.module else []
            paths += _files(folder, parts)
            for alias in node.names:
                paths += _files(folder, [*parts, alias.name])
    return paths


def _files(folder: Path, parts: Sequence[str]) -> list[Path]:
    """Returns the files of a module and of the packages around it.

    A module beside the importing file counts as below `root`.
    """
    candidates = [folder.joinpath(*parts[:end], "__init__.py") for end in range(1, len(parts) + 1)]
    if parts:
        candidates.append(folder.joinpath(*parts).with_suffix(".py"))
    return [path for path in candidates if path.is_file()]
