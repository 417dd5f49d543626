"""Paths in texts for mock and pytest that name the object to replace: `mock.patch("tensorflow.get_variable")`.

The path has to lead to the object that the rewritten program uses, or nothing is replaced.
"""

from __future__ import annotations

import ast
import re

from codemods.answers import of_0x
from codemods.context import Context
from codemods.names import root_of
from codemods.symbols import Answer, Symbol, is_private, longest, table
from codemods.symbols.exports import State, status

_PATCH = re.compile(r"(?:.+\.)?mock\.(patch(?:\.dict|\.multiple)?)")
# Fixtures of pytest and pytest-mock, and their number of arguments if the first one is a path.
_FIXTURES = {
    "mocker.patch": 99,
    "mocker.patch.dict": 99,
    "mocker.patch.multiple": 99,
    "monkeypatch.delattr": 1,
    "monkeypatch.setattr": 2,
}
_OPTIONS = frozenset(["autospec", "create", "new_callable", "spec", "spec_set", "target"])


def patching(constant: ast.Constant, context: Context) -> ast.Call | None:
    """Returns the call for which a text is the path of the object to replace; None if the text is something else."""
    parent = context.parent(constant)
    call = context.parent(parent) if isinstance(parent, ast.keyword) and parent.arg == "target" else parent
    if not isinstance(call, ast.Call) or (call is parent and call.args[:1] != [constant]):
        return None
    return call if _patch(call, context) else None


def _patch(call: ast.Call, context: Context) -> str | None:
    """Returns the name of the called function of mock, or of the fixture."""
    root = root_of(call.func)
    if root is None:
        return None
    written = ast.unparse(call.func)
    if len(call.args) <= _FIXTURES.get(written, 0):
        return written
    name = context.qualified(call.func)
    if name is None:  # mock was imported from unittest, or else from the package mock
        imported = [binding.imported or "" for binding in context.names.bindings(root)]
        if not imported or not all(re.search(r"\bmock(\.patch)?$", module) for module in imported):
            return None
        name = imported[0] + written.removeprefix(root.id)
    match = _PATCH.fullmatch(name)
    return match[1] if match else None


def path_today(call: ast.Call, path: str, context: Context) -> str | None:
    """Returns the path in the rewritten program; None if uses of the object may be rewritten in several ways."""
    if not (_patch(call, context) or "").endswith("multiple"):
        return _moved(path, context)
    replaced = names_replaced(call)
    new = {name: _moved(f"{path}.{name}", context) or "" for name in replaced}
    holders = {full_name.rpartition(".")[0] for name, full_name in new.items() if full_name.endswith(f".{name}")}
    complete = replaced and all(full_name.endswith(f".{name}") for name, full_name in new.items())
    return holders.pop() if complete and len(holders) == 1 else None


def names_replaced(call: ast.Call) -> list[str]:
    """Returns the attributes that `patch.multiple` replaces, which are its keywords. "" stands for `**others`."""
    return [keyword.arg or "" for keyword in call.keywords if keyword.arg not in _OPTIONS]


def _moved(path: str, context: Context) -> str | None:
    """Returns the new path of an object or of its attribute, for all uses; the same path if nothing changes."""
    match = longest(path.removeprefix("tensorflow."))
    if match is None or context.second or (match[0].module and match[1]) or is_private(match[0].name):
        return None
    symbol = match[0].for_0x() if of_0x(context) else match[0]
    rest = f".{match[1]}" if match[1] else ""
    if context.target == "bridge":
        old = symbol.namespace == "tf2bridge.v0"
        new: str | None = symbol.qualified if old else f"tf2bridge.v1.{symbol.name}"
    else:
        new = _written(symbol)
    return f"{new}{rest}" if new is not None and status(new).state is State.OK else None


def _written(symbol: Symbol) -> str | None:
    """Returns the name that every use of a symbol gets for the target compat; None if uses differ."""
    plain = f"tensorflow.{symbol.name}"
    last = symbol.name.rpartition(".")[2]
    renamed = symbol.target.rpartition(".")[2] != last
    if symbol.answer is Answer.DEAD or (renamed and last.islower()):  # a value keeps the function of the old name
        return None
    missing = status(plain).state is State.MISSING
    if symbol.answer is Answer.BRIDGE:
        return symbol.qualified if missing and not symbol.module else None
    if symbol.answer is Answer.SAME or missing:
        return symbol.qualified
    row = table("plain").get(symbol.name)
    if row is not None:
        return plain if "value" in row else None
    return None if symbol.module else symbol.qualified
