"""`tf.metrics.accuracy(labels, predictions)[1]` becomes an object that counts, and its call in the function."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from codemods import scopes
from codemods.names import Names
from codemods.native.edited_lines import EditedLines
from codemods.native.items import Body
from codemods.native.kinds import v1_name
from codemods.native.places import named_arguments
from codemods.native.refusals import NotNativeError
from codemods.native.runs import Run
from codemods.tree import walk

_NAME = "metrics.accuracy"
_CLASS = "Accuracy"
_PARAMETERS = ("labels", "predictions", "weights", "metrics_collections", "updates_collections", "name")
MEAN = '''\
class Mean:
    """The mean of the values in all calls so far, as tf.metrics.mean of TensorFlow 1 counts it."""

    def __init__(self, name="mean"):
        self.total = tf.Variable(0.0, trainable=False, name=name + "/total")
        self.count = tf.Variable(0.0, trainable=False, name=name + "/count")

    def __call__(self, values):
        total = self.total.assign_add(tf.reduce_sum(tf.cast(values, tf.float32)))
        count = self.count.assign_add(tf.cast(tf.size(values), tf.float32))
        return tf.math.divide_no_nan(total, count)

    def reset(self):
        """Forgets all values."""
        self.total.assign(0.0)
        self.count.assign(0.0)
'''
_ALIKE = """\
        wider = len(predictions.shape) - len(labels.shape)
        labels = tf.squeeze(labels, [-1]) if wider == -1 else labels
        predictions = tf.squeeze(predictions, [-1]) if wider == 1 else predictions
"""
_OF_LABELS = '''\
class {name}(Mean):
    """{what} in all calls so far, as tf.metrics.{function} of TensorFlow 1 counts it."""

    def __init__(self, name="{function}"):
        super().__init__(name)

    def __call__(self, labels, predictions):
{alike}        return {value}
'''
_RIGHT = "tf.equal(tf.cast(predictions, labels.dtype), labels)"
_SQUARES = "Mean.__call__(self, tf.math.squared_difference(labels, predictions))"
_DIFFERENCES = "Mean.__call__(self, tf.abs(predictions - labels))"
_FORMULAS = (
    ("Accuracy", "The share of right predictions", "accuracy", f"Mean.__call__(self, {_RIGHT})"),
    ("MeanSquaredError", "The mean of squared differences", "mean_squared_error", _SQUARES),
    (
        "RootMeanSquaredError",
        "The root of the mean squared difference",
        "root_mean_squared_error",
        f"tf.sqrt({_SQUARES})",
    ),
    ("MeanAbsoluteError", "The mean of differences without their sign", "mean_absolute_error", _DIFFERENCES),
)
CLASSES = {
    name: _OF_LABELS.format(name=name, what=what, function=function, alike=_ALIKE, value=value)
    for name, what, function, value in _FORMULAS
}
"""The classes that a program with these metrics gets once (`metrics_impl.py` of 1.15.5), beside `MEAN`."""
CLASS_OF = {f"metrics.{function}": name for name, _, function, _ in _FORMULAS} | {"metrics.mean": "Mean"}
"""Name of a metric -> the class that counts it."""


def with_objects(text: str) -> tuple[str, tuple[int, ...]] | None:
    """Returns a text whose accuracies are objects, and the old number of each line; None if it has none.

    Only the op that updates may be used. Two metrics have the names `accuracy` and `accuracy_1`.
    """
    if _NAME not in text:
        return None
    tree = ast.parse(text)
    names = scopes.resolve(tree)
    lines = EditedLines(text, tree)
    made = [node for node in walk(tree) if isinstance(node, ast.Assign) and _call_of(node, names) is not None]
    if not made or not lines.fits(made) or lines.free(_CLASS) != _CLASS:
        return None
    for number, statement in enumerate(sorted(made, key=lambda node: node.lineno)):
        call = _call_of(statement, names)
        target = _updating(statement, names)
        given = named_arguments(call, _PARAMETERS) if call is not None else {}
        name = given.pop("name", None)
        if target is None or given.keys() != {"labels", "predictions"}:
            return None
        named = ast.unparse(name) if name is not None else repr(f"accuracy_{number}") if number else ""
        counter = lines.free(f"{target.rpartition('.')[2]}_so_far")
        counter = f"self.{counter}" if target.startswith("self.") else counter
        arguments = f"{ast.unparse(given['labels'])}, {ast.unparse(given['predictions'])}"
        lines.put(statement, [f"{counter} = {_CLASS}({named})", f"{target} = {counter}({arguments})"])
    return lines.result()


def written(names: Names) -> list[str]:
    """Returns the classes that a text calls, and has none of these names."""
    nodes = [node for node in names.nodes.get(ast.Name, []) if isinstance(node, ast.Name)]
    called = {node.id for node in nodes if node.id in {"Mean", *CLASSES} and names.is_unbound(node)}
    return [MEAN, *(text for name, text in CLASSES.items() if name in called)] if called else []


def require_one_start(run: Run, others: Iterable[Run], body: Body, function: ast.AST) -> None:
    """Refuses a call that may set the counts back to 0 while the program runs.

    Raises:
        NotNativeError: It initializes local variables a second time, or in a function that may be called again.
    """
    counts = any(f"_so_far = {_CLASS}(" in ast.unparse(item.node) for item in body.items)
    if not counts or not _is_local(run, body):
        return
    once = not isinstance(function, ast.FunctionDef) or function in (body.main.function, *body.main.drivers)
    if not once or any(_is_local(other, body) for other in others):
        message = "this sets the counts of tf.metrics.accuracy back to 0; make another metric instead"
        raise NotNativeError(run.node, "NAT008", message)


def _is_local(run: Run, body: Body) -> bool:
    """Returns whether a call initializes local variables."""
    made = (body.definition(f.place, len(body.items)) if f.place else None for f in run.fetches)
    texts = [ast.unparse(item.node) for item in made if item is not None]
    return any("local_variables" in text for text in [*texts, *(ast.unparse(f.node) for f in run.fetches)])


def _call_of(statement: ast.Assign, names: Names) -> ast.Call | None:
    value = statement.value.value if isinstance(statement.value, ast.Subscript) else statement.value
    return value if isinstance(value, ast.Call) and v1_name(names, value.func) == _NAME else None


def _updating(statement: ast.Assign, names: Names) -> str | None:
    """Returns what holds the op that updates; None if the value without an update is held too."""
    target = statement.targets[0] if len(statement.targets) == 1 else None
    if isinstance(statement.value, ast.Subscript):
        index = statement.value.slice
        taken = isinstance(index, ast.Constant) and index.value == 1 and isinstance(target, (ast.Name, ast.Attribute))
        return ast.unparse(target) if taken and target is not None else None
    if not isinstance(target, ast.Tuple) or len(target.elts) != 2 or not isinstance(target.elts[0], ast.Name):
        return None
    unused = target.elts[0].id
    reads = (n for n in names.nodes.get(ast.Name, []) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load))
    return None if any(node.id == unused for node in reads) else ast.unparse(target.elts[1])
