"""TFS005: a loop that builds a tower on each GPU becomes tf2bridge.train.towers."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemods.context import Context
from codemods.rule import Example, Hit, Rule, Safety
from codemods.rules.structure.tower_loop import LeftAloneError, read
from codemods.rules.structure.tower_text import TowerText

_MESSAGE = "tf2bridge.train.towers builds the same towers; with strategy= they are replicas of a tf.distribute strategy"


def find(call: ast.Call, context: Context) -> Iterator[Hit]:
    """Yields hits on the loop around compute_gradients, the list of gradients, their average and apply_gradients."""
    if not isinstance(call.func, ast.Attribute) or call.func.attr != "compute_gradients":
        return
    try:
        tower_loop = read(call, context)
        text = TowerText(tower_loop, context) if tower_loop is not None else None
    except LeftAloneError as error:
        yield Hit(call, f"tf2bridge.train.towers cannot be used here: {error}", Safety.MANUAL, todo=True)
        return
    if tower_loop is None or text is None:
        return
    yield Hit(tower_loop.outer, _MESSAGE, rewrite=text.text, imports=("import tf2bridge",), together=tower_loop.outer)
    yield Hit(tower_loop.empty_list, _MESSAGE, rewrite="", together=tower_loop.outer)
    assigned = tower_loop.applying.targets if isinstance(tower_loop.applying, ast.Assign) else []
    given = "".join(f"{context.source(target)} = " for target in assigned)
    applied = f"{given}{text.result}.train_op" if given else ""
    yield Hit(tower_loop.applying, _MESSAGE, rewrite=applied, together=tower_loop.outer)
    uses = [
        use for use in ast.walk(tower_loop.enclosing) if isinstance(use, ast.Name) and use.id == tower_loop.averaged
    ]
    inside = {
        node
        for part in (tower_loop.empty_list, tower_loop.outer, tower_loop.averaging, tower_loop.applying)
        for node in ast.walk(part)
    }
    averaged = f"{tower_loop.averaged} = {text.result}.gradients" if set(uses) - inside else ""
    yield Hit(tower_loop.averaging, _MESSAGE, rewrite=averaged, together=tower_loop.outer)
    if text.unused is not None:
        yield Hit(text.unused, _MESSAGE, rewrite="", together=tower_loop.outer)


_T = "import tensorflow.compat.v1 as tf\n"
_AVERAGE = """\
def average_gradients(tower_grads):
    average_grads = []
    for grad_and_vars in zip(*tower_grads):
        grads = []
        for g, _ in grad_and_vars:
            grads.append(tf.expand_dims(g, 0))
        grad = tf.concat(axis=0, values=grads)
        grad = tf.reduce_mean(grad, 0)
        average_grads.append((grad, grad_and_vars[0][1]))
    return average_grads
"""
_LOOP = """\
def train(opt, step, n):
    tower_grads = []
    with tf.variable_scope(tf.get_variable_scope()):
        for i in range(n):
            with tf.device('/gpu:%d' % i):
                with tf.name_scope('tower_%d' % i) as scope:
                    loss = tower_loss(scope)
                    tf.get_variable_scope().reuse_variables()
                    grads = opt.compute_gradients(loss)
                    tower_grads.append(grads)
    grads = average_gradients(tower_grads)
    train_op = opt.apply_gradients(grads, global_step=step)
    return train_op, loss
"""
_TOWERS = """\
def train(opt, step, n):
    def build_tower(tower):
        scope = tower.scope
        loss = tower_loss(scope)
        return loss
    towers = tf2bridge.train.towers(
        build_tower,
        opt,
        num_towers=n,
        name='tower',
        global_step=step,
        update_ops=None,
    )
    loss = towers.losses[-1]
    train_op = towers.train_op
    return train_op, loss
"""
_INDENT = " " * 20
_COMPUTE = f"{_INDENT}grads = opt.compute_gradients(loss)\n"
_CLIPPED = _LOOP.replace("append(grads)", "append(clipped(grads))")
_TODO = (
    "# TODO(codemods TFS005): tf2bridge.train.towers cannot be used here: the gradients of each tower are changed "
    'before they are averaged; give towers a clip= function, with clip_when="before", instead\n'
)

rule = Rule(
    code="TFS005",
    name="towers",
    summary="a loop that builds a tower on each GPU -> tf2bridge.train.towers",
    why="The loop of the CIFAR-10 tutorial, with its average_gradients, works under tf.compat.v1. "
    "tf2bridge.train.towers builds the same operations by the same names. The function of a tower can then run under "
    "a tf.distribute.MirroredStrategy, in sessions or in an eager program. A loop that does more gets a TODO.",
    safety=Safety.SAFE,
    on=(ast.Call,),
    find=find,
    examples=(
        Example(f"{_T}{_AVERAGE}{_LOOP}", f"{_T}import tf2bridge\n{_TOWERS}"),
        Example(
            f"{_T}{_AVERAGE}{_CLIPPED}", f"{_T}{_AVERAGE}{_CLIPPED.replace(_COMPUTE, f'{_INDENT}{_TODO}{_COMPUTE}')}"
        ),
        Example(f"{_T}grads = opt.compute_gradients(loss)\nopt.apply_gradients(grads)\n"),
    ),
)
