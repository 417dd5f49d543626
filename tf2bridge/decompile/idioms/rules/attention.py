"""Attention of one query, as `tf.contrib.seq2seq` has it in each step of a decoder: a layer of Keras.

`LuongAttention` is the product of the query and the keys (Luong et al., 2015), with one scale for all scores if it is
asked for; `BahdanauAttention` adds them (Bahdanau et al., 2015). Scores after the end of a row are minus infinity.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from tf2bridge.decompile.idioms.layer import Layer, Weight, dtype_keyword, layer_node, scope_of
from tf2bridge.decompile.idioms.matching import is_size, match, number
from tf2bridge.decompile.idioms.recurrent_layers import valid_steps
from tf2bridge.decompile.idioms.rule import Context, Example, Rule, known_shape, shape_of
from tf2bridge.decompile.ir import Kind, Node, Spec, Value, array_of

_MASKS = ("Less(Range(0, size, 1), Cast(ExpandDims(lengths, -1)))", "Less(Range(0, size, 1), ExpandDims(lengths, -1))")


class _Scores(NamedTuple):
    """How scores are computed: by which class with which weights and arguments, of a query and keys."""

    kind: str
    query: Value
    keys: Value
    weights: tuple[tuple[str, Weight], ...] = ()
    keywords: tuple[tuple[str, bool], ...] = ()


def _apply(node: Node, context: Context) -> Mapping[Value, Value] | None:
    names = match(node.inputs[0], "BatchMatMul(ExpandDims(alignments, 1), values)")
    softmax = match(names["alignments"], "Softmax(scores)") if names else None
    if names is None or softmax is None or not _is_squeezed(node, adjoint=False):
        return None
    score, lengths = _unmasked(softmax["scores"])
    scores = _dot(score, context) or _additive(score, context)
    values, alignments = names["values"], names["alignments"]
    if scores is None or [len(shape_of(value) or ()) for value in (scores.query, scores.keys, values)] != [2, 3, 3]:
        return None
    inputs, mask = [scores.query, values, scores.keys], ""
    if lengths is not None:
        steps = (shape_of(scores.keys) or ())[1]
        beside = scores.keys.node if scores.keys.node.owner is not node.owner else node
        inputs, mask = [*inputs, valid_steps(beside, lengths, scores.keys, steps)], ", mask=[None, _3]"
    scope = scope_of(scores.weights[0][1].variables[0] if scores.weights else score.node.name)
    layer = Layer(scores.kind, (), scores.weights, (*scores.keywords, *dtype_keyword(values)), scope)
    return _replacements(node, layer, inputs, mask, alignments if len(context.users(alignments)) > 1 else None)


def _replacements(
    node: Node, layer: Layer, inputs: list[Value], mask: str, alignments: Value | None
) -> dict[Value, Value]:
    """Returns the context, and the alignments if they are used, -> what the layer gives."""
    call = f"_layer([_0[:, {{}}], _1, _2]{mask}{', return_attention_scores=True' if alignments else ''})"
    end = "" if alignments else "[:, 0]"
    outputs = [value.spec for value in (Value(node, 0), alignments) if value is not None]
    if alignments:
        outputs = [
            Spec(spec.dtype, None if spec.shape is None else (spec.shape[0], 1, spec.shape[1])) for spec in outputs
        ]
    called = layer_node(node, layer, inputs, call.format("tf.newaxis") + end, outputs, inputs[:3])
    called.attributes["keras template"] = call.format("None") + end
    called.name = f"{scope_of(node.name)}/{'attention' if alignments else 'context'}"
    if alignments is None:
        return {Value(node, 0): Value(called, 0)}
    parts = Value(node, 0), alignments
    return {value: _only_step(Value(called, port), value) for port, value in enumerate(parts)}


def _only_step(value: Value, instead_of: Value) -> Value:
    attributes = {"template": "_0[:, 0]", "keras template": "_0[:, 0]"}
    node = instead_of.node
    return Value(Node(node.name, Kind.EXPRESSION, [value], attributes, [instead_of.spec], node.owner), 0)


def _is_squeezed(node: Node, adjoint: bool) -> bool:
    """Returns True for a product of matrices of one row, whose rows are taken."""
    product = node.inputs[0].node.attributes
    return list(node.attributes["squeeze_dims"]) == [1] and (product["adj_x"], product["adj_y"]) == (False, adjoint)


def _unmasked(scores: Value) -> tuple[Value, Value | None]:
    """Returns scores before those after the end of a row are minus infinity, and the lengths of rows, or None."""
    names = match(scores, "Select(mask, score, lowest)")
    if names is None or not _is_lowest(names["lowest"]):
        return scores, None
    for pattern in _MASKS:
        mask = match(names["mask"], pattern)
        if mask is not None and _is_width(mask["size"], names["score"]):
            return names["score"], mask["lengths"]
    return scores, None


def _is_width(size: Value, scores: Value) -> bool:
    shape = shape_of(scores)
    return is_size(size, scores, 1) or (shape is not None and len(shape) == 2 and number(size) == shape[1] is not None)


def _is_lowest(value: Value) -> bool:
    array = array_of(value)
    if array is not None:
        return bool((array == -np.inf).all())
    names = match(value, "Fill(shape, low)")
    return names is not None and number(names["low"]) == -np.inf


def _dot(score: Value, context: Context) -> _Scores | None:
    weights: tuple[tuple[str, Weight], ...] = ()
    names = match(score, "Mul(scale, score)")
    scale = context.variable(names["scale"]) if names and known_shape(names["scale"]) == () else None
    if names and scale:
        score, weights = names["score"], (("scale", Weight((scale,))),)
    names = match(score, "Squeeze(BatchMatMul(ExpandDims(query, 1), keys))")
    if names is None or not _is_squeezed(score.node, adjoint=True):
        return None
    keywords = (("use_scale", True),) if weights else ()
    return _Scores("keras.layers.Attention", names["query"], names["keys"], weights, keywords)


def _additive(score: Value, context: Context) -> _Scores | None:
    names = match(score, "Sum(Mul(scale, Tanh(Add(keys, ExpandDims(query, 1)))), 2)")
    scale = context.variable(names["scale"]) if names and len(known_shape(names["scale"]) or ()) == 1 else None
    if names is None or scale is None or score.node.attributes["keep_dims"]:
        return None
    weights = (("scale", Weight((scale,))),)
    return _Scores("keras.layers.AdditiveAttention", names["query"], names["keys"], weights)


_MEMORY = "memory, lengths = tf.layers.conv1d(images[:, 0], 4, 2), numbers[:, 0] % 7 + 1\n"
_CELL = "cell = tf.contrib.seq2seq.AttentionWrapper(tf.nn.rnn_cell.GRUCell(5), mechanism)\n"
_STEP = "y, state = cell(rows, cell.zero_state(tf.shape(rows)[0], tf.float32))"
_LUONG, _BAHDANAU = (f"mechanism = tf.contrib.seq2seq.{name}Attention" for name in ("Luong", "Bahdanau"))
RULE = Rule(
    ops=("Squeeze",),
    apply=_apply,
    examples=(
        Example(f"{_MEMORY}{_LUONG}(5, memory, lengths)\n{_CELL}{_STEP}", "keras.layers.Attention()"),
        Example(f"{_MEMORY}{_LUONG}(5, memory)\n{_CELL}{_STEP}", "keras.layers.Attention()"),
        Example(
            f"{_MEMORY}{_LUONG}(5, memory, lengths, scale=True)\n{_CELL}{_STEP}",
            "keras.layers.Attention(use_scale=True)",
        ),
        Example(
            f"{_MEMORY}{_BAHDANAU}(5, memory, lengths)\n{_CELL}{_STEP}",
            "mask=[None, tf.sequence_mask(add, tf.shape(tensordot)[1])]",
        ),
        Example(
            f"{_MEMORY}{_BAHDANAU}(5, memory, lengths)\n{_CELL}{_STEP}\ny = [y, state.alignments]",
            "return_attention_scores=True",
        ),
        Example(f"{_MEMORY}{_BAHDANAU}(5, memory, lengths, normalize=True)\n{_CELL}{_STEP}", ""),
    ),
    is_first=True,
)
