"""Lookups in a table that the graph does not change: a layer of Keras, or the methods of the table.

`keras.layers.StringLookup` gives texts for numbers. It gives numbers for texts where the graph gives unknown texts the
number of the first word; any other number of unknown texts needs `tf.lookup.StaticHashTable`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tf2bridge.decompile.attributes import literal
from tf2bridge.decompile.idioms.layer import expression_node
from tf2bridge.decompile.idioms.rule import Context, Example, Rule, shape_of
from tf2bridge.decompile.idioms.tables import LOOKUP, SIZE, contents, is_static, made_as, readers, words
from tf2bridge.decompile.inferred_shapes import merged
from tf2bridge.decompile.ir import Node, Spec, Value, array_of


def _apply(node: Node, context: Context) -> Node | None:
    table = node.inputs[0]
    users = readers(table, context)
    if users is None:
        return None
    default = _only_default(users)
    if default is not None and is_static(table.node):
        fits_keras = SIZE not in {user.op for user in users} and shape_of(node.inputs[1]) is not None
        if fits_keras and (layer := _layer_of_keras(table.node, default)):  # which Keras cannot trace for unknown ranks
            return _lookup(node, "_0(_1)", [made_as(table.node, layer), node.inputs[1]])
        table = made_as(table.node, f"tf.lookup.StaticHashTable(_contents, {literal(default)})")
    if node.op == SIZE:
        return _lookup(node, "_0.size()", [table])
    own = array_of(node.inputs[2])
    if own is None or not np.array_equal(table.node.attributes.setdefault("default", own), own):
        return _lookup(node, "_0.lookup(_1, _2)", [table, *node.inputs[1:]])
    return _lookup(node, "_0.lookup(_1)", [table, node.inputs[1]])


def _lookup(node: Node, template: str, inputs: list[Value]) -> Node:
    """Returns a node that looks the second input up in the table that the first input is, or gives the table's size."""
    better = expression_node(node, template, inputs, keras=template)
    if node.op == LOOKUP and contents(inputs[0].node)[1].ndim == 1:  # then each key has one value
        dtype, shape = node.outputs[0]
        better.outputs = [Spec(dtype, merged(shape, shape_of(inputs[1])))]
    return better


def _only_default(users: list[Node]) -> np.ndarray[Any, Any] | None:
    """Returns what all lookups give for a key that the table does not have; None if they differ or nobody knows."""
    lookups = [user for user in users if user.op == LOOKUP]
    defaults = [array_of(user.inputs[2]) for user in lookups]
    if len(lookups) + sum(user.op == SIZE for user in users) < len(users) or not defaults:
        return None
    first = defaults[0]
    same = all(default is not None and np.array_equal(default, first) for default in defaults)
    return first if same and first is not None and not first.shape else None


def _layer_of_keras(table: Node, default: np.ndarray[Any, Any]) -> str | None:
    """Returns the template of a layer that computes what a table does, if there is one."""
    keys, values = contents(table)
    if keys.dtype == object and values.dtype == np.int64:
        known = words(keys, values)
        if known and default == 0:
            return f"keras.layers.StringLookup(vocabulary=_words, oov_token={known[0]!r})"
    elif keys.dtype == np.int64:
        known, unknown = words(values, keys), _text(default)
        if known and unknown and (unknown not in known or known[0] == unknown):
            start = "" if known[0] == unknown else "num_oov_indices=0, "
            return f"keras.layers.StringLookup({start}vocabulary=_words, oov_token={unknown!r}, invert=True)"
    return None


def _text(default: np.ndarray[Any, Any]) -> str:
    try:
        return default.item().decode() if isinstance(default.item(), bytes) else str(default.item())
    except UnicodeDecodeError:
        return ""


_TABLE = (
    "keys, values = tf.constant([0, 3], tf.int64), tf.constant([5, 7], tf.int64)\n"
    "table = tf.contrib.lookup.HashTable(tf.contrib.lookup.KeyValueTensorInitializer(keys, values), 9)\n"
    "numbers = tf.cast(numbers, tf.int64)\n"
)
_WORDS = "words = tf.as_string(numbers)\n"
_TO_INDEX = "table = tf.contrib.lookup.index_table_from_tensor({}, default_value={})\n"
_TO_TEXT = "table = tf.contrib.lookup.index_to_string_table_from_tensor({}, default_value={!r})\n"
_TEXTS_OF = "y = table.lookup(tf.cast(numbers, tf.int64))"
RULE = Rule(
    ops=(LOOKUP, SIZE),
    apply=_apply,
    examples=(
        Example(_TABLE + "y = table.lookup(numbers)", "tf.lookup.StaticHashTable(weights.table('hash_table'), 9)"),
        Example(_TABLE + "y = table.lookup(numbers) + 2", "self.hash_table.lookup(tf.cast(numbers, tf.int64)) + "),
        Example(_TABLE + "y = numbers * table.size()", "self.hash_table.size()"),
        Example(
            _WORDS + _TO_INDEX.format(["?", "2", "0", "5"], 0) + "y = table.lookup(words)",
            "keras.layers.StringLookup(vocabulary=weights.vocabulary('string_to_index_hash_table'), oov_token='?')",
        ),
        Example(
            _WORDS + _TO_INDEX.format(["2", "0", "5"], -1) + "y = table.lookup(words)",
            "tf.lookup.StaticHashTable(weights.table('string_to_index_hash_table'), -1)",
        ),
        Example(
            _WORDS + _TO_INDEX.format(["?", "2"], 0) + "sizes = tf.shape(words)[:tf.size(words) // 5]\n"
            "y = table.lookup(tf.reshape(words, sizes))",
            "tf.lookup.StaticHashTable(weights.table('string_to_index_hash_table'), 0)",
        ),
        Example(
            _TO_TEXT.format(["a", "b", "c"], "UNK") + _TEXTS_OF,
            "num_oov_indices=0, vocabulary=weights.vocabulary('index_to_string_hash_table'), "
            "oov_token='UNK', invert=True,",
        ),
        Example(
            _TO_TEXT.format(["a", "b", "a"], "UNK") + _TEXTS_OF,
            "tf.lookup.StaticHashTable(weights.table('index_to_string_hash_table'), b'UNK')",
        ),
        Example(
            "table = tf.contrib.lookup.MutableHashTable(tf.int64, tf.int64, 9)\n"
            "numbers = tf.cast(numbers, tf.int64)\n"
            "with tf.control_dependencies([table.insert(numbers, numbers)]):\n"
            "    y = table.lookup(numbers)",
            "",
        ),
    ),
)
