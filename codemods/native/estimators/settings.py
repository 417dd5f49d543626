"""The settings of an Estimator and the hooks of its training: which of them a native program needs."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemods.names import Names
from codemods.native.kinds import v1_name
from codemods.native.refusals import NotNativeError
from codemods.native.stated_names import BoundOnce

_CONFIG = ("estimator.RunConfig", "contrib.learn.RunConfig")
_LEFT_OUT = frozenset(
    ("save_summary_steps", "save_checkpoints_secs", "session_config", "log_step_count_steps", "keep_checkpoint_max")
)
"""Settings of summaries, log lines, devices, and checkpoints between."""
_READ = frozenset(("model_dir", "tf_random_seed"))
_LOGGING = ("train.LoggingTensorHook", "train.StepCounterHook")
WHY = "it wrote to the log of an Estimator, and is left out; print what train computes there"


def settings_of(
    options: dict[str, ast.expr], block: ast.AST, names: Names
) -> tuple[dict[str, ast.expr], ast.stmt | None]:
    """Returns the settings of a RunConfig that a native program needs, and the statement that binds a name to it.

    Raises:
        NotNativeError: The source does not say what it has, or it has others.
    """
    node = options.get("config")
    if node is None or (isinstance(node, ast.Constant) and node.value is None):
        return {}, None
    call, statement = bound_value(node, block, names)
    if not isinstance(call, ast.Call) or v1_name(names, call.func) not in _CONFIG or call.args:
        raise NotNativeError(node, "NAT008", "the source does not say the config of this Estimator")
    given = {keyword.arg or "**": keyword.value for keyword in call.keywords}
    unknown = sorted(given.keys() - _LEFT_OUT - _READ)
    if unknown:
        raise NotNativeError(call, "NAT001", f"{unknown[0]} of a RunConfig has no counterpart")
    return {name: value for name, value in given.items() if name in _READ}, statement


def logging_hooks(node: ast.expr, block: ast.AST, names: Names) -> Iterator[tuple[ast.expr, ast.stmt | None]]:
    """Yields the hooks of a training, with the statements that bind names to them.

    Raises:
        NotNativeError: One does more than write to the log.
    """
    listed, statement = bound_value(node, block, names)
    if not isinstance(listed, (ast.List, ast.Tuple)):
        raise NotNativeError(node, "NAT008", "the source does not say which hooks these are")
    if statement is not None:
        yield listed, statement
    for element in listed.elts:
        call, made = bound_value(element, block, names)
        name = v1_name(names, call.func) if isinstance(call, ast.Call) else None
        if name not in _LOGGING:
            raise NotNativeError(element, "NAT001", f"the hook {ast.unparse(element)} has no counterpart")
        yield call, made


def bound_value(node: ast.expr, block: ast.AST, names: Names) -> tuple[ast.expr, ast.stmt | None]:
    """Returns what a name holds, and the statement that says it; an expression of another kind, and None."""
    if not isinstance(node, ast.Name):
        return node, None
    blocks = [part for part in (block, names.tree) if isinstance(part, (ast.Module, ast.FunctionDef))]
    made = next(filter(None, (BoundOnce(names.tree, part).statement(node) for part in blocks)), None)
    reads = [n for n in names.nodes.get(ast.Name, []) if isinstance(n, ast.Name) and n.id == node.id]
    if made is None or (len(reads) > 2 and not isinstance(made.value, (ast.List, ast.Tuple, ast.Call))):
        raise NotNativeError(node, "NAT008", f"the source does not say what {node.id} is")
    return made.value, made
