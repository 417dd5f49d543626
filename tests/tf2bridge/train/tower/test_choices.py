"""What may be asked of towers beside the legacy loop's ways, and what is refused, with what to do."""

from __future__ import annotations

from tests import forked

_HEAD = """
import os
import tempfile
import numpy as np
import tensorflow as real
from tf2bridge import train
from tf2bridge import v1 as tf
from tf2bridge.errors import BridgeError
cpus = real.config.list_physical_devices("CPU")
real.config.set_logical_device_configuration(cpus[0], [real.config.LogicalDeviceConfiguration()] * 2)
strategy = real.distribute.MirroredStrategy(["/cpu:0", "/cpu:1"])
specs = (real.TensorSpec([None, 2]),)
batch = np.array([[1, 1], [3, 1], [5, 1], [9, 1]], np.float32)  # the towers' means of column 0: 2 and 7
sgd = tf.train.GradientDescentOptimizer(1.0)

def tower_fn(tower, x):
    w = tf.get_variable("w", [2], initializer=tf.zeros_initializer())
    seen = tf.get_variable("seen", [], initializer=tf.zeros_initializer(), trainable=False)
    mean = tf.reduce_mean(x, 0)
    tf.add_to_collection(tf.GraphKeys.UPDATE_OPS, tf.assign(seen, mean[0]))
    return tf.reduce_sum(mean * w), tower.scope

def in_session(function=tower_fn, optimizer=sgd, strategy=None, **options):
    with tf.Graph().as_default():
        x = tf.placeholder(tf.float32, batch.shape)
        count = {"devices": ["/cpu:0", "/cpu:1"]} if strategy is None else {}
        made = train.towers(function, optimizer, strategy, x, **{**count, **options})
        with tf.Session(config=tf.ConfigProto(device_count={"CPU": 2})) as session:
            session.run(tf.global_variables_initializer())
            session.run(made.train_op, {x: batch})
            return {each.op.name: session.run(each).tolist() for each in tf.global_variables()}

def by_step(function=tower_fn, optimizer=sgd, inputs=specs, strategy=strategy, **options):
    made = train.towers(function, optimizer, strategy, inputs, **options)
    made.step(batch)
    return {name: each.numpy().tolist() for name, each in made.variables.items() if name != "global_step"}

def refused(code, *arguments, **options):
    try:
        print(code(*arguments, **options))
    except BridgeError as error:
        print(type(error).__name__, error, sep=": ")
"""


def lines(code: str) -> list[str]:
    done = forked.run(_HEAD + code)
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout.splitlines()


def test_the_updates_of_the_tower_that_is_asked_for() -> None:
    """Legacy loops ran those of the last tower: get_collection(UPDATE_OPS, scope) after the loop."""
    result = lines("""
for choice in ("last", "first", None):
    print(in_session(update_ops=choice)["seen"])
for choice in ("last", "first", "mean"):
    print(in_session(strategy=strategy, update_ops=choice)["seen"], by_step(update_ops=choice)["seen"])
refused(in_session, update_ops="mean")
refused(in_session, strategy=strategy, update_ops="all")
refused(by_step, update_ops="some")
refused(in_session, batch_norm="synchronised")
refused(by_step, batch_norm="synchronised")
""")
    assert result[:6] == ["7.0", "2.0", "0.0", "7.0 7.0", "2.0 2.0", "4.5 4.5"]
    assert result[6:] == [
        "TowerOptionError: towers(update_ops='mean'): only a strategy can average what towers update; choose a tower",
        "TowerOptionError: towers(update_ops='all'): replicas update at the same time, not one after the other; choose "
        '"last", "first" or "mean"',
        "TowerOptionError: towers(update_ops='some'): it is one of 'last', 'first', 'all', 'mean', None",
        "TowerOptionError: towers(batch_norm='synchronised'): only the replicas of a strategy can have it",
        "TowerOptionError: towers(batch_norm='synchronised'): the tower function takes no moments over its batch by "
        "tf.nn.moments or tf.nn.fused_batch_norm",
    ]


def test_the_moving_averages_of_batch_norm_layers() -> None:
    """Half of the last tower's means, 7 and 1, or of the whole batch's, 4.5 and 1."""
    result = lines("""
from tensorflow.python.training import moving_averages
genuine = moving_averages.assign_moving_average

def normal(tower, x):
    w = tf.get_variable("w", [2])
    return tf.reduce_sum(w * tf.contrib.layers.batch_norm(x, decay=0.5, is_training=True, scope="norm"))

for options in ({}, {"batch_norm": "synchronised"}):
    for found in (in_session(normal, strategy=strategy, **options), by_step(normal, **options)):
        print(found["norm/moving_mean"])
print(moving_averages.assign_moving_average is genuine)
""")
    assert result == ["[3.5, 0.5]"] * 2 + ["[2.25, 0.5]"] * 2 + ["True"]


def test_an_average_of_ones_own_and_variables_of_ones_choice() -> None:
    result = lines("""
def largest(tower_grads):
    return [(tf.reduce_max(tf.stack([g for g, _ in of_one]), 0), of_one[0][1]) for of_one in zip(*tower_grads)]

for options in ({"average": largest}, {"var_list": lambda: tf.trainable_variables()}):
    print(in_session(**options)["w"], in_session(strategy=strategy, **options)["w"], by_step(**options)["w"])
print(in_session(optimizer=lambda step: tf.train.GradientDescentOptimizer(1.0 + tf.cast(step, tf.float32)))["w"])
print(by_step(optimizer=lambda step: tf.train.GradientDescentOptimizer(lambda: 1.0 + tf.cast(step, tf.float32)))["w"])
""")
    assert result[:2] == ["[-7.0, -1.0] " * 2 + "[-7.0, -1.0]", "[-4.5, -1.0] " * 2 + "[-4.5, -1.0]"]
    assert result[2:] == ["[-4.5, -1.0]"] * 2


def test_a_batch_that_the_strategy_has_distributed() -> None:
    text = lines("""
made = train.towers(tower_fn, sgd, strategy, specs)
data = real.data.Dataset.from_tensor_slices(batch).batch(4)
for part in strategy.experimental_distribute_dataset(data):
    taken = made.step(part)
print(made.variables["w"].numpy(), made.global_step, [each.numpy().decode() for each in taken.outputs])
""")
    assert text == ["[-4.5 -1. ] 1 ['tower_0/', 'tower_1/']"]


def test_what_cannot_be_is_refused_and_named() -> None:
    actual = lines("""
def unused(tower, x):
    loss, _ = tower_fn(tower, x)
    tf.get_variable("unused", [2])
    return loss

def uneven(tower, x):
    other = tf.get_variable("other", [])
    return tower_fn(tower, x)[0] + (other if tower.number else 0.0)

def own(tower, x):
    return tf.reduce_sum(tf.Variable([1.0, 2.0], name="mine") * x)

for way in (in_session, by_step):
    refused(way, unused)
    refused(way, lambda tower, x: x)
    refused(way, optimizer=real.keras.optimizers.SGD())
refused(by_step, uneven, none_gradients="skip")
refused(by_step, own)
refused(by_step, inputs=())
refused(by_step, strategy=None)
refused(by_step, num_towers=3)
refused(in_session, num_towers=3)
made = train.towers(tower_fn, sgd, strategy, specs)
refused(made.step, batch[:3])
refused(made.step, np.float32(1))
folder = tempfile.mkdtemp()
os.chdir(folder)
more = train.towers(lambda tower, x: tower_fn(tower, x)[0] + tf.get_variable("more", []), sgd, strategy, specs)
refused(lambda: more.restore(made.save("w")))
""")
    unused = (
        "NoGradientError: tower 0 has no gradient for unused: its loss does not depend on it, and there is nothing to "
        'average. Leave it out with var_list=[...], or give none_gradients="skip", as an average_gradients with `if g '
        "is None: continue` did"
    )
    result = (
        "TowerResultError: the tower function returned <tf.Tensor 'split:0' shape=(2, 2) dtype=float32> where its loss "
        "is expected: return the loss of the tower, one number of a floating type, or a tuple that begins with it"
    )
    optimizer = (
        "TowerOptionError: towers(optimizer='SGD'): is an optimizer of tf.compat.v1.train, whose numbers are the "
        "program's, or a function that makes one"
    )
    uneven = (
        "which 2 towers cannot share equally; their losses are means, so all towers need the same number: use a batch "
        "size that is a multiple, or drop what remains (drop_remainder=True)"
    )
    assert actual == [
        *(unused, result, optimizer, unused, result.replace("(2, 2)", "(?, 2)"), optimizer),
        "UnevenGradientsError: only some towers have a gradient for other:0: under a strategy all towers must compute "
        "the same gradients; build the same operations in each tower, whatever tower.number is",
        "OwnVariableError: the tower function makes tower_0/mine with tf.Variable, which gives each tower one of its "
        "own: use tf.get_variable, which the towers share",
        "NoInputsError: this program is eager and its towers are built before the first batch: describe a whole batch, "
        "towers(..., inputs=(tf.TensorSpec([None, 28, 28, 1]), tf.TensorSpec([None], tf.int64)))",
        "NoStrategyError: towers(strategy=None) builds the towers in the default graph, and this program is eager: "
        "give it strategy=tf.distribute.MirroredStrategy(), or call it inside `with tf.Graph().as_default():`",
        "TowerOptionError: towers(num_towers=3): the strategy has 2 replicas, on devices of its own",
        "TowerOptionError: towers(num_towers=3): there are 2 devices",
        f"UnevenBatchError: a batch has 3 examples, {uneven}",
        f"UnevenBatchError: a batch has no first dimension, {uneven}",
        "OtherVariablesError: w: it holds no more, which these towers have: name a checkpoint of the same model and "
        "optimizer, or write one with tf2bridge.checkpoint.convert and a plan of the names",
    ]
