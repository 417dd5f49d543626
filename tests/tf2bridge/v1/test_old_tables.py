"""Hash tables take the parameters that they had; the genuine releases printed what is expected."""

from __future__ import annotations

import pytest

from tests.same_text import lines

NAMED = """
import {module} as tf
{enable}
table = tf.contrib.lookup.MutableHashTable(tf.string, tf.int64, -1)
with tf.Session() as session:
    session.run(table.insert(tf.constant(["a"]), tf.constant([5], tf.int64)))
    found = table.lookup(tf.constant(["a", "b"]), "found")
    print(found.name.partition("/")[0].partition(":")[0], session.run(found).tolist())
"""

DENSE = """
import {module} as tf
{enable}
with tf.Session() as session:
    for kind, empty, keys in ((tf.int64, 0, [7, -3]), (tf.string, "", ["a", "b"]), (tf.int64, -(2**63), [0, 1])):
        table = tf.contrib.lookup.MutableDenseHashTable(kind, tf.float32, -1.0, empty, 8, name="table")
        session.run(table.insert(tf.constant(keys, kind), tf.constant([1.0, 2.0])))
        found = table.lookup(tf.constant([*keys, keys[0] * 5], kind))
        print(session.run(found).tolist(), session.run(table.size()))
"""


def test_a_table_takes_a_name_after_the_keys() -> None:
    assert lines(NAMED, None, "1.15") == ["found [5, -1]"]


def test_a_dense_table_has_no_deleted_key() -> None:
    assert lines(DENSE, None, "1.12") == ["[1.0, 2.0, -1.0] 2", "[1.0, 2.0, -1.0] 2", "[1.0, 2.0, 1.0] 2"]


@pytest.mark.oracle
@pytest.mark.parametrize(
    ("text", "release"), [(NAMED, "1.15.5"), (NAMED, "1.12.3"), (DENSE, "1.12.3"), (DENSE, "1.4.1")]
)
def test_tables_answer_as_those_of_the_release(text: str, release: str) -> None:
    assert lines(text, None, release.rpartition(".")[0]) == lines(text, release)
