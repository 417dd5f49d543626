"""Towers stand one after another; `fixtures/sessions/programs/towers.py` is recorded and proven."""

from __future__ import annotations

import ast

import pytest

from codemods.native.refusals import NotNativeError
from codemods.native.towers import with_towers_apart
from tests.codemods.native.test_rewriting import FIXTURES, native

TOWERS = (FIXTURES / "programs" / "towers.py").read_text("utf-8")
LOOP = "    for i in range(NUM_GPUS):\n"


def test_each_turn_has_names_of_its_own_and_the_last_one_those_of_the_author() -> None:
    made = with_towers_apart(TOWERS)
    assert made is not None
    bound = {node.id for node in ast.walk(ast.parse(made[0])) if isinstance(node, ast.Name)}
    assert {"loss_0", "loss", "grads_0", "grads", "first_loss"} <= bound
    assert not {"loss_1", "first_loss_0", "assign_to_device"} & bound
    assert made[0].count("first_loss = ") == 1 and "first_loss = loss_0\n" in made[0]


def test_lines_stand_for_those_of_the_loop() -> None:
    made = with_towers_apart(TOWERS)
    assert made is not None
    text, origins = made
    old = TOWERS.splitlines()
    for number, line in enumerate(text.splitlines()):
        if "compute_gradients" in line:
            assert "compute_gradients" in old[origins[number] - 1]
    assert len(origins) >= len(text.splitlines())


def test_a_loop_variable_has_its_last_value_behind_the_loop() -> None:
    made = with_towers_apart(TOWERS + "print(i, [i for i in range(3)])\n")
    assert made is not None and "\ni = 1\n" in made[0]
    again = with_towers_apart(TOWERS + "print([i for i in range(3)])\n")
    assert again is not None and "\ni = 1\n" not in again[0]


def test_a_flag_that_turns_on_reuse_is_known_in_each_turn() -> None:
    text = TOWERS.replace(LOOP, "    reuse = False\n" + LOOP)
    text = text.replace("                tf.get_variable_scope().reuse_variables()\n", "                reuse = True\n")
    text = text.replace("with tf.name_scope('tower_%d' % i) as scope:", "with tf.variable_scope('net', reuse=reuse):")
    made = with_towers_apart(text)
    assert made is not None and "('net', reuse=False)" in made[0] and "('net', reuse=True)" in made[0]
    assert native(text).text == native(text.replace("reuse=reuse", "reuse=tf.AUTO_REUSE")).text


def test_one_optimizer_stands_for_those_of_all_towers() -> None:
    text = TOWERS.replace("opt = tf.train.MomentumOptimizer(learning_rate, 0.9)\n", "")
    text = text.replace(LOOP, LOOP + "        opt = tf.train.MomentumOptimizer(learning_rate, 0.9)\n")
    assert native(text).text.count("opt = Momentum(None, 0.9)") == 1


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("range(NUM_GPUS)", "range(len(data))", "how many towers there are"),
        ("NUM_GPUS = 2", "NUM_GPUS = 9", "at most 8"),
        ("if i == 0:", "if data[i, 0] > 0:", "what this tower does"),
        ("                if i == 0:\n", "                if i == 0:\n                    break\n", "written out"),
        ("as scope:", "as scope:\n                gone = lambda: i", "written out"),
        ("tower_losses.append(loss)", "tower_losses += [loss]", "written out"),
        (
            "tf.name_scope('tower_%d' % i) as scope:",
            "tf.variable_scope(tf.get_variable_scope(), reuse=i > 0 and data):",
            "uses again",
        ),
    ],
)
def test_towers_that_are_not_certain_are_refused(old: str, new: str, why: str) -> None:
    assert old in TOWERS
    with pytest.raises(NotNativeError, match=why):
        native(TOWERS.replace(old, new))
