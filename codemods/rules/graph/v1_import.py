"""TFG003: the import of a file becomes tensorflow.compat.v1, under the alias that it had for tensorflow."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator

from codemods.context import Context
from codemods.names import Chain, root_of
from codemods.plain import builds_the_same, is_the_same
from codemods.rule import Example, Hit, Rule, Safety
from codemods.symbols import Answer, lookup
from codemods.symbols.exports import State, status

_V1 = "tensorflow.compat.v1"
# A star import from anywhere else may bind the alias again.
_KNOWN_STARS = sys.stdlib_module_names | {"numpy", "tensorflow", "tf2bridge"}


def find(module: ast.Module, context: Context) -> Iterator[Hit]:  # noqa: ARG001
    """Yields a hit on each import of an alias that can be switched, and one on each `tf.compat.v1` behind the alias."""
    imports = {} if _says_v1(context) else _imports(context)
    for alias in imports:
        if not _is_own(alias, context):
            continue
        chains = [chain for chain in context.names.chains if alias in _aliases(chain, context)]
        named = [part for chain in chains if (part := _compat(chain, alias, context)) is not None]
        if named and all(_means_the_same(chain, alias, context) for chain in chains):
            message = f"{alias} can be {_V1}: every name that is used through it is the same there"
            for statement in imports[alias]:
                yield Hit(statement, message, rewrite=_switched(statement, alias))
            yield from (Hit(part, message, rewrite=alias, alone=True, silent=True) for part in named)


def _says_v1(context: Context) -> bool:
    """Returns whether the file used tf.compat.v1 before the rewrite; then fewer lines change if the import stays."""
    facts = context.project.files.get(context.path)
    return facts is not None and any(f"{name}.".startswith(f"{_V1}.") for name in facts.names_used)


def _imports(context: Context) -> dict[str, list[ast.Import]]:
    """Returns the statements that import TensorFlow itself, by the name that they bind."""
    statements: dict[str, list[ast.Import]] = {}
    for node in context.names.nodes.get(ast.Import, []):
        assert isinstance(node, ast.Import)
        for alias in node.names:
            if alias.name == "tensorflow":
                statements.setdefault(alias.asname or alias.name, []).append(node)
    return statements


def _switched(statement: ast.Import, name: str) -> str:
    aliases = [
        ast.alias(_V1, name) if alias.name == "tensorflow" and (alias.asname or alias.name) == name else alias
        for alias in statement.names
    ]
    return ast.unparse(ast.Import(aliases))


def _is_own(name: str, context: Context) -> bool:
    """Returns whether only imports of TensorFlow bind the name, and no other file imports the name from this one."""
    names, taken = context.names, context.project.taken.get(context.path, frozenset())
    if "*" in taken or name in taken or name in names.inherited:
        return False
    if any(star.split(".")[0] not in _KNOWN_STARS and not _is_local(star, context) for star in names.wildcards):
        return False
    scopes = {id(scope): scope for scope in (names.module, *names.scopes.values())}.values()
    own = [scope.bindings[name] for scope in scopes if name in scope.bindings]
    mixed = [bindings for bindings in own if any(binding.imported == "tensorflow" for binding in bindings)]
    return all(binding.neutral or _binds_itself(binding.statement, name) for bindings in mixed for binding in bindings)


def _is_local(star: str, context: Context) -> bool:
    return bool(context.project.located(context.path, star))


def _binds_itself(statement: ast.stmt | None, name: str) -> bool:
    """Returns whether the statement binds the name by `import tensorflow` alone, and not by a submodule or another
    module.
    """
    if not isinstance(statement, ast.Import):
        return False
    bound = [alias.name for alias in statement.names if (alias.asname or alias.name.split(".")[0]) == name]
    return bool(bound) and all(module == "tensorflow" for module in bound)


def _aliases(chain: Chain, context: Context, seen: frozenset[str] = frozenset()) -> set[str]:
    """Returns the names for TensorFlow that a dotted name starts from, also through aliases such as `nn = tf.nn`."""
    root = root_of(chain)
    if root is None or root.id in seen:
        return set()
    aliases: set[str] = set()
    for binding in context.names.bindings(root):
        if binding.imported == "tensorflow":
            aliases.add(root.id)
        elif binding.alias is not None:
            aliases |= _aliases(binding.alias, context, seen | {root.id})
    return aliases


def _compat(chain: Chain, alias: str, context: Context) -> ast.expr | None:
    """Returns the part `tf.compat.v1` of a dotted name that starts with this alias; None if it has no such part."""
    root = root_of(chain)
    if root is None or root.id != alias:
        return None
    return next((part for part, name in context.prefixes(chain) if name == _V1), None)


def _means_the_same(chain: Chain, alias: str, context: Context) -> bool:
    """Returns whether a name keeps its meaning when `tf.compat.v1` becomes `tf`, and `tf` tensorflow.compat.v1."""
    part = _compat(chain, alias, context)
    if part is not None:  # before Python 3.12 the positions of nodes in an f-string may be wrong
        return context.source(part) == ast.unparse(part)
    name = context.qualified(chain)
    if name is None:  # `f` of `f = tf.tanh` and `f = other`: the assigned values are checked themselves
        return getattr(root_of(chain), "id", alias) != alias
    if name == _V1 or name.startswith(f"{_V1}."):  # through an alias of tf.compat.v1
        return True
    return any(_is_the_same(prefix, qualified, chain, context) for prefix, qualified in context.prefixes(chain))


def _is_the_same(part: ast.expr, name: str, chain: Chain, context: Context) -> bool:
    """Returns whether both modules have the same object under this name, both have none, or this call builds the same
    nodes.
    """
    rest = name.removeprefix("tensorflow.")
    symbol = lookup(rest) if rest != name else None
    if symbol is None:
        return part is chain and rest != name and _is_in_neither(name)
    if symbol.module:
        return part is chain and _is_alias_only(part, context)
    if symbol.answer is Answer.SAME and symbol.target == symbol.name:
        return True
    if symbol.answer is Answer.COMPAT:
        call = context.parent(part)
        if isinstance(call, ast.Call) and call.func is part:
            return builds_the_same(call, symbol.name)
        return part is chain and is_the_same(symbol.name)
    return _is_in_neither(name)


def _is_in_neither(name: str) -> bool:
    in_v1 = name.replace("tensorflow.", f"{_V1}.", 1)
    return status(name).state is State.MISSING and status(in_v1).state is State.MISSING


def _is_alias_only(part: ast.expr, context: Context) -> bool:
    """Returns whether a module is only assigned to a name, as in `nn = tf.nn`, whose uses are checked themselves."""
    parent = context.parent(part)
    taken = context.project.taken.get(context.path, frozenset())
    if not isinstance(parent, ast.Assign) or not all(isinstance(target, ast.Name) for target in parent.targets):
        return False
    targets = [target for target in parent.targets if isinstance(target, ast.Name)]
    return all(target.id not in taken and context.qualified(target) is not None for target in targets)


_T = "import tensorflow as tf\n"
_V = "import tensorflow.compat.v1 as tf\n"


def _example(before: str, after: str, files: tuple[tuple[str, str], ...] = ()) -> Example:
    return Example(before, after, files=files, beside=("TFN",))


rule = Rule(
    code="TFG003",
    name="v1-import",
    summary="import tensorflow as tf -> import tensorflow.compat.v1 as tf, and tf.compat.v1.X -> tf.X",
    why="Most lines of a rewrite change only because they say tf.compat.v1. This rule runs after all others and "
    "changes the import of a file instead, so that these lines stay as they were. It does so in files where every "
    "name behind the alias is, or computes, the same in tensorflow.compat.v1. A file keeps its import if it uses what "
    "only TensorFlow 2 has, passes the module itself on, said tf.compat.v1 before, or if other files import its "
    "alias. The rule is applied only if it is named: --extend-select TFG003.",
    safety=Safety.SAFE,
    on=(ast.Module,),
    find=find,
    targets=("compat",),
    last=True,
    examples=(
        _example(f"{_T}x = tf.placeholder(tf.float32)\n", f"{_V}x = tf.placeholder(tf.float32)\n"),
        _example(
            "import os, tensorflow\nx = tensorflow.placeholder(tensorflow.float32)\n",
            "import os, tensorflow.compat.v1 as tensorflow\nx = tensorflow.placeholder(tensorflow.float32)\n",
        ),
        _example(
            f"{_T}y = tf.reduce_sum(tf.to_float(x), 1)\nz = tf.reduce_sum(y, keep_dims=True)\n",
            f"{_V}y = tf.reduce_sum(tf.to_float(x), 1)\nz = tf.reduce_sum(y, keep_dims=True)\n",
        ),
        _example(
            "try:\n    import tensorflow as tf\nexcept ImportError:\n    tf = None\n\n\ndef f():\n"
            f"    {_T}    return tf.Session()\n",
            "try:\n    import tensorflow.compat.v1 as tf\nexcept ImportError:\n    tf = None\n\n\ndef f():\n"
            f"    {_V}    return tf.Session()\n",
        ),
        _example(
            f"{_T}f = tf.tanh\nif old:\n    f = tf.log\ny = f(x)\n",
            f"{_V}f = tf.tanh\nif old:\n    f = tf.log\ny = f(x)\n",
        ),
        _example(f"{_T}nn = tf.nn\ny = nn.relu(tf.log(x))\n", f"{_V}nn = tf.nn\ny = nn.relu(tf.log(x))\n"),
        _example(
            f"{_T}x = getattr(tf, name)(tf.log(y))\n",
            f"{_V}x = getattr(tf, name)(tf.log(y))\n",
        ),
        Example(
            f"{_T}with tf.Session() as sess:\n    sess.run(tf.global_variables_initializer())\n",
            f"{_V}tf.disable_v2_behavior()\n"
            "with tf.Session() as sess:\n    sess.run(tf.global_variables_initializer())\n",
            beside=("TFN", "TFG001"),
        ),
        Example(f"{_T}y = tf.nn.relu(x)\n"),
        Example(f"{_T}y = tf.compat.v1.log(x)\n"),
        Example(f"{_T}y = tf.log(x)\nz = tf.compat.v1.log(y)\n"),
        Example(f"{_T}x = tf.compat.v1.placeholder(t)\ntf.summary.create_file_writer(d)\n", beside=("TFN",)),
        _example(
            f"{_T}y = tf.log(x)  # codemods: ignore\nz = tf.log(y)\n",
            f"{_T}y = tf.log(x)  # codemods: ignore\nz = tf.compat.v1.log(y)\n",
        ),
        _example(
            f"{_T}x = tf.placeholder(t)\nbuild(tf, tf.nn)\n",
            f"{_V}x = tf.placeholder(t)\nbuild(tf, tf.nn)\n",
        ),
        _example(
            f"{_T}x = tf.placeholder(t)\ng = tf\ny = g.log(x)\n",
            f"{_T}x = tf.compat.v1.placeholder(t)\ng = tf\ny = g.compat.v1.log(x)\n",
        ),
        _example(
            f"{_T}from unknown import *\nx = tf.placeholder(t)\n",
            f"{_T}from unknown import *\nx = tf.compat.v1.placeholder(t)\n",
        ),
        _example(
            f"{_T}x = tf.placeholder(t)  # taken\n",
            f"{_T}x = tf.compat.v1.placeholder(t)  # taken\n",
            files=(("other.py", "from train import tf\n"),),
        ),
        _example(
            f"{_T}x = tf.placeholder(t)  # all taken\n",
            f"{_T}x = tf.compat.v1.placeholder(t)  # all taken\n",
            files=(("other.py", "from train import *\n"),),
        ),
        _example(
            f"{_T}from other import *\nx = tf.placeholder(t)\n",
            f"{_T}from other import *\nx = tf.compat.v1.placeholder(t)\n",
            files=(("other.py", _T),),
        ),
    ),
)
