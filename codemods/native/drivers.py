"""Several functions that each run the graph of one class, where only one of them runs: `train()` or `replay()`."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from itertools import combinations

from codemods.names import Names
from codemods.native.call_order import are_apart, runs_again
from codemods.native.kinds import Kind, kind_of_call, v1_name
from codemods.native.layers import NAMES as LAYERS
from codemods.native.recurrent import cell_class, function_of
from codemods.tree import walk

_KINDS = frozenset(
    {
        Kind.PYTHON, Kind.CONSTANT, Kind.TENSOR, Kind.PLACEHOLDER, Kind.SESSION, Kind.INIT, Kind.SAVER, Kind.SUMMARY,
        Kind.WRITER, Kind.CONFIG,
    }
)  # fmt: skip
"""What such a function may make: nothing that the graph of another one would have too."""
_NAMES = frozenset(("name_scope", "device", "trainable_variables", "global_variables"))
MERGING = ("summary.merge_all", "merge_all_summaries")
"""Names that give all summaries of the graph."""
_TRAINING = ("minimize", "apply_gradients", "compute_gradients")


def run_apart(drivers: Sequence[ast.FunctionDef], tree: ast.Module, names: Names) -> bool:
    """Returns whether one of these functions runs alone, once, and none adds to the graph what others would see."""
    inside = {id(below) for function in drivers for below in walk(function)}
    known = {function.name for function in drivers}
    uses = [node for node in walk(tree) if isinstance(node, ast.Name) and node.id in known]
    calls = [call for use in uses if isinstance(call := names.parents.get(use), ast.Call) and call.func is use]
    if len(calls) < len(uses) or any(id(use) in inside for use in uses):
        return False
    if any(not are_apart(one, other, names) for one, other in combinations(calls, 2)):
        return False
    if any(runs_again(call, tree, names) for call in calls):
        return False
    return all(_adds_nothing(node, names) for driver in drivers for node in _reached(driver, tree)) and (
        _summarizes_once(drivers, tree, names)
    )


def _reached(driver: ast.FunctionDef, tree: ast.Module) -> list[ast.FunctionDef]:
    """Returns a function with those of the module that it uses, directly or not."""
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    reached = [driver]
    for function in reached:
        named = {node.id for node in walk(function) if isinstance(node, ast.Name)}
        reached += [functions[name] for name in sorted(named & functions.keys()) if functions[name] not in reached]
    return reached


def _adds_nothing(function: ast.FunctionDef, names: Names) -> bool:
    """Returns whether a function makes no variables, no optimizers, and nothing that is not known."""
    for call in (node for node in walk(function) if isinstance(node, ast.Call)):
        name = v1_name(names, call.func)
        if name is None:
            if isinstance(call.func, ast.Attribute) and call.func.attr in _TRAINING:
                return False
            continue
        if name not in _NAMES and kind_of_call(name) not in _KINDS:
            return False
        if name in LAYERS or function_of(name) or cell_class(name) or name.startswith("metrics."):
            return False
    return True


def _summarizes_once(drivers: Sequence[ast.FunctionDef], tree: ast.Module, names: Names) -> bool:
    """Returns whether no summary of one function can be merged by other code than this function."""
    summarizing = [driver for driver in drivers if any(_makes(f, names) for f in _reached(driver, tree))]
    if not summarizing:
        return True
    own = {id(node) for function in _reached(summarizing[0], tree) for node in walk(function)}
    calls = [node for node in walk(tree) if isinstance(node, ast.Call) and v1_name(names, node.func) in MERGING]
    return len(summarizing) == 1 and all(id(call) in own for call in calls)


def _makes(function: ast.FunctionDef, names: Names) -> bool:
    calls = (node for node in walk(function) if isinstance(node, ast.Call))
    return any(kind_of_call(v1_name(names, call.func) or "") is Kind.SUMMARY for call in calls)
