"""The parts of an EstimatorSpec as tensors with names: the loss, the training op, predictions and metrics."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from codemods.native.estimators.modes import EVAL
from codemods.native.estimators.state import State
from codemods.native.kinds import v1_name
from codemods.native.metrics import CLASS_OF
from codemods.native.places import named_arguments, stores
from codemods.native.refusals import NotNativeError
from codemods.tree import walk

_METRIC = ("labels", "predictions", "weights", "metrics_collections", "updates_collections", "name")
_MEAN = ("values", "weights", "metrics_collections", "updates_collections", "name")


def read_results(state: State) -> None:
    """Finds the dicts of predictions, whose tensors get names, and the metrics.

    Raises:
        NotNativeError: The source does not say what they are.
    """
    if EVAL in state.model.specs:
        _read_metrics(state)
    given = [spec.get("predictions") for spec in state.model.specs.values()]
    for node in given:
        made = state.model.value(node) if isinstance(node, ast.Name) else None
        if isinstance(node, ast.Name) and isinstance(made, ast.Dict) and node.id not in state.dicts:
            state.dicts[node.id] = _names_of(made, state)
    for name in (n for n in state.nodes() if isinstance(n, ast.Name) and n.id in state.dicts):
        if not isinstance(name.ctx, ast.Load) or any(name is node for node in given):
            continue
        use = state.names.parents.get(name)
        key = use.slice.value if isinstance(use, ast.Subscript) and isinstance(use.slice, ast.Constant) else None
        if not isinstance(use, ast.Subscript) or key not in state.dicts[name.id]:
            message = f"{name.id} is a dict of predictions, and this use of it is not known"
            raise NotNativeError(name, "NAT008", message)
        state.source.replace(state.source.span(use), state.dicts[name.id][key])


def _names_of(made: ast.Dict, state: State) -> dict[str, str]:
    """Returns key -> the name of the tensor, for a dict of predictions."""
    fields: dict[str, str] = {}
    for key, value in zip(made.keys, made.values, strict=True):
        if not isinstance(key, ast.Constant) or not isinstance(key.value, str):
            raise NotNativeError(made, "NAT008", "the source does not say the names of these predictions")
        if isinstance(value, ast.Name) and value.id in state.own:
            fields[key.value] = state.renamed[value.id]
        else:
            fields[key.value] = state.free(key.value if key.value.isidentifier() else "prediction")
    return fields


def add_tensors(made: ast.Dict, fields: Mapping[str, str], state: State) -> None:
    """Adds the tensors of a dict that have no name yet."""
    for name, value in zip(fields.values(), made.values, strict=True):
        if not (isinstance(value, ast.Name) and value.id in state.own):
            state.add(f"{name} = {_flat(value, state)}", value.lineno)


def tensor(part: str, mode: str, state: State) -> str:
    """Returns the name of a part of the EstimatorSpec of a mode, and adds a statement if it has none.

    Raises:
        NotNativeError: There is no such part.
    """
    node = state.model.specs[mode].get(part)
    if node is None:
        raise NotNativeError(state.program.model_fn, "NAT008", f"the EstimatorSpec of the mode {mode} has no {part}")
    if isinstance(node, ast.Name):
        return state.source.text_of(node)
    name = state.free(part)
    state.add(f"{name} = {_flat(node, state)}", node.lineno)
    return name


def predictions(mode: str, state: State) -> dict[str, str] | str:
    """Returns key -> tensor of the predictions, or the only tensor."""
    node = state.model.specs[mode].get("predictions")
    if isinstance(node, ast.Name) and node.id in state.dicts:
        return state.dicts[node.id]
    if isinstance(node, ast.Dict):
        fields = _names_of(node, state)
        add_tensors(node, fields, state)
        return fields
    return tensor("predictions", mode, state)


def _read_metrics(state: State) -> None:
    """Finds the calls that make the metrics, and takes the statements with them out of the model."""
    model = state.model
    node = model.specs[EVAL].get("eval_metric_ops")
    if node is None:
        return
    listed = model.value(node)
    if not isinstance(listed, ast.Dict):
        raise NotNativeError(listed, "NAT008", "the source does not say which metrics these are")
    gone = model.bound(node.id) if isinstance(node, ast.Name) else []
    for key, value in zip(listed.keys, listed.values, strict=True):
        call = model.value(value)
        name = v1_name(state.names, call.func) if isinstance(call, ast.Call) else None
        if not isinstance(key, ast.Constant) or not isinstance(call, ast.Call) or name not in CLASS_OF:
            raise NotNativeError(value, "NAT001", f"{f'tf.{name}' if name else 'this'} is no metric with a counterpart")
        statement = model.bound(value.id)[0] if isinstance(value, ast.Name) else None
        state.metrics[str(key.value)] = call, statement
        gone += [statement] if statement is not None else []
    model.statements = [statement for statement in model.statements if statement not in gone]
    names = {name for statement in gone for name in stores(statement)}
    for statement in model.statements:
        used = next((n for n in walk(statement) if isinstance(n, ast.Name) and n.id in names), None)
        if used is not None:
            raise NotNativeError(used, "NAT001", f"{used.id} is a metric, and this use of it has no counterpart")


def counted(state: State) -> tuple[dict[str, str], list[str]]:
    """Adds the objects that count the metrics and the loss.

    Returns:
        Key -> the value so far, in the order of TensorFlow 1, and the names of the objects.

    Raises:
        NotNativeError: A metric has weights or collections.
    """
    values, counters = {}, []
    for key in sorted({*state.metrics, "loss"}):
        call, made = state.metrics.get(key, (None, None))
        names = [state.renamed[name] for name in stores(made)] if made is not None else []
        if call is None:
            kind, arguments, origin = "Mean", tensor("loss", EVAL, state), state.at
        else:
            kind, origin = CLASS_OF[v1_name(state.names, call.func) or ""], call.lineno
            arguments = _arguments(call, _MEAN if kind == "Mean" else _METRIC, state)
        stem = key if key.isidentifier() else "metric"
        counter = state.free(f"{stem}_so_far")
        value = names[0] if names else state.free(f"mean_{stem}" if call is None else stem)
        state.add(f"{counter} = {kind}({key!r})\n{value} = {counter}({arguments})", origin)
        values[key] = value
        counters.append(counter)
    return values, counters


def _arguments(call: ast.Call, order: tuple[str, ...], state: State) -> str:
    given = named_arguments(call, order)
    given.pop("name", None)
    wanted = order[:1] if order is _MEAN else order[:2]
    if given.keys() != {*wanted}:
        raise NotNativeError(call, "NAT001", "weights and collections of a metric have no counterpart")
    return ", ".join(_flat(given[name], state) for name in wanted)


def _flat(node: ast.expr, state: State) -> str:
    """Returns the text of an expression on one line, as far as it has no comments and long strings."""
    text = state.source.text_of(node)
    if "#" in text or '"""' in text:
        return f"({text})" if "\n" in text else text
    return " ".join(line.strip() for line in text.splitlines())
