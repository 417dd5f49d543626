"""How the lines of native programs are written, and the numbers of one optimizer by release."""

from __future__ import annotations

import pytest

from codemods.engine import check_text
from codemods.native.rewriting import rewrite
from codemods.results import Changed
from codemods.settings import Settings
from tests.codemods.native.test_rewriting import HEAD, MODEL, native, numbers, run


def test_what_a_function_does_not_need_of_the_shared_one_has_no_name() -> None:
    lines = (
        "p = tf.nn.relu(y)\nq = tf.reduce_sum(p)\nprint(sess.run(q, {x: data}))\nprint(sess.run([p, q], {x: data}))\n"
    )
    text = native(HEAD + MODEL.replace("train_op", "# train_op") + lines).text
    assert "    _, q = compute_model(x)\n" in text
    assert "    p, q = compute_model(x)\n" in text


def test_continued_lines_stay_aligned_to_their_bracket() -> None:
    lines = (
        "with tf.name_scope('s'):\n"
        "    v = tf.Variable(tf.truncated_normal([2, 1],\n"
        "                                        stddev=0.1))\n"
        "sess.run(tf.matmul(x, v), {x: data})\n"
    )
    text = native(HEAD + MODEL + lines).text.splitlines()
    first = next(number for number, line in enumerate(text) if "truncated_normal" in line)
    assert text[first + 1].index("stddev") == text[first].index("[2, 1]")


@pytest.mark.parametrize(
    ("release", "values"),
    [
        ("1.4", [0.9993675351142883, 0.99881511926651, 0.9982908368110657]),  # printed by 1.4.1
        ("1.12", [0.9995527863502502, 0.999099850654602, 0.9986431002616882]),  # by 1.12.3
    ],
)
def test_adadelta_takes_the_steps_of_its_release(release: str, values: list[float]) -> None:
    program = (
        "import tensorflow as tf\nx = tf.placeholder(tf.float32, [None, 2])\nw = tf.Variable(tf.ones([2, 1]))\n"
        "loss = tf.reduce_mean(tf.matmul(x, w))\nstep = tf.train.AdadeltaOptimizer(1.0).minimize(loss)\n"
        "with tf.Session() as sess:\n    sess.run(tf.global_variables_initializer())\n"
        "    for n in range(3):\n        sess.run(step, {x: [[1., 2.]]})\n        print(*sess.run(w).ravel())\n"
    )
    result = check_text(program, "train.py", Settings(from_version=release))
    assert isinstance(result, Changed)
    printed = numbers(run(rewrite(result.after.decode()).text))
    assert printed == pytest.approx([value for value in values for _ in range(2)], rel=1e-6)
