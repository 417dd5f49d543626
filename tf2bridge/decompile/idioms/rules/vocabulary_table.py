"""Lookups of words with buckets for unknown ones: `tf.lookup.StaticVocabularyTable`.

`tf.contrib.lookup.index_table_from_file` and `index_table_from_tensor` build them where they are given
`num_oov_buckets`. The layers of Keras number the buckets first and the words after them.
"""

from __future__ import annotations

from tf2bridge.decompile.idioms.layer import expression_node
from tf2bridge.decompile.idioms.matching import match
from tf2bridge.decompile.idioms.rule import Context, Example, Rule
from tf2bridge.decompile.idioms.tables import is_static, made_as, readers
from tf2bridge.decompile.ir import Node, Value

_PATTERN = (
    "(Select | SelectV2)(NotEqual(number, -1), number, Add(StringToHashBucketFast(text), LookupTableSizeV2(table)))"
)
_NUMBER = "LookupTableFindV2(table, words, -1)"
_TEXTS = ("words", "AsString(words)", "AsString(narrow)")
"""What buckets are chosen by: a text; a number as text, also where it was narrower before the lookup."""


def _apply(node: Node, context: Context) -> Node | None:
    names = match(Value(node, 0), _PATTERN)
    names = match(names["number"], _NUMBER, names) if names else None
    if names is None or not _are_the_words(names["text"], names["words"]):
        return None
    table, words = names["table"], names["words"]
    if readers(table, context) is None or not is_static(table.node) or words.spec.dtype.name not in ("string", "int64"):
        return None
    hashed = match(Value(node, 0), _PATTERN.replace("StringToHashBucketFast(text)", "hashed")) or {}
    buckets = hashed["hashed"].node.attributes["num_buckets"]
    made = made_as(table.node, f"tf.lookup.StaticVocabularyTable(_contents, {buckets})")
    lookup = "_0.lookup(_1)"
    return expression_node(node, lookup, [made, words], keras=lookup)


def _are_the_words(text: Value, words: Value) -> bool:
    for pattern in _TEXTS:
        names = match(text, pattern, {"words": words})
        if names is not None:
            return "narrow" not in names or match(words, "Cast(narrow)", names) is not None
    return False


_WORDS = "words = tf.as_string(numbers)\n"
_TABLE = "table = tf.contrib.lookup.index_table_from_tensor({}, num_oov_buckets={}{})\n"
RULE = Rule(
    ops=("Select", "SelectV2"),
    apply=_apply,
    is_first=True,
    examples=(
        Example(
            _WORDS + _TABLE.format(["2", "0", "5"], 3, "") + "y = table.lookup(words)",
            "tf.lookup.StaticVocabularyTable(weights.table('string_to_index_hash_table'), 3)",
        ),
        Example(
            _WORDS + _TABLE.format(["2", "0", "5"], 3, "") + "y = table.lookup(words) + 1",
            "self.string_to_index_hash_table.lookup(tf.strings.as_string(numbers))",
        ),
        Example(
            _TABLE.format([7, 0, 5], 2, ", dtype=tf.int64") + "y = table.lookup(tf.cast(numbers, tf.int64)) * 2",
            "self.string_to_index_hash_table.lookup(tf.cast(numbers, tf.int64))",
        ),
        Example(
            _WORDS
            + _TABLE.format(["2", "0"], 3, ", hasher_spec=tf.contrib.lookup.StrongHashSpec([1, 2])")
            + "y = table.lookup(words)",
            "",
        ),
    ),
)
