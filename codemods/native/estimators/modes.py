"""The statements of a model_fn that run for each mode, and what they give to the Estimator."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass, field

from codemods.names import Names
from codemods.native.kinds import v1_name
from codemods.native.places import is_none, named_arguments, stores, uses
from codemods.native.refusals import NotNativeError
from codemods.tree import walk

TRAIN, EVAL, PREDICT = "train", "eval", "infer"
"""The modes, as `tf.estimator.ModeKeys` spells them."""
_KEYS = {"TRAIN": TRAIN, "EVAL": EVAL, "PREDICT": PREDICT, "INFER": PREDICT}
_SPEC = "estimator.EstimatorSpec"
_PARTS = (
    "mode", "predictions", "loss", "train_op", "eval_metric_ops", "export_outputs", "training_chief_hooks",
    "training_hooks", "scaffold", "evaluation_hooks", "prediction_hooks",
)  # fmt: skip
_READ = frozenset(("mode", "predictions", "loss", "train_op", "eval_metric_ops"))
_BLOCKS = (ast.If, ast.For, ast.While, ast.With, ast.Try)


@dataclass
class Model:
    """A model_fn by its modes.

    Attributes:
        statements: The statements of all modes that are used, in their order.
        paths: Mode -> the statements that run for it.
        specs: Mode -> the parts of its EstimatorSpec.
        training: The names that say whether the mode is that of training.
    """

    function: ast.FunctionDef
    statements: list[ast.stmt]
    paths: dict[str, list[ast.stmt]]
    specs: dict[str, dict[str, ast.expr]]
    training: set[str] = field(default_factory=set)

    def bound(self, name: str) -> list[ast.stmt]:
        """Returns the statements that bind a name."""
        return [statement for statement in self.statements if name in stores(statement)]

    def value(self, node: ast.expr) -> ast.expr:
        """Returns what the only statement that binds a name gives to it; the expression itself for all others."""
        if not isinstance(node, ast.Name):
            return node
        made = self.bound(node.id)
        return made[0].value if len(made) == 1 and isinstance(made[0], ast.Assign) else node


def read_model(function: ast.FunctionDef, modes: Sequence[str], names: Names) -> Model:
    """Returns the model_fn by the modes that a program uses.

    Raises:
        NotNativeError: The source does not say what runs for a mode, or what it gives.
    """
    reader = _Reader(function, names)
    paths, ends = {}, {}
    for mode in modes:
        paths[mode], end = reader.path(function.body, mode)
        if end is None:
            raise NotNativeError(function, "NAT008", f"{function.name} returns nothing for the mode {mode}")
        ends[mode] = end
    specs = {mode: reader.spec(ends[mode], paths[mode]) for mode in modes}
    gone = [
        *reader.gone,
        *(node for node in walk(function) if isinstance(node, ast.stmt) and _is_none_assignment(node)),
    ]
    paths = {mode: [statement for statement in path if statement not in gone] for mode, path in paths.items()}
    ordered = {statement.lineno: statement for path in paths.values() for statement in path}
    model = Model(function, [ordered[line] for line in sorted(ordered)], paths, specs, reader.training)
    for mode in modes:
        _require_same_names(model, mode)
    return model


class _Reader:
    def __init__(self, function: ast.FunctionDef, names: Names) -> None:
        self._names = names
        self.gone: list[ast.stmt] = []
        self.training: set[str] = set()
        for node in function.body:
            target = node.targets[0] if isinstance(node, ast.Assign) and len(node.targets) == 1 else None
            if isinstance(target, ast.Name) and [self.holds(node.value, m) for m in (TRAIN, EVAL, PREDICT)] == [  # type: ignore[attr-defined]
                True,
                False,
                False,
            ]:
                self.training.add(target.id)
                self.gone.append(node)

    def path(self, body: Sequence[ast.stmt], mode: str) -> tuple[list[ast.stmt], ast.Return | None]:
        """Returns the statements that run for a mode, and the return that ends them."""
        made: list[ast.stmt] = []
        for statement in body:
            if isinstance(statement, ast.Return):
                return made, statement
            if isinstance(statement, ast.If) and (runs := self.holds(statement.test, mode)) is not None:
                inner, end = self.path(statement.body if runs else statement.orelse, mode)
                made += inner
                if end is not None:
                    return made, end
                continue
            if isinstance(statement, ast.Assert) and self.holds(statement.test, mode):
                continue
            if isinstance(statement, ast.Raise):
                raise NotNativeError(statement, "NAT008", f"this is raised for the mode {mode}")
            if isinstance(statement, _BLOCKS) and any(
                isinstance(below, ast.Return)
                or (isinstance(below, ast.If) and self.holds(below.test, mode) is not None)
                for below in walk(statement)
            ):
                message = "the modes part inside this block; let them part outside of it"
                raise NotNativeError(statement, "NAT008", message)
            if not isinstance(statement, ast.Pass) and not _is_docstring(statement, body):
                made.append(statement)
        return made, None

    def holds(self, test: ast.expr, mode: str) -> bool | None:
        """Returns whether a condition on the mode holds for a mode; None if it is another condition."""
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            inner = self.holds(test.operand, mode)
            return None if inner is None else not inner
        if isinstance(test, ast.BoolOp):
            parts = [self.holds(value, mode) for value in test.values]
            if any(part is None for part in parts):
                return None
            return all(parts) if isinstance(test.op, ast.And) else any(parts)
        if isinstance(test, ast.Name) and test.id in self.training:
            return mode == TRAIN
        if not isinstance(test, ast.Compare) or len(test.ops) != 1 or not self._is_mode(test.left):
            return None
        right, of = test.comparators[0], test.ops[0]
        if isinstance(of, (ast.In, ast.NotIn)) and isinstance(right, (ast.Tuple, ast.List, ast.Set)):
            keys = [self._key(element) for element in right.elts]
            return None if None in keys else (mode in keys) == isinstance(of, ast.In)
        key = self._key(right)
        if key is None or not isinstance(of, (ast.Eq, ast.NotEq)):
            return None
        return (mode == key) == isinstance(of, ast.Eq)

    def _is_mode(self, node: ast.expr) -> bool:
        return isinstance(node, ast.Name) and node.id == "mode"

    def _key(self, node: ast.expr) -> str | None:
        if isinstance(node, ast.Constant) and node.value in (TRAIN, EVAL, PREDICT):
            return str(node.value)
        name = v1_name(self._names, node) or ""
        module, _, key = name.rpartition(".")
        return _KEYS.get(key) if module in ("estimator.ModeKeys", "contrib.learn.ModeKeys") else None

    def spec(self, end: ast.Return, path: Sequence[ast.stmt]) -> dict[str, ast.expr]:
        """Returns the parts of the EstimatorSpec that a path returns."""
        value = end.value
        if isinstance(value, ast.Name):
            made = [node for node in path if value.id in stores(node)]
            if len(made) == 1 and isinstance(made[0], ast.Assign):
                self.gone.append(made[0])
                value = made[0].value
        if not isinstance(value, ast.Call) or v1_name(self._names, value.func) != _SPEC:
            raise NotNativeError(end, "NAT008", "this returns no tf.estimator.EstimatorSpec that the source says")
        parts = named_arguments(value, _PARTS)
        parts = {name: part for name, part in parts.items() if not self._is_none_at_end(part, path)}
        unknown = sorted(parts.keys() - _READ - {"export_outputs"})
        if unknown:
            raise NotNativeError(value, "NAT001", f"{unknown[0]} of an EstimatorSpec has no counterpart")
        return {name: part for name, part in parts.items() if name in _READ}

    def _is_none_at_end(self, part: ast.expr, path: Sequence[ast.stmt]) -> bool:
        """Returns whether a part is None, also as a name that another mode gives a value: `train_op = None`."""
        if not isinstance(part, ast.Name):
            return is_none(part)
        made = [node for node in path if part.id in stores(node)]
        return bool(made) and _is_none_assignment(made[-1])


def _is_none_assignment(statement: ast.stmt) -> bool:
    if not isinstance(statement, ast.Assign):
        return False
    value = statement.value
    return all(map(is_none, value.elts)) if isinstance(value, ast.Tuple) else is_none(value)


def _require_same_names(model: Model, mode: str) -> None:
    """Refuses a model_fn in which a statement of another mode binds a name that a mode reads."""
    own = model.paths[mode]
    merged: dict[str, ast.stmt] = {}
    alone: dict[str, ast.stmt] = {}
    for statement in model.statements:
        if statement in own:
            for name, node in uses(statement):
                _require_same(merged.get(name), alone.get(name), name, node)
            alone |= dict.fromkeys(stores(statement), statement)
        merged |= dict.fromkeys(stores(statement), statement)
    for part in model.specs[mode].values():
        for name, node in uses(part):
            _require_same(merged.get(name), alone.get(name), name, node)


def _require_same(now: ast.stmt | None, then: ast.stmt | None, name: str, node: ast.AST) -> None:
    if now is not then:
        message = f"{name} has several values, by the mode; give each a name of its own"
        raise NotNativeError(now or node, "NAT008", message)


def _is_docstring(statement: ast.stmt, body: Sequence[ast.stmt]) -> bool:
    is_text = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    return is_text and statement is body[0]
