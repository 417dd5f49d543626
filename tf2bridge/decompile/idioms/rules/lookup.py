"""Lookups in a table that the graph does not change: the methods of the table."""

from __future__ import annotations

import numpy as np

from tf2bridge.decompile.idioms.layer import expression_node
from tf2bridge.decompile.idioms.rule import Context, Example, Rule
from tf2bridge.decompile.ir import Kind, Node, array_of

_READS = ("LookupTableFindV2", "LookupTableSizeV2", Kind.EXPRESSION)
"""The types of nodes that take a table and do not change it."""


def _apply(node: Node, context: Context) -> Node | None:
    table = node.inputs[0].node
    users = [user for user in context.users(node.inputs[0]) if user is not None]
    if table.op != Kind.TABLE or table.attributes["special keys"] or any(user.op not in _READS for user in users):
        return None
    if node.op == "LookupTableSizeV2":
        return expression_node(node, "_0.size()", node.inputs)
    default = array_of(node.inputs[2])
    if default is None:
        return expression_node(node, "_0.lookup(_1, _2)", node.inputs)
    if not np.array_equal(table.attributes.setdefault("default", default), default):
        return expression_node(node, "_0.lookup(_1, _2)", node.inputs)
    return expression_node(node, "_0.lookup(_1)", node.inputs[:2])


_TABLE = (
    "keys, values = tf.constant([0, 3], tf.int64), tf.constant([5, 7], tf.int64)\n"
    "table = tf.contrib.lookup.HashTable(tf.contrib.lookup.KeyValueTensorInitializer(keys, values), 9)\n"
    "numbers = tf.cast(numbers, tf.int64)\n"
)
RULE = Rule(
    ops=("LookupTableFindV2", "LookupTableSizeV2"),
    apply=_apply,
    examples=(
        Example(_TABLE + "y = table.lookup(numbers)", "tf.lookup.experimental.MutableHashTable(tf.int64, tf.int64, 9)"),
        Example(_TABLE + "y = table.lookup(numbers) + 2", "self.hash_table.lookup(tf.cast(numbers, tf.int64)) + "),
        Example(_TABLE + "y = numbers * table.size()", "self.hash_table.size()"),
        Example(
            "table = tf.contrib.lookup.MutableHashTable(tf.int64, tf.int64, 9)\n"
            "numbers = tf.cast(numbers, tf.int64)\n"
            "with tf.control_dependencies([table.insert(numbers, numbers)]):\n"
            "    y = table.lookup(numbers)",
            "",
        ),
    ),
)
