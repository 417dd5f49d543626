"""Where Keras draws first values, the seed of a graph seeds Keras too, if nothing else is seeded."""

from __future__ import annotations

import pytest

from tests.codemods.native.test_rewriting import native, run

PROGRAM = """\
import random
import numpy as np
import tensorflow as tf
{before}tf.set_random_seed({seed})
w = tf.get_variable("w", [2, 2], initializer={initializer})
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run(w).tolist())
"""
XAVIER = "tf.contrib.layers.xavier_initializer()"


def text_of(before: str = "", seed: str = "777", initializer: str = XAVIER) -> str:
    return native(PROGRAM.format(before=before, seed=seed, initializer=initializer)).text


def test_two_runs_draw_the_same() -> None:
    text = text_of()
    assert "\nkeras.utils.set_random_seed(777)\n" in text
    assert run(text) == run(text)


@pytest.mark.parametrize(
    "options",
    [
        {"before": "np.random.seed(3)\n"},
        {"before": "random.seed(3)\n"},
        {"seed": "-1"},
        {"seed": "2 ** 40"},
        {"before": "if True:\n    "},
        {"initializer": "tf.constant_initializer(1.0)"},
    ],
    ids=str,
)
def test_other_seeds_of_the_program_stay(options: dict[str, str]) -> None:
    text = text_of(**options)
    assert "tf.random.set_seed(" in text
    assert "keras.utils" not in text
