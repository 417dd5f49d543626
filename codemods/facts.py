"""The facts about one file that matter to the program around it: its imports, and whether it is a program."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

from codemods import behaviour, printed
from codemods.names import Names
from codemods.old_keras import is_old
from codemods.tree import children, walk

# These configure or declare at module level; they make no ops and run nothing.
_DECLARATIONS = (
    "app.flags",
    "flags",
    "logging",
    "gfile",
    "python.platform",
    "contrib.framework.arg_scope",
    "train.Feature",
)
_SWITCHES = ("disable_v2_behavior", "disable_eager_execution")
# The bridge target writes tf.enable(); tensorflow itself has no such name.
_ENABLES = ("tf2bridge.v1.enable", "tensorflow.enable")
# These need eager execution: the graph is made live.
_WRAPS = ("tf2bridge.wrap", "tf2bridge.wrap_class", "tf2bridge.load")
_SEED_OF_CONFIG = "tf_random_seed"  # of the RunConfigs of tf.estimator, contrib.learn and contrib.tpu


@dataclass(frozen=True)
class Imported:
    """One import statement: the dotted modules that it may load, and the number of dots before them."""

    modules: tuple[str, ...]
    level: int
    line: int
    top: bool


@dataclass(frozen=True)
class Facts:
    """What a file imports, runs and uses.

    Attributes:
        runs: Why it counts as a program: "guard", "app" or "calls" (a call at module level); or None.
        calls_other: The qualified names outside TensorFlow that it calls at module level.
        changed: What it computes differently on TensorFlow 2, as `behaviour` returns it.
        wraps: Whether it makes a graph live (`tf2bridge.wrap_class`), for which its program must run eagerly.
        prints_containers: Whether it prints lists or similar values, which may hold NumPy's numbers.
        exports: The names that a star import of it brings, with their meanings.
        wildcards: The modules that it imports with a star.
        zipped: The functions that it calls with pairs, `f(list(zip(x, y)))`: the name, and the number of the argument.
        older, newer: The evidence for TensorFlow 0.x and for 1.x.
        asked: The newest release of 0.x or 1.x that a list of packages allows; "" if the file names none.
        old_keras: Whether it uses names of the package keras that only Keras 2 has.
    """

    path: str
    imports: tuple[Imported, ...] = ()
    uses_tf: bool = False
    runs: str | None = None
    calls_other: tuple[str, ...] = ()
    switched: bool = False
    seeded: bool = False
    changed: frozenset[str] = frozenset()
    wraps: bool = False
    prints_containers: bool = False
    exports: tuple[tuple[str, str], ...] = ()
    wildcards: tuple[str, ...] = ()
    zipped: frozenset[tuple[str, int]] = field(default_factory=frozenset)
    older: tuple[str, ...] = ()
    newer: tuple[str, ...] = ()
    asked: str = ""
    names_used: frozenset[str] = field(default_factory=frozenset)
    old_keras: bool = False


def facts_of(path: str, names: Names, older: tuple[str, ...], newer: tuple[str, ...]) -> Facts:
    """Returns the facts about a file, from its names."""
    used = frozenset(name for chain in names.chains if (name := names.qualified(chain)))
    old_keras = names.imports("keras") and any(map(is_old, used))
    at_once = list(_module_level(names.tree.body))
    calls = [call for statement in at_once for call in _calls(statement)]
    return Facts(
        path=path,
        imports=tuple(_imports(names, frozenset(at_once))),
        uses_tf=names.imports("tensorflow") or old_keras,
        old_keras=old_keras,
        runs=_runs(names, calls),
        calls_other=_calls_other(names, calls),
        switched=any(name.endswith(_SWITCHES) or name in _ENABLES for name in used),
        seeded=_is_seeded(names, used),
        changed=behaviour.changed(names, used),
        wraps=any(name in _WRAPS for name in used),
        prints_containers=printed.prints_containers(names),
        exports=tuple(names.starred().items()),
        wildcards=tuple(names.wildcards),
        older=older,
        newer=newer,
        names_used=frozenset(old for name in used if (old := _of_tensorflow(name))),
        zipped=frozenset(_zipped(names)),
    )


def _is_seeded(names: Names, used: frozenset[str]) -> bool:
    """Returns whether the file sets a graph seed: by a call, an Estimator's configuration, or the graph's attribute."""
    if any((_of_tensorflow(name) or "").endswith(".set_random_seed") for name in used):
        return True
    words = [node for node in names.nodes.get(ast.keyword, []) if isinstance(node, ast.keyword)]
    given = [word.value for word in words if word.arg == _SEED_OF_CONFIG]
    if any(not (isinstance(value, ast.Constant) and value.value is None) for value in given):
        return True
    targets = [target for node in names.nodes.get(ast.Assign, []) for target in getattr(node, "targets", ())]
    return any(isinstance(target, ast.Attribute) and _is_graph_seed(target) for target in targets)


def _is_graph_seed(target: ast.Attribute) -> bool:
    """`graph.seed`, `self.graph.seed`, `tf.get_default_graph().seed`."""
    owner = target.value.func if isinstance(target.value, ast.Call) else target.value
    name = owner.attr if isinstance(owner, ast.Attribute) else getattr(owner, "id", "")
    return target.attr == "seed" and name.lower().endswith("graph")


def _of_tensorflow(name: str) -> str | None:
    """Returns the name in TensorFlow 1 of a name of TensorFlow or, in a rewritten program, of `tf2bridge.v1`."""
    for head in ("tf2bridge.v1.", "tf2bridge.v0."):
        if name.startswith(head):
            return f"tensorflow.{name.removeprefix(head)}"
    return name if name.startswith("tensorflow.") else None


def is_zip(node: ast.expr) -> bool:
    """Returns whether this is zip(a, b) or list(zip(a, b)), whose rows have values of different kinds."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
        return False
    if node.func.id == "list" and len(node.args) == 1:
        return is_zip(node.args[0])
    return node.func.id == "zip" and len(node.args) > 1


def _zipped(names: Names) -> Iterator[tuple[str, int]]:
    for call in names.nodes.get(ast.Call, []):
        assert isinstance(call, ast.Call)
        name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
        yield from ((name, place) for place, argument in enumerate(call.args) if is_zip(argument))


def imported_by(node: ast.stmt, top: bool = True) -> Imported | None:
    """Returns what one statement imports, or None if it is not an import."""
    if isinstance(node, ast.Import):
        return Imported(tuple(alias.name for alias in node.names), 0, node.lineno, top)
    if isinstance(node, ast.ImportFrom):
        head = node.module or ""
        inner = [f"{head}.{alias.name}".lstrip(".") for alias in node.names if alias.name != "*"]
        return Imported(tuple(filter(None, [head, *inner])), node.level, node.lineno, top)
    return None


def _imports(names: Names, top: frozenset[ast.stmt]) -> Iterator[Imported]:
    for kind in (ast.Import, ast.ImportFrom):
        for node in names.nodes.get(kind, []):
            assert isinstance(node, ast.stmt)
            imported = imported_by(node, node in top)
            if imported is not None:
                yield imported


def _module_level(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Yields the statements that run when the module is imported, also within if, for, with and try."""
    for statement in body:
        if isinstance(statement, ast.If) and is_main_guard(statement):
            continue
        yield statement
        for field_name in ("body", "orelse", "finalbody", "handlers"):
            if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                break
            for inner in getattr(statement, field_name, []):
                yield from _module_level(inner.body if isinstance(inner, ast.ExceptHandler) else [inner])


def is_main_guard(statement: ast.stmt) -> bool:
    """Returns whether this is `if __name__ == "__main__":`."""
    if not isinstance(statement, ast.If):
        return False
    words = {node.id for node in ast.walk(statement.test) if isinstance(node, ast.Name)}
    texts = {node.value for node in ast.walk(statement.test) if isinstance(node, ast.Constant)}
    return "__name__" in words and "__main__" in texts


def _calls_other(names: Names, calls: list[ast.Call]) -> tuple[str, ...]:
    """Returns the qualified names, outside TensorFlow, of the calls at module level."""
    called = (names.qualified(call.func) for call in calls)
    return tuple(dict.fromkeys(name for name in called if name and not name.startswith("tensorflow.")))


def _runs(names: Names, calls: list[ast.Call]) -> str | None:
    """Returns why a file with these calls at module level counts as a program, or None."""
    if any(is_main_guard(statement) for statement in names.tree.body):
        return "guard"
    reason = None
    called: set[str] = set()
    for call in calls:
        if isinstance(call.func, ast.Name):
            called.add(call.func.id)
        name = names.qualified(call.func) or _looked_up(call.func, names)
        if name in ("tensorflow.app.run", "tensorflow.compat.v1.app.run", "absl.app.run"):
            return "app"
        if name is not None and _executes(name):
            reason = "calls"
    return "calls" if reason is None and called and called & _own_functions(names) else reason


def _looked_up(function: ast.expr, names: Names) -> str | None:
    """Returns the qualified name of the result of `getattr(tf, "log")`."""
    if not isinstance(function, ast.Call) or getattr(function.func, "id", "") != "getattr" or len(function.args) != 2:
        return None
    holder, literal = function.args
    start = names.qualified(holder)
    name = literal.value if isinstance(literal, ast.Constant) else None
    return f"{start}.{name}" if start and isinstance(name, str) else None


def _own_functions(names: Names) -> frozenset[str]:
    """Returns the functions of the file that use TensorFlow, and those that call them."""
    bodies = {node.name: node for node in names.tree.body if isinstance(node, ast.FunctionDef)}
    inside = {name: {node.id for node in walk(body) if isinstance(node, ast.Name)} for name, body in bodies.items()}
    aliases = {name for name, meaning in names.exports().items() if meaning.split(".")[0] == "tensorflow"}
    functions = {name for name, used in inside.items() if used & aliases}
    while more := {name for name, used in inside.items() if used & functions} - functions:
        functions |= more
    return frozenset(functions)


def _calls(statement: ast.stmt) -> Iterator[ast.Call]:
    """Yields the calls of the statement itself, without those of functions that it defines and of inner statements."""
    todo: list[ast.AST] = [statement]
    while todo:
        node = todo.pop()
        if isinstance(node, ast.Call):
            yield node
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            continue
        todo += [child for child in children(node) if not isinstance(child, ast.stmt | ast.ExceptHandler)]


def _executes(name: str) -> bool:
    """Returns whether a call at module level makes the file a program: a call of TensorFlow or of a local module."""
    head, _, rest = name.partition(".")
    if head == "tensorflow":
        return not rest.removeprefix("compat.v1.").startswith(_DECLARATIONS)
    return False
