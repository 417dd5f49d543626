"""Names that the program computes from what its source says are texts, all others stay."""

from __future__ import annotations

import pytest

from codemods.native.stated_names import with_stated_names

HEAD = "import tensorflow as tf\n"


@pytest.mark.parametrize(
    ("value", "name"),
    [
        ("'layer%s' % n", "layer1"),
        ("'layer%d_%s' % (n, kind)", "layer1_conv"),
        ("kind + '/' + str(n)", "conv/1"),
        ("'{}_{}'.format(kind, n + 1)", "conv_2"),
        ("f'{kind}{n}'", "conv1"),
        ("whole", "conv_1"),
    ],
)
def test_a_name_of_texts_and_numbers_is_a_text(value: str, name: str) -> None:
    begin = f"{HEAD}n = 1\nkind = 'conv'\nwhole = kind + '_%d' % n\n"
    text = begin + f"with tf.variable_scope({value}):\n    w = tf.get_variable({value}, [2])\n"
    wanted = begin + f"with tf.variable_scope('{name}'):\n    w = tf.get_variable('{name}', [2])\n"
    assert with_stated_names(text) == wanted


@pytest.mark.parametrize(
    "lines",
    [
        "for n in range(2):\n    tf.Variable(1., name='w%d' % n)\n",
        "n = 1\nn += 1\ntf.Variable(1., name='w%d' % n)\n",
        "if len(names) > 1:\n    n = 1\ntf.Variable(1., name='w%d' % n)\n",
        "tf.Variable(1., name='w%d' % n)\nn = 1\n",
        "n = 1\ndef make(n):\n    return tf.Variable(1., name='w%d' % n)\n",
        "n = 1\ndef f():\n    global n\n    n = 2\nf()\ntf.Variable(1., name='w%d' % n)\n",
        "n = 1.5\ntf.Variable(1., name='w%d' % n)\n",
        "n = 'a'\ntf.Variable(1., name='w%d' % n)\n",
        "n = 1\ntf.Variable(1., name='%999999999999d' % n)\n",  # would fill the memory
        "n = 999999999999\ntf.Variable(1., name='{:{}}'.format(1, n))\n",
        "n = 1\nfrom settings import n\ntf.Variable(1., name='w%d' % n)\n",
    ],
)
def test_a_name_that_the_source_does_not_say_stays(lines: str) -> None:
    assert with_stated_names(HEAD + lines) == HEAD + lines
