"""Fetches that the source builds outside of the calls, and calls whose results hold those of ops."""

from __future__ import annotations

import pytest

from codemods.native.fetch_lists import with_fetches
from codemods.native.refusals import NotNativeError
from tests.codemods.native.test_rewriting import HEAD, MODEL, native

SESSION = "import tensorflow as tf\nsess = tf.Session()\n"


def rewritten(text: str) -> str:
    return with_fetches(SESSION + text).removeprefix(SESSION)


def test_lists_and_dicts_are_written_into_the_calls() -> None:
    assert rewritten("f = [a, b]\nsess.run(f)\n") == "\nsess.run([a, b])\n"
    assert rewritten("sess.run([a] + [b, c])\n") == "sess.run([a, b, c])\n"
    assert rewritten("f = {'a': a}\nv = sess.run(f, d)['a']\n") == "\nv = dict(zip(('a',), sess.run([a], d)))['a']\n"


def test_the_lines_stay_where_they_were() -> None:
    text = "if x:\n    f = [\n        a,\n        b,\n    ]\nsess.run(f)\n"
    assert rewritten(text) == "if x:\n    pass\n\n\n\nsess.run([a, b])\n"
    assert rewritten("v = sess.run({\n    'a': a,\n})\nw = 1\n").splitlines()[3] == "w = 1"


@pytest.mark.parametrize(
    "text",
    [
        "f = [a, b]\nf.append(c)\nsess.run(f)\n",  # the list grows
        "f = [a]\nif x:\n    f = [b]\nsess.run(f)\n",  # it has two values
        "f = [a]\na = b\nsess.run(f)\n",  # the name of what it holds gets another value
        "sess.run([a] + others)\n",
        "sess.run({name: a})\n",
        "other.run({'a': a})\n",  # no session
    ],
)
def test_what_the_source_does_not_say_stays(text: str) -> None:
    assert rewritten(text) == text


def test_training_ops_give_none() -> None:
    made = native(HEAD + MODEL + "print(sess.run([train_op, loss], {x: data}))\n")
    assert "print([None, train_op(data).numpy()])" in made.text


def test_assignments_gave_their_new_value() -> None:
    text = HEAD + MODEL + "change = tf.assign(w, w * 2.0)\nprint(sess.run([loss, change], {x: data}))\n"
    with pytest.raises(NotNativeError, match="order of this assignment"):
        native(text)
