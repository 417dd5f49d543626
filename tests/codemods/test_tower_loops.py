"""Tower loops as public programs write them: train.towers builds the very graph that they built, node for node."""

from __future__ import annotations

import re
import runpy
import textwrap
from pathlib import Path

import pytest

from codemods.engine import Changed, FileResult, check_text
from codemods.settings import Settings

HEAD = """
import tensorflow as tf
NAME = 'tower'
variables = tf.compat.v1.trainable_variables

def model(scope, images):
    with tf.compat.v1.variable_scope('model'):
        w = tf.compat.v1.get_variable('w', [3, 1], initializer=tf.compat.v1.constant_initializer(0.5))
        mean = tf.compat.v1.get_variable('mean', [], trainable=False)
    decay = tf.multiply(tf.nn.l2_loss(w), 0.1)
    tf.compat.v1.add_to_collection('losses', decay)
    tf.compat.v1.add_to_collection('losses', tf.reduce_mean(tf.matmul(images, w)))
    update = tf.compat.v1.assign(mean, tf.reduce_mean(images))
    tf.compat.v1.add_to_collection(tf.compat.v1.GraphKeys.UPDATE_OPS, update)
    total = tf.add_n(tf.compat.v1.get_collection('losses', scope))
    tf.compat.v1.summary.scalar('total', total)
    return total

def placed(device):
    return lambda op: '/cpu:0' if op.type == 'VarHandleOp' else device
"""
AVERAGE = """
def average_gradients(tower_grads):
    average_grads = []
    for grad_and_vars in zip(*tower_grads):
        # Each grad_and_vars is ((grad0_gpu0, var0_gpu0), ... , (grad0_gpuN, var0_gpuN))
        grads = []
        for g, _ in grad_and_vars:
            expanded_g = tf.expand_dims(g, 0)
            grads.append(expanded_g)
        grad = tf.concat(axis=0, values=grads)
        grad = tf.reduce_mean(grad, 0)
        v = grad_and_vars[0][1]
        grad_and_var = (grad, v)
        average_grads.append(grad_and_var)
    return average_grads
"""
STACKED = """
def average_gradients(tower_grads):
    result = []
    for pairs in zip(*tower_grads):
        if pairs[0][0] is None:
            continue
        grads = tf.stack([g for g, _ in pairs])
        result.append((tf.reduce_mean(grads, 0), pairs[0][1]))
    return result
"""
BEFORE = """
images = tf.compat.v1.placeholder(tf.float32, [6, 3])
step = tf.compat.v1.train.get_or_create_global_step()
opt = tf.compat.v1.train.MomentumOptimizer(0.1, 0.9)
parts = tf.split(images, 3)
"""

CIFAR = """
def train():
    summaries = tf.compat.v1.get_collection(tf.compat.v1.GraphKeys.SUMMARIES)
    tower_grads = []
    with tf.compat.v1.variable_scope(tf.compat.v1.get_variable_scope()):
        for i in range(3):
            # One tower on each GPU.
            with tf.device('/gpu:%d' % i):
                with tf.name_scope('%s_%d' % (NAME, i)) as scope:
                    # Its part of the batch.
                    loss = model(scope, parts[i])

                    # Reuse variables for the next tower.
                    tf.compat.v1.get_variable_scope().reuse_variables()
                    # Retain the summaries and updates from the final tower.
                    summaries = tf.compat.v1.get_collection(tf.compat.v1.GraphKeys.SUMMARIES, scope)
                    updates = tf.compat.v1.get_collection(tf.compat.v1.GraphKeys.UPDATE_OPS, scope)
                    # Calculate the gradients of this tower.
                    grads = opt.compute_gradients(loss)
                    # Keep track of the gradients across all towers.
                    tower_grads.append(grads)
    grads = average_gradients(tower_grads)
    summaries.append(tf.compat.v1.summary.scalar('rate', 0.1))
    for grad, var in grads:
        if grad is not None:
            summaries.append(tf.compat.v1.summary.histogram(var.op.name + '/gradients', grad))
    apply_gradient_op = opt.apply_gradients(grads, global_step=step)
    for var in tf.compat.v1.trainable_variables():
        summaries.append(tf.compat.v1.summary.histogram(var.op.name, var))
    averages = tf.compat.v1.train.ExponentialMovingAverage(0.99, step)
    train_op = tf.group(apply_gradient_op, averages.apply(tf.compat.v1.trainable_variables()), tf.group(*updates))
    return train_op, loss, tf.compat.v1.summary.merge(summaries)
"""
BARE = """
def train():
    tower_grads = []
    losses = []
    for i in range(len(parts)):
        with tf.device('/gpu:{}'.format(i)), tf.name_scope('tower_{}'.format(i)) as scope:
            with tf.compat.v1.variable_scope(tf.compat.v1.get_variable_scope(), reuse=(i > 0)):
                losses.append(model(scope, parts[i]))
            tower_grads.append(opt.compute_gradients(losses[-1]))
    averaged = average_gradients(tower_grads)
    opt.apply_gradients(averaged, step)
    return tf.reduce_mean(losses)
"""
PLACED = """
opt = tf.compat.v1.train.GradientDescentOptimizer(0.1)  # reuse goes on after the loop, where slots could not be made

def train():
    tower_grads = []
    for number in range(3):
        with tf.name_scope(f'gpu_{number}') as scope:
            with tf.compat.v1.device(placed('/gpu:%d' % number)):
                loss = model(scope, parts[number])
                tf.compat.v1.get_variable_scope().reuse_variables()
                grads = opt.compute_gradients(loss, variables(), colocate_gradients_with_ops=True)
                tower_grads.append(grads)
    tower_grads = average_gradients(tower_grads)
    train_op = opt.apply_gradients(tower_grads)
    return model('', images)
"""


def checked(program: str) -> FileResult:
    return check_text(program, "train.py", Settings(select=("TFS",)))


def nodes(text: str, folder: Path) -> dict[str, str]:
    """The nodes that a program makes, by their names; functions of `cond` are numbered on through a process."""
    tensorflow = pytest.importorskip("tensorflow")
    (folder / "train.py").write_text(text)
    with tensorflow.Graph().as_default() as graph:
        runpy.run_path(str(folder / "train.py"))
    return {node.name: re.sub(r'"(cond_\w+)_\d+"', r"\1", str(node)) for node in graph.as_graph_def().node}


@pytest.mark.parametrize(
    ("average", "loop", "written"),
    [
        (
            AVERAGE,
            CIFAR,
            ["num_towers=3,", "name=NAME,", "summaries, updates = towers.outputs[-1]", "towers.losses[-1]"],
        ),
        (AVERAGE, BARE, ["num_towers=len(parts),", "global_step=step,", "name='tower',"]),
        (
            STACKED,
            PLACED,
            [
                "devices=[placed('/gpu:%d' % number) for number in range(3)],",
                "average=average_gradients,",
                "var_list=lambda: variables(),",
                "tf.compat.v1.get_variable_scope().reuse_variables()\n    train_op",
            ],
        ),
    ],
    ids=["cifar10", "no-wrapper", "devices-of-functions"],
)
def test_the_graph_stays_as_it_was(average: str, loop: str, written: list[str], tmp_path: Path) -> None:
    program = f"{HEAD}{average}{BEFORE}{loop}\nresult = train()\n"
    result = checked(program)
    assert isinstance(result, Changed)
    text = result.after.decode()
    assert [item for item in written if item not in text] == [], text
    assert ("def average_gradients" in text) == (average is STACKED)
    assert not [line for line in text.splitlines() if line != line.rstrip()]
    assert nodes(text, tmp_path) == nodes(program, tmp_path)


def test_comments_of_a_tower_stay_with_it() -> None:
    result = checked(f"{HEAD}{AVERAGE}{BEFORE}{CIFAR}")
    assert isinstance(result, Changed)
    tower = result.after.decode().partition("    def build_tower(tower):\n")[2].partition("    towers =")[0]
    assert textwrap.dedent(tower) == textwrap.dedent("""\
        # One tower on each GPU.
        i, scope = tower.number, tower.scope
        # Its part of the batch.
        loss = model(scope, parts[i])

        # Retain the summaries and updates from the final tower.
        summaries = tf.compat.v1.get_collection(tf.compat.v1.GraphKeys.SUMMARIES, scope)
        updates = tf.compat.v1.get_collection(tf.compat.v1.GraphKeys.UPDATE_OPS, scope)
        return loss, summaries, updates
    """)


APPLY = "    apply_gradient_op = opt.apply_gradients(grads, global_step=step)\n"
KEEP = "                    tower_grads.append(grads)\n"
LOSS = "                    loss = model(scope, parts[i])\n"


@pytest.mark.parametrize(
    ("was", "is_now", "why"),
    [
        (KEEP, KEEP.replace("grads)", "clip(grads))"), "changed before they are averaged"),
        (KEEP, f"{KEEP}                    tf.identity(loss)\n", "tf.identity(loss) comes after compute_gradients"),
        (KEEP, f"{KEEP}                    break\n", "cannot move into a function: break"),
        (APPLY, f"    grads = clip(grads)\n{APPLY}", "clip(grads) is between the loop and apply_gradients"),
        (APPLY, f"    grads = grads[1:]\n{APPLY}", "changed before they are applied"),
        (APPLY, f"    with tf.control_dependencies(updates):\n    {APPLY}", "is in another block"),
        (
            APPLY,
            APPLY.replace("step)", "made)").replace("    app", "    made = step\n    app"),
            "bound in the loop or after",
        ),
        (APPLY, APPLY.replace("step)", "step, name='x')"), "called with a name"),
        (LOSS, f"{LOSS}                    total = total + loss\n", "total is carried from one tower to the next"),
        (LOSS, f"                    if i == 0:\n    {LOSS}", "loss is read after the loop, and not every tower"),
        (LOSS, f"{LOSS}                    text = '''\n'''\n", "a string of several lines"),
        ("'%s_%d' % (NAME, i)", "'tower%d' % i", "is not NAME_NUMBER"),
        (
            "with tf.name_scope('%s_%d' % (NAME, i)) as scope:",
            "if True:",
            "a device and a name scope around it, and nothing else",
        ),
        ("                    tf.compat.v1.get_variable_scope().reuse_variables()\n", "", "reuse the variables"),
        (
            "    grads = average_gradients(tower_grads)",
            "    grads = [tower_grads]",
            "no statement after the loop averages",
        ),
        (
            "compute_gradients(loss)",
            "compute_gradients(loss, gate_gradients=0)",
            "arguments that train.towers does not take",
        ),
        ("    return train_op, loss,", "    return train_op, i,", "i is read after the loop"),
    ],
)
def test_a_loop_that_does_more_is_left_with_the_reason(was: str, is_now: str, why: str) -> None:
    program = f"{HEAD}{AVERAGE}{BEFORE}{CIFAR}"
    assert program.count(was) == 1
    result = checked(program.replace(was, is_now))
    assert [finding.message for finding in result.findings if why in finding.message], [
        finding.message for finding in result.findings
    ]
    assert len(result.findings) == 1


def test_the_rewrite_waits_for_others_inside_the_loop() -> None:
    """Its parts are made together: names inside the tower are rewritten in the same run, and the loop after them."""
    program = f"{HEAD}{AVERAGE}{BEFORE}{CIFAR}".replace("tf.compat.v1.get_collection", "tf.get_collection")
    result = check_text(program, "train.py", Settings(select=("TFS", "TFN")))
    assert isinstance(result, Changed)
    text = result.after.decode()
    assert "tower_grads = []" not in text and "train.towers(" in text
    assert "summaries = tf.compat.v1.get_collection(" in text
