"""Branches that never run today: `if sys.version_info[0] < 3:`, `if LooseVersion(tf.__version__) < "1.0":`.

A test is computed for the oldest supported Python and TensorFlow, and for far newer ones. If both results agree, the
other branch is dead: no rule checks it, and it does not count as evidence about the file.
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable
from typing import Any

# The meaning of a name such as `tf`, or None.
Meaning = Callable[[ast.expr], str | None]
# What was assigned to a name such as `tf_version`, or None.
Assigned = Callable[[ast.expr], ast.expr | None]
# (sys.version_info, tensorflow.__version__) of the oldest supported releases, and of releases of the far future.
_TODAY = (((3, 10, 0, "final", 0), "2.20.0"), ((3, 99, 0, "final", 0), "2.99.0"))
# Old and new releases of 1.x, and one that is greater than all others if texts are compared.
_OF_1X = ("1.4.1", "1.9.0", "1.15.5")
TENSORFLOW_VERSIONS = frozenset(
    f"tensorflow.{head}{name}" for head in ("", "compat.v1.") for name in ("__version__", "VERSION", "version.VERSION")
)
_ORDERED = frozenset(["LooseVersion", "StrictVersion", "Version", "parse", "parse_version"])
_PLAIN: dict[str, Callable[[Any], Any]] = {"int": int, "float": float, "list": tuple, "tuple": tuple}
_COMPARED: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}


class _UnknownError(Exception):
    """A test depends on something other than releases."""


_UNKNOWN = (_UnknownError, TypeError, ValueError, IndexError, AttributeError)


def outcome(
    test: ast.expr, meaning: Meaning, with_tensorflow: bool = True, assigned: Assigned | None = None
) -> bool | None:
    """Returns the result of a condition today; None if it depends on more than the releases.

    With `with_tensorflow` False, TensorFlow's release is unknown, because `tf` becomes tf2bridge's namespace.
    """
    today = _TODAY if with_tensorflow else tuple((python, None) for python, _ in _TODAY)
    try:
        outcomes = {bool(_value(test, _Asked(meaning, python, release, assigned))) for python, release in today}
    except _UNKNOWN:
        return None
    return outcomes.pop() if len(outcomes) == 1 else None


def changed_since_1x(test: ast.expr, meaning: Meaning, assigned: Assigned | None = None) -> bool | None:
    """Returns the result of a condition today if it is the opposite of that on every TensorFlow 1; else None."""
    today = outcome(test, meaning, assigned=assigned)
    if today is None:
        return None
    try:
        before = {bool(_value(test, _Asked(meaning, _TODAY[0][0], release, assigned))) for release in _OF_1X}
    except _UNKNOWN:
        return None
    return today if today not in before else None


class _Asked:
    """One Python and one TensorFlow for which a test is computed."""

    def __init__(
        self, meaning: Meaning, python: tuple[Any, ...], tensorflow: str | None, assigned: Assigned | None = None
    ) -> None:
        self.meaning = meaning
        self.assigned = assigned
        self.python = python
        self.tensorflow = tensorflow

    def named(self, node: ast.expr) -> Any:
        name = self.meaning(node)
        if name == "sys.version_info":
            return self.python
        if name == "sys.version":
            return ".".join(map(str, self.python[:3]))
        if name in ("sys.version_info.major", "six.PY3", "sys.version_info.minor", "six.PY2"):
            return {"major": 3, "minor": self.python[1], "PY3": True, "PY2": False}[name.rpartition(".")[2]]
        if name in TENSORFLOW_VERSIONS and self.tensorflow is not None:
            return self.tensorflow
        value = self.assigned(node) if self.assigned else None
        if value is not None:  # what is assigned to the names in it is not looked up: they may refer to each other
            return _value(value, _Asked(self.meaning, self.python, self.tensorflow))
        raise _UnknownError


def _value(node: ast.expr, asked: _Asked) -> Any:
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.Tuple | ast.List):
        return tuple(_value(item, asked) for item in node.elts)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return not _value(node.operand, asked)
    if isinstance(node, ast.BoolOp):
        return _both(node, asked)
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in _COMPARED:
        return _compared(node, asked)
    if isinstance(node, ast.Subscript):
        return _value(node.value, asked)[_place(node.slice, asked)]
    if isinstance(node, ast.Call):
        return _called(node, asked)
    if isinstance(node, ast.ListComp | ast.GeneratorExp):
        return _comprehended(node, asked)
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Call):
        return _part(_value(node.value, asked), node.attr)
    return asked.named(node)


def _both(node: ast.BoolOp, asked: _Asked) -> bool:
    """Returns the result of `and` or `or`. One false part decides `and`, and one true part decides `or`."""
    deciding = isinstance(node.op, ast.Or)
    unknown = False
    for part in node.values:
        try:
            if bool(_value(part, asked)) is deciding:
                return deciding
        except _UnknownError:
            unknown = True
    if unknown:
        raise _UnknownError
    return not deciding


def _place(node: ast.expr, asked: _Asked) -> Any:
    if not isinstance(node, ast.Slice):
        return _value(node, asked)
    ends = (node.lower, node.upper, node.step)
    return slice(*(None if end is None else _value(end, asked) for end in ends))


def _compared(node: ast.Compare, asked: _Asked) -> bool:
    left, right = _value(node.left, asked), _value(node.comparators[0], asked)
    if isinstance(left, _Numbers) or isinstance(right, _Numbers):
        left, right = _Numbers(left), _Numbers(right)
    return _COMPARED[type(node.ops[0])](left, right)


def _called(node: ast.Call, asked: _Asked) -> Any:
    function = node.func
    name = getattr(function, "attr", getattr(function, "id", ""))
    if name == "map" and len(node.args) == 2 and _is_int(node.args[0]):
        return tuple(int(text) for text in _value(node.args[1], asked))
    if node.keywords or len(node.args) > 1:
        raise _UnknownError
    arguments = [_value(argument, asked) for argument in node.args]
    if isinstance(function, ast.Attribute) and name in ("split", "startswith"):
        text = _value(function.value, asked)
        if isinstance(text, str):
            return tuple(text.split(*arguments)) if name == "split" else text.startswith(arguments[0])
    if name in _PLAIN and isinstance(function, ast.Name):
        return _PLAIN[name](arguments[0])
    if name in _ORDERED and len(arguments) == 1 and isinstance(arguments[0], str):
        return _Numbers(arguments[0])
    raise _UnknownError


def _is_int(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "int"


def _comprehended(node: ast.ListComp | ast.GeneratorExp, asked: _Asked) -> tuple[int, ...]:
    """Returns the numbers of `[int(part) for part in tf.__version__.split(".")]`."""
    over, made = node.generators[0], node.elt
    wanted = isinstance(made, ast.Call) and _is_int(made.func) and isinstance(over.target, ast.Name)
    if not wanted or len(node.generators) > 1 or over.ifs or ast.unparse(made) != f"int({ast.unparse(over.target)})":
        raise _UnknownError
    return tuple(int(text) for text in _value(over.iter, asked))


def _part(release: Any, name: str) -> Any:
    """Returns the attribute `major`, `minor` or `release` of packaging's Version."""
    numbers = (*release, 0, 0, 0)[: max(3, len(release))] if isinstance(release, _Numbers) else ()
    if not numbers or name not in ("major", "minor", "release"):
        raise _UnknownError
    return {"major": numbers[0], "minor": numbers[1], "release": numbers}[name]


class _Numbers(tuple[int, ...]):
    """The numbers of a release, without those at its end that are 0: 1.0 and 1.0.0 are one release."""

    __slots__ = ()

    def __new__(cls, release: Any) -> _Numbers:
        if isinstance(release, _Numbers):
            return release
        numbers = [int(number) for number in re.match(r"[\d.]*", release).group().split(".") if number]  # type: ignore[union-attr]
        while numbers and not numbers[-1]:
            numbers.pop()
        return super().__new__(cls, numbers)
