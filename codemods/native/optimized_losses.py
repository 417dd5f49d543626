"""`tf.contrib.layers.optimize_loss` is an optimizer that minimizes, in the scope OptimizeLoss, as it was inside."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from codemods import scopes
from codemods.names import Names
from codemods.native.batch_norm import NAMES as NORMALIZATIONS
from codemods.native.edited_lines import EditedLines
from codemods.native.kinds import v1_alias, v1_name
from codemods.native.places import calls_bound_to, last_name, named_arguments, place_of
from codemods.tree import walk

_NAME = "contrib.layers.optimize_loss"
_PARAMETERS = (
    "loss", "global_step", "learning_rate", "optimizer", "gradient_noise_scale", "gradient_multipliers",
    "clip_gradients", "learning_rate_decay_fn", "update_ops", "variables", "name", "summaries",
    "colocate_gradients_with_ops", "increment_global_step",
)  # fmt: skip
_KNOWN = frozenset(("loss", "global_step", "learning_rate", "optimizer", "clip_gradients", "summaries"))
_OPTIMIZERS: Mapping[str, str] = {
    "Adagrad": "AdagradOptimizer({})",
    "Adam": "AdamOptimizer({})",
    "Momentum": "MomentumOptimizer({}, momentum=0.9)",
    "RMSProp": "RMSPropOptimizer({})",
    "SGD": "GradientDescentOptimizer({})",
}
"""The names of optimizers (`contrib/layers/python/layers/optimizers.py` of 1.15.5)."""


_Holding = ast.Assign | ast.Return
"""Statements that hold a step."""


def with_optimizers(text: str) -> tuple[str, tuple[int, ...]] | None:
    """Returns a text with optimizers in place of these calls, and the old number of each line; None if it has none.

    A call whose value, the loss, is used stays and is refused. So does one that runs updates, or makes summaries.
    """
    if "optimize_loss" not in text:
        return None
    tree = ast.parse(text)
    names = scopes.resolve(tree)
    lines = EditedLines(text, tree)
    calls = [node for node in walk(tree) if isinstance(node, ast.Call)]
    if any(
        v1_name(names, call.func) in (*NORMALIZATIONS, "summary.merge_all", "merge_all_summaries") for call in calls
    ):
        return None
    holding = [node for node in walk(tree) if isinstance(node, _Holding)]
    made = [node for node in holding if isinstance(node.value, ast.Call) and v1_name(names, node.value.func) == _NAME]
    if not made or not lines.fits(made):
        return None
    for statement in made:
        written = _written(statement, tree, names, lines)
        if written is None or not _is_only_run(statement, tree, names):
            return None
        lines.put(statement, written)
    return lines.result()


def _written(statement: _Holding, tree: ast.Module, names: Names, lines: EditedLines) -> list[str] | None:
    """Returns the lines of a step; None if the call has options that are not known."""
    call = statement.value
    assert isinstance(call, ast.Call)
    given = named_arguments(call, _PARAMETERS)
    stated = {key: value.value for key, value in given.items() if isinstance(value, ast.Constant)}
    given = {key: value for key, value in given.items() if stated.get(key, given) is not None}
    optimizer = _OPTIMIZERS.get(str(stated.get("optimizer", "")))
    rate = given.get("learning_rate")
    if optimizer is None or rate is None or not {"loss", "global_step"} <= given.keys() <= _KNOWN:
        return None
    if not _is_tensor(rate, tree, names):
        return None  # a number is a variable of the graph
    tf = v1_alias(names)
    loss, step = ast.unparse(given["loss"]), ast.unparse(given["global_step"])
    made = f"{tf}.train.{optimizer.format(ast.unparse(rate))}"
    target = f"{ast.unparse(statement.targets[0])} =" if isinstance(statement, ast.Assign) else "return"
    scope = f'with {tf}.variable_scope("OptimizeLoss"):'
    if "clip_gradients" not in given:
        return [scope, f"{lines.step}{target} {made}.minimize({loss}, global_step={step})"]
    clip = given["clip_gradients"]
    if not isinstance(clip, (ast.Constant, ast.Name, ast.Attribute)):
        return None
    held, gradients, variables = (lines.free(name) for name in ("optimizer", "gradients", "variables"))
    body = [
        f"{held} = {made}",
        f"{gradients}, {variables} = zip(*{held}.compute_gradients({loss}))",
        f"{gradients}, _ = {tf}.clip_by_global_norm({gradients}, {ast.unparse(clip)})",
        f"{target} {held}.apply_gradients(zip({gradients}, {variables}), global_step={step})",
    ]
    return [scope, *(lines.step + line for line in body)]


def _is_tensor(rate: ast.expr, tree: ast.Module, names: Names) -> bool:
    """Returns whether only calls of TensorFlow give a learning rate."""
    if not isinstance(rate, ast.Name):
        made: list[ast.AST] = list(calls_bound_to(place_of(rate), tree))
        return bool(made) and all(v1_name(names, call.func) for call in made if isinstance(call, ast.Call))
    bound = names.bindings(rate)
    stores = [n for n in walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
    holding = [names.parents.get(n) for n in stores if n.id == rate.id and names.bindings(n) is bound]
    made = [holder.value for holder in holding if isinstance(holder, ast.Assign)]
    calls = [value for value in made if isinstance(value, ast.Call) and v1_name(names, value.func)]
    return bool(calls) and len(calls) == len(holding) == len(bound)


def _is_only_run(statement: _Holding, tree: ast.Module, names: Names) -> bool:
    """Returns whether a step is only fetched, by calls that do not use its value."""
    held = _given(statement, tree, names)
    aliases = [node for node in walk(tree) if isinstance(node, _Holding) and node is not statement]
    while (
        more := {name for node in aliases if last_name(node.value) in held for name in _given(node, tree, names)} - held
    ):
        held |= more
    if "" in held:
        return False
    for node in walk(tree):
        if last_name(node) not in held or not isinstance(getattr(node, "ctx", None), ast.Load):
            continue
        parent = names.parents.get(node)
        if isinstance(parent, _Holding) and parent.value is node:
            continue
        if not _is_dropped(node, parent, names):
            return False
    return True


def _is_dropped(node: ast.AST, parent: ast.AST | None, names: Names) -> bool:
    """Returns whether a fetch is one of a call of `run` whose value for it has no reader."""
    fetched = parent if isinstance(parent, (ast.List, ast.Tuple)) else node
    call = names.parents.get(fetched) if fetched is parent else parent
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or call.func.attr != "run":
        return False
    if not call.args or call.args[0] is not fetched:
        return False
    user = names.parents.get(call)
    if isinstance(user, ast.Expr):
        return True
    target = user.targets[0] if isinstance(user, ast.Assign) and len(user.targets) == 1 else None
    if isinstance(fetched, (ast.List, ast.Tuple)) and isinstance(target, ast.Tuple):
        target = target.elts[fetched.elts.index(node)] if len(target.elts) == len(fetched.elts) else None  # type: ignore[arg-type]
    elif fetched is parent:
        target = None
    if not isinstance(target, ast.Name):
        return False
    loads = (n for n in names.nodes.get(ast.Name, []) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load))
    return not any(load.id == target.id for load in loads)


def _given(statement: _Holding, tree: ast.Module, names: Names) -> set[str]:
    """Returns the last names of the places that hold a value; "" among them if the source does not say all."""
    if isinstance(statement, ast.Assign):
        return {last_name(target) for target in statement.targets}
    function: ast.AST | None = statement
    while function is not None and not isinstance(function, (ast.FunctionDef, ast.Lambda)):
        function = names.parents.get(function)
    if not isinstance(function, ast.FunctionDef):
        return {""}
    calls = [node for node in walk(tree) if isinstance(node, ast.Call) and last_name(node.func) == function.name]
    users = [names.parents.get(call) for call in calls]
    return {last_name(t) for user in users for t in (user.targets if isinstance(user, ast.Assign) else [ast.Pass()])}
