"""Finds the replacement of a TensorFlow name: the facts about symbols, applied to the spelling in the file.

A name is replaced where it starts at `tensorflow` itself: `tf.app.flags` in `flags = tf.app.flags`. Names that start at
the alias or at an imported module (`flags.FLAGS`) then follow. They are replaced only if they moved elsewhere.
"""

from __future__ import annotations

import ast
from dataclasses import replace

from codemods.calls import bound, is_plain
from codemods.choices import tried
from codemods.context import Context
from codemods.named import Named
from codemods.names import root_of
from codemods.reordered import public_name
from codemods.symbols import REASONS, RELEASES, Answer, Symbol, longest, lookup, nearest, signature, table
from codemods.symbols.exports import State, binds, status

_HEAD = "tensorflow."
_V1 = "tensorflow.compat.v1"
_ROOTS = ("tensorflow", _V1)
_PRIVATE = "tensorflow.python"


def known(name: str, is_0x: bool = False) -> Symbol | None:
    """Returns the symbol of a qualified name (`tensorflow.nn.relu`) for a program of that era, or None."""
    symbol = lookup(name.removeprefix(_HEAD)) if name.startswith(_HEAD) and name != _V1 else None
    return symbol.for_0x() if symbol is not None and is_0x else symbol


def function_of(name: str) -> Symbol | None:
    """Returns the symbol for rules about arguments. Unlike `known`, it also resolves functions in private modules."""
    symbol = known(name)
    public = public_name(name.removeprefix(_HEAD)) if symbol is None and name.startswith(_HEAD) else None
    return symbol if public is None else lookup(public)


def called(call: ast.Call, context: Context) -> Symbol | None:
    """Returns the symbol that is called; None for a call of TensorFlow 2's function of that name."""
    if call not in context.called:  # a cache: every rule for arguments asks for it
        name = context.qualified(call.func) or ""
        symbol = function_of(name)
        context.called[call] = None if symbol is not None and stays(name, call.func, context) else symbol
    return context.called[call]


def stays(name: str, node: ast.expr, context: Context) -> bool:
    """Returns whether a name has its TensorFlow 2 meaning, because the file, or this call, uses TensorFlow 2."""
    if not name.startswith(_HEAD) or name.startswith(_V1) or context.era.told:
        return False
    if context.second:
        return status(name).state is State.OK
    call = context.parent(node) if "takes1" in table("today").get(name.removeprefix(_HEAD), {}) else None
    return isinstance(call, ast.Call) and call.func is node and _binds_second(call, name)


def _binds_second(call: ast.Call, name: str) -> bool:
    """Returns whether the arguments of a call fit the function of TensorFlow 2, and none of TensorFlow 1."""
    row = table("today")[name.removeprefix(_HEAD)]
    places = sum(not isinstance(argument, ast.Starred) for argument in call.args)
    words = [keyword.arg for keyword in call.keywords if keyword.arg]
    if not is_plain(call) or binds(row.get("takes", ""), places, words) or not binds(row["takes1"], places, words):
        return False
    latest = tuple(word.rstrip("=") for word in row["takes1"].split())
    older = (signature(name.removeprefix(_HEAD), release) for release in RELEASES)
    return all(old is None or old == latest or bound(call, old) is None for old in older)


def named(node: ast.expr, context: Context) -> Named | None:
    """Returns the longest part of a dotted name that is a known symbol; None if there is none to replace."""
    if node not in context.named:  # a cache: six rules ask for it
        context.named[node] = _named(node, context)
    return context.named[node]


def _named(node: ast.expr, context: Context) -> Named | None:
    node = _with_dictionary(node)
    root = root_of(node)
    if root is None:
        return None
    root_name = context.qualified(root) or ""
    starred = context.names.is_unbound(root) and root.id not in context.names.inherited
    if starred:  # by `from tensorflow import *`
        root_name = "tensorflow" if root_name.startswith(_HEAD) else ""
    for part, name in context.prefixes(node):
        symbol = known(name, of_0x(context))
        if symbol is not None:
            if stays(name, part, context) or _is_tried(part, symbol, context) or _is_asked_for(part, symbol, context):
                return None
            if part is root and not starred:
                return _unheard(node, context, root, root_name) if _is_lost(node, symbol, context) else None
            below = symbol.module and part is not node and symbol.answer is not Answer.DEAD
            if below and not _is_in_bridge(node, name, symbol, context):
                return _unheard(node, context, root, root_name)
            return Named(part, name, _reachable(symbol, root_name), root, root_name, of_0x(context))
        if name == _PRIVATE and root_name == "tensorflow":
            symbol = Symbol("python", RELEASES, Answer.BRIDGE, "python", module=True)
            return Named(part, name, symbol, root, root_name, of_0x(context))
    return None


def _with_dictionary(node: ast.expr) -> ast.expr:
    """Returns the module of `tf.train.__dict__.items`, as if it were `vars(tf.train)`; else the node itself."""
    part = node
    while isinstance(part, ast.Attribute):
        if part.attr == "__dict__":
            return part.value
        part = part.value
    return node


def _is_tried(part: ast.expr, symbol: Symbol, context: Context) -> bool:
    """Returns whether the program tries a name of 0.x first, and has a fallback for 1.x."""
    return symbol.releases == RELEASES[:1] and not context.era.is_0x and part in tried(context.names)


def _is_asked_for(part: ast.expr, symbol: Symbol, context: Context) -> bool:
    """Returns whether the name is the class in `isinstance(x, tf.Variable)`.

    Only the class of TensorFlow 2 matches all variables.
    """
    parent = context.parent(part)
    node, parent = (parent, context.parent(parent)) if isinstance(parent, ast.Tuple) else (part, parent)
    asked = isinstance(parent, ast.Call) and getattr(parent.func, "id", "") in ("isinstance", "issubclass")
    return symbol.name == "Variable" and asked and node in parent.args[1:]  # type: ignore[union-attr]


def _is_in_bridge(node: ast.expr, name: str, symbol: Symbol, context: Context) -> bool:
    """Returns whether tf2bridge.v1 has a name of contrib that no release lists, such as slim.metrics.streaming_mean."""
    rest = (context.qualified(node) or "").removeprefix(name)
    is_bridged = symbol.answer is Answer.BRIDGE and symbol.name.startswith("contrib.")
    return is_bridged and status(symbol.qualified + rest).state is State.OK


def _reachable(symbol: Symbol, root_name: str) -> Symbol:
    """Returns the symbol, in tf2bridge.v1 if it is below `tf.python`: TensorFlow 2 hides that attribute."""
    hidden = root_name in _ROOTS and symbol.qualified.startswith(f"{_PRIVATE}.")
    return replace(symbol, answer=Answer.BRIDGE) if hidden else symbol


def gone(node: ast.expr, context: Context) -> Named | None:
    """Returns the part of a dotted name without a replacement, below `tensorflow` or a namespace of tf2bridge."""
    use = named(node, context) or _named_in_bridge(node, context)
    return use if use is not None and use.symbol.answer is Answer.DEAD else None


def _named_in_bridge(node: ast.expr, context: Context) -> Named | None:
    """Does what `named` does for `tf2bridge.v1.contrib.rnn.NASCell`, which an earlier run may have written."""
    node = _with_dictionary(node)
    name = context.qualified(node) or ""
    namespace = next((head for head in ("tf2bridge.v1.", "tf2bridge.v0.") if name.startswith(head)), None)
    root = root_of(node)
    if namespace is None or root is None or status(name).state is State.OK:
        return None
    for part, full_name in context.prefixes(node):
        old = _HEAD + full_name.removeprefix(namespace)
        symbol = known(old, namespace == "tf2bridge.v0.") if full_name.startswith(namespace) else None
        if symbol is not None:
            if symbol.module and part is not node and symbol.name.startswith("contrib."):
                return _contrib(node, _HEAD + name.removeprefix(namespace), root, namespace.rstrip("."), context)
            return Named(part, old, symbol, root, namespace.rstrip("."), of_0x(context))
    return None


def _is_lost(node: ast.expr, symbol: Symbol, context: Context) -> bool:
    """Returns whether the new place of an imported module lacks the name."""
    rest = (context.qualified(node) or "").removeprefix(f"{_HEAD}{symbol.name}")
    return bool(rest and symbol.module and symbol.qualified) and status(symbol.qualified + rest).state is State.MISSING


def _unheard(node: ast.expr, context: Context, root: ast.Name, root_name: str) -> Named | None:
    """Returns a name of contrib that no recorded release had, as removed; None for any other unknown name."""
    name = (context.qualified(node) or "").replace(f"{_V1}.contrib.", f"{_HEAD}contrib.", 1)
    if not name.startswith(f"{_HEAD}contrib."):
        return None
    return _contrib(node, name, root, root_name, context)


def _contrib(node: ast.expr, name: str, root: ast.Name, root_name: str, context: Context) -> Named:
    short = name.removeprefix(_HEAD)
    symbol = Symbol(short, (), Answer.DEAD, "", False, REASONS["contrib"], nearest(short))
    return Named(node, name, symbol, root, root_name, of_0x(context))


def of_0x(context: Context) -> bool:
    """Returns whether the file was certainly written for TensorFlow 0.x."""
    return context.era.is_0x and context.era.certain


def moved(name: str, is_0x: bool) -> str:
    """Returns the new place of an imported name; the name itself if it is unknown or removed."""
    symbol = known(name, is_0x)
    return symbol.qualified if symbol is not None and symbol.answer is not Answer.DEAD else name


def is_reached(use: Named) -> bool:
    """Returns whether the name needs no rewrite of its own after its root has been replaced."""
    rest = use.name.removeprefix(use.root_name).lstrip(".")
    root = use.root_name if use.root_name in _ROOTS else moved(use.root_name, use.is_0x)
    reached = f"{root}.{rest}"
    answer = use.symbol.answer
    if answer is Answer.SAME:
        return reached in (f"tensorflow.{use.symbol.target}", f"{_V1}.{use.symbol.target}")
    return answer is not Answer.DEAD and reached == use.symbol.qualified


def spelled(use: Named, context: Context) -> tuple[str, tuple[str, ...]]:
    """Returns the replacement text of the name, with the file's own alias, and the imports that it needs."""
    target = use.symbol.qualified
    if isinstance(use.node, ast.Name):
        return context.spell(target), context.needs(target)
    if use.root_name == _V1 and target.startswith("tensorflow."):
        return f"{use.root.id}.{use.symbol.target}", ()
    if use.root_name == "tensorflow" and target.startswith("tensorflow."):
        return use.root.id + target.removeprefix("tensorflow"), ()
    return context.spell(target), context.needs(target)


def in_graph_mode(context: Context) -> bool:
    """Returns whether the program around the file uses TensorFlow 1: some file uses graph mode or Keras 2.

    `--from-version` decides too, because a program may use tf.keras alone.
    """
    if context.second or context.era.told:
        return not context.second
    files = [context.project.files[path] for path in _program(context)]
    return any(facts.old_keras or any(map(_tells_of_graphs, facts.names_used)) for facts in files)


def needs_graphs(context: Context) -> bool:
    """Returns whether the program that starts in the file uses TensorFlow 1. Files that import it do not count."""
    if context.era.told:
        return True
    files = (context.project.files[path] for path in context.project.reaches(context.path))
    return any(_tells_of_graphs(name) for facts in files for name in facts.names_used)


def _program(context: Context) -> frozenset[str]:
    """Returns the file, the files that it imports, and the files that import it."""
    return context.project.reaches(context.path) | context.project.reached_by(context.path)


def _tells_of_graphs(name: str) -> bool:
    if name.endswith(("keras.backend.get_session", "keras.backend.set_session")):
        return True
    match = longest(name.removeprefix(_HEAD))
    if match is None or match[0].module or "keras" in name or name.startswith(f"{_V1}.disable"):
        return name.endswith("disable_v2_behavior")
    return match[0].answer in (Answer.COMPAT, Answer.BRIDGE)
