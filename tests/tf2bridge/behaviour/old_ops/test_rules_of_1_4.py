"""Ftrl's shrinkage, pooling in one dimension and fused cells in a program of 1.4, as genuine 1.4.1 computed them."""

from __future__ import annotations

import json
import subprocess

import pytest

from tests import forked, oracles

PROGRAM = """
import json
def trained(resource, power):
    variable = tf.get_variable(
        "v_%s_%s" % (resource, -power), [2], initializer=tf.constant_initializer([1.0, 2.0]), use_resource=resource
    )
    optimizer = tf.train.FtrlOptimizer(
        3.0, learning_rate_power=power, initial_accumulator_value=0.1, l1_regularization_strength=0.001,
        l2_regularization_strength=2.0, l2_shrinkage_regularization_strength=0.1,
    )
    step = optimizer.apply_gradients([(tf.constant([0.1, 0.2]), variable)])
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for _ in range(10):
            session.run(step)
        slots = [optimizer.get_slot(variable, name) for name in ("accum", "linear")]
        return [[float("%.6g" % number) for number in array] for array in session.run([variable] + slots)]

print(json.dumps([trained(resource, power) for resource in (False, True) for power in (-0.5, -0.6)]))
x = tf.ones([5, 7, 4])
print(tf.layers.max_pooling1d(x, 2, 2, data_format="channels_first").shape.as_list())
print(tf.layers.AveragePooling1D(3, 1, "same", data_format="channels_first").apply(x).shape.as_list())
tf.reset_default_graph()
tf.set_random_seed(3)
outputs, _ = tf.contrib.rnn.LSTMBlockFusedCell(2, use_peephole=True)([tf.ones([1, 3])] * 2, dtype=tf.float32)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    print([name.op.name for name in tf.trainable_variables()], ["%.5f" % x for x in session.run(outputs)[1][0]])
"""
HALF = [[-0.220788, -0.413781], [0.150821, 0.322755], [0.912763, 1.73465]]
MORE = [[-0.221784, -0.413963], [0.150608, 0.32323], [0.911907, 1.72711]]
NAMES = [f"lstm_block_wrapper/{name}" for name in ("kernel", "bias", "w_i_diag", "w_o_diag", "w_f_diag")]
CELL = f"{NAMES} ['0.14452', '-0.04724']"
OTHERS = ["[5, 3, 4]", "[5, 7, 4]", CELL]


def check(done: subprocess.CompletedProcess[str]) -> None:
    trained, *others = done.stdout.splitlines()[-4:]
    assert others == OTHERS, done.stderr
    for given, wanted in zip(json.loads(trained), [HALF, MORE] * 2, strict=True):
        for row, measured in zip(given, wanted, strict=True):
            assert row == pytest.approx(measured, rel=3e-6)


def test_a_program_of_1_4_computes_so() -> None:
    check(forked.run(f"from tf2bridge import v1 as tf\ntf.enable(api='1.4')\n{PROGRAM}"))


@pytest.mark.oracle
def test_genuine_1_4_1_computed_so() -> None:
    command = [str(oracles.interpreter("1.4.1")), "-c", f"import tensorflow as tf\n{PROGRAM}"]
    check(subprocess.run(command, capture_output=True, text=True, check=False))
