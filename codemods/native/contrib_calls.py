"""Functions of tf.contrib.layers and slim that are others with another spelling: dropout, linear, losses."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from codemods import scopes
from codemods.names import Names
from codemods.native.kinds import v1_alias, v1_name
from codemods.native.places import named_arguments
from codemods.native.source_text import SourceText
from codemods.tree import walk

_LAYERS = ("contrib.layers.", "contrib.slim.")
_LOSSES = ("contrib.losses.", "contrib.slim.losses.")
_DROPOUT = ("inputs", "keep_prob", "noise_shape", "is_training", "outputs_collections", "scope", "seed")
_ACTIVATIONS = {"linear": "None", "relu": "nn.relu", "relu6": "nn.relu6", "elu": "nn.elu"}
"""Functions that are fully_connected with an activation."""
_OF_LOSSES: Mapping[str, str] = {
    "softmax_cross_entropy": "onehot_labels",
    "sparse_softmax_cross_entropy": "labels",
    "sigmoid_cross_entropy": "multi_class_labels",
    "mean_squared_error": "labels",
    "absolute_difference": "labels",
    "log_loss": "labels",
}
"""Loss -> the parameter of its labels. They come second here, and first in tf.losses (`loss_ops.py` of 1.15.5)."""
_RENAMED = {
    **{
        f"contrib.slim.{name}": f"contrib.layers.{name}"
        for name in ("l1_regularizer", "l2_regularizer", "xavier_initializer", "variance_scaling_initializer")
    },
    "contrib.slim.xavier_initializer_conv2d": "contrib.layers.xavier_initializer",
    "contrib.layers.xavier_initializer_conv2d": "contrib.layers.xavier_initializer",
}
"""Names of the same functions."""
_PREDICTIONS = frozenset(("mean_squared_error", "absolute_difference", "log_loss"))


def with_plain_calls(text: str) -> str | None:
    """Returns a text with other functions in place of these, with as many lines; None if it has none of them."""
    if "contrib" not in text:
        return None
    tree = ast.parse(text)
    names, source = scopes.resolve(tree), SourceText(text, tree)
    alias = names.alias_of("tensorflow")
    for chain in names.chains if alias is not None else ():
        if renamed := _RENAMED.get(v1_name(names, chain) or ""):
            source.replace(source.span(chain), f"{alias}.{renamed}")
    calls = [node for node in walk(tree) if isinstance(node, ast.Call)]
    calls.sort(key=lambda call: source.span(call)[1] - source.span(call)[0])  # inner calls first
    for call in calls:
        name = v1_name(names, call.func) or ""
        if "contrib" not in name or any(isinstance(part, ast.Starred) for part in call.args):
            continue
        last = name.rpartition(".")[2]
        made: str | None = None
        if name in [f"{module}dropout" for module in _LAYERS]:
            made = _dropout(call, names, source)
        elif name in [f"{module}{last}" for module in _LOSSES] and last in _OF_LOSSES:
            made = _loss(call, last, names, source)
        elif name in [f"{module}{last}" for module in _LAYERS] and last in _ACTIVATIONS:
            made = _activated(call, last, names, source)
        if made is not None:
            lines = source.plain(call).count("\n") - made.count("\n")
            source.replace(source.span(call), made[:-1] + "\n" * max(lines, 0) + ")")
    result = source.result()
    return result if result != text else None


def _dropout(call: ast.Call, names: Names, source: SourceText) -> str | None:
    """Returns tf.layers.dropout, which gets a rate, and does not train where nothing says that it does."""
    given = named_arguments(call, _DROPOUT)
    if "inputs" not in given or given.keys() - {*_DROPOUT[:4], "scope", "seed"} or len(call.args) > 4:
        return None
    keep = given.get("keep_prob")
    rate = "0.5" if keep is None else f"1 - {_operand(keep, source)}"
    training = given.get("is_training")
    parts = [source.text_of(given["inputs"]), f"rate={rate}"]
    parts += [f"{key}={source.text_of(given[key])}" for key in ("noise_shape", "seed") if key in given]
    parts.append(f"training={source.text_of(training) if training is not None else True}")
    return f"{v1_alias(names)}.layers.dropout({', '.join(parts)})"


def _operand(node: ast.expr, source: SourceText) -> str:
    is_simple = isinstance(node, (ast.Name, ast.Constant, ast.Attribute, ast.Call, ast.Subscript))
    return source.text_of(node) if is_simple else f"({source.text_of(node)})"


def _loss(call: ast.Call, last: str, names: Names, source: SourceText) -> str | None:
    """Returns a loss of tf.losses; None for one with weights or other options."""
    output = "predictions" if last in _PREDICTIONS else "logits"
    labels = _OF_LOSSES[last]
    given = named_arguments(call, (output, labels))
    if given.keys() - {"scope"} != {output, labels} or len(call.args) > 2:
        return None
    parts = [f"{key}={source.text_of(given[key])}" for key in (labels, output)]
    return f"{v1_alias(names)}.losses.{last}({', '.join(parts)})"


def _activated(call: ast.Call, last: str, names: Names, source: SourceText) -> str | None:
    """Returns fully_connected with an activation. Options by position may be others."""
    alias = names.alias_of("tensorflow")
    stated = {keyword.arg for keyword in call.keywords}
    if (
        not isinstance(call.func, ast.Attribute)
        or alias is None
        or len(call.args) > 2
        or stated & {None, "activation_fn"}
    ):
        return None
    activation = _ACTIVATIONS[last] if last == "linear" else f"{alias}.{_ACTIVATIONS[last]}"
    parts = [source.text_of(part) for part in (*call.args, *call.keywords)]
    module = source.plain(call.func.value)
    return f"{module}.fully_connected({', '.join([*parts, f'activation_fn={activation}'])})"
