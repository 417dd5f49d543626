"""`--target native --idiomatic`: optimizers of Keras stand for those of TensorFlow 1."""

from __future__ import annotations

from pathlib import Path

import pytest

from codemods.engine import check_text
from codemods.native.choices import KerasChoice, told
from codemods.native.rewriting import rewrite
from codemods.native.rewritten import Native
from codemods.results import Changed
from codemods.settings import Settings
from tests.codemods.native.test_rewriting import FIXTURES, MODEL, main_module, numbers, run
from tests.codemods.test_cli import codemods

MINIMIZE = "tf.train.GradientDescentOptimizer(0.1).minimize(loss)"


def native(text: str) -> Native:
    """Returns a program of TensorFlow 1 as an idiomatic native one."""
    result = check_text(text, "train.py", Settings())
    assert isinstance(result, Changed)
    return rewrite(result.after.decode(), is_idiomatic=True)


def program(optimizer: str) -> Native:
    """Returns an idiomatic program that trains with an optimizer."""
    model = MODEL.replace("tf.train.GradientDescentOptimizer(0.1)", optimizer)
    return native(
        f"import numpy as np\nimport tensorflow as tf\n{model}sess.run(train_op, {{x: data}})\nprint(sess.run(w))\n"
    )


def of_fixture(name: str) -> Native:
    return native((FIXTURES / "programs" / f"{name}.py").read_text())


@pytest.mark.parametrize(
    ("optimizer", "made"),
    [
        ("tf.train.AdamOptimizer(0.01)", "keras.optimizers.Adam(0.01, epsilon=1e-08)"),
        ("tf.train.AdamOptimizer(beta1=0.5, epsilon=1e-7)", "keras.optimizers.Adam(beta_1=0.5)"),
        ("tf.train.MomentumOptimizer(1, 0.9, False)", "keras.optimizers.SGD(1.0, momentum=0.9)"),
        ("tf.train.MomentumOptimizer(.1, .5, use_nesterov=1)", "keras.optimizers.SGD(.1, momentum=.5, nesterov=1)"),
        ("tf.train.GradientDescentOptimizer(data[0, 0])", "keras.optimizers.SGD(float(data[0, 0]))"),
        ("tf.train.AdagradOptimizer(0.1, 0.2)", "keras.optimizers.Adagrad(0.1, initial_accumulator_value=0.2)"),
        ("tf.train.RMSPropOptimizer(0.1, 0.8)", "keras.optimizers.RMSprop(0.1, rho=0.8, epsilon=1e-10)"),
        ("tf.train.AdadeltaOptimizer(0.1)", "keras.optimizers.Adadelta(0.1, epsilon=1e-08)"),
    ],
)  # fmt: skip
def test_optimizers_have_the_same_numbers(optimizer: str, made: str) -> None:
    text = program(optimizer).text.replace("data = np.ones([3, 2])\n", "")
    assert f"optimizer = {made}\n" in text
    assert "class Optimizer" not in text
    assert "    optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))\n" in text


@pytest.mark.parametrize(
    ("optimizer", "why"),
    [
        ("tf.train.RMSPropOptimizer(0.1, centered=True)", "centered RMSProp is not supported"),
        ("tf.train.AdamOptimizer(**{'learning_rate': 0.1})", "the source does not say what the argument ** is"),
    ],
)
def test_what_keras_lacks_stays_exact(optimizer: str, why: str) -> None:
    made = program(optimizer)
    assert made.choices == (KerasChoice("optimizer", "", why, legacy="train.py:9"),)
    assert "keras" not in made.text and "class Optimizer" in made.text


def test_an_optimizer_with_slots_whose_step_waits_for_an_element_stays_exact() -> None:
    for name in ("epochs", "iterators"):
        made = of_fixture(name)
        assert made.choices[0].why.startswith("the step waits for an element of a dataset")
        assert "class Optimizer" in made.text
    assert "keras.optimizers.SGD(0.2)" in of_fixture("queued").text  # it has no slots


def test_a_slot_that_keras_needs_not_is_not_lost() -> None:
    choice = program("tf.train.RMSPropOptimizer(0.1)").choices[0]
    assert choice.slots == {"RMSProp": "velocity", "RMSProp_1": ""}
    assert "starts anew" not in told(choice)


def test_an_optimizer_of_two_training_ops_stays_exact() -> None:
    made = native(
        f"import numpy as np\nimport tensorflow as tf\n{MODEL.replace(MINIMIZE, 'None')}"
        "opt = tf.train.AdamOptimizer(0.1)\na = opt.minimize(loss)\nb = opt.minimize(loss * 2)\n"
        "sess.run(a, {x: data})\nsess.run(b, {x: data})\n"
    )
    assert made.choices[0].why.startswith("several training ops share it")


def test_momentum_under_a_decay_acts_later_in_keras() -> None:
    made = of_fixture("decay")
    assert "optimizer = keras.optimizers.SGD(0.0, momentum=0.9)\n" in made.text
    assert "    optimizer.learning_rate.assign(rate)\n    optimizer.apply_gradients(" in made.text
    recorded = numbers((FIXTURES / "printed" / "decay.txt").read_text())
    now = numbers(run(made.text))
    assert now[:6] == recorded[:6]  # two printed steps before the first decay
    assert now[6:] != pytest.approx(recorded[6:], rel=1e-2)
    assert "a change of the rate acts later" in made.choices[0].why


DECAYED = """step = tf.Variable(0, trainable=False)
rate = tf.train.exponential_decay(0.1, step, 2, 0.5, staircase=True)
train_op = tf.train.GradientDescentOptimizer(rate).minimize(loss, global_step=step)"""


def decayed(old: str = "", new: str = "") -> str:
    """Returns a program that trains under a decaying rate, idiomatic, with one text in place of another."""
    model = MODEL.replace(f"train_op = {MINIMIZE}", DECAYED)
    steps = "for _ in range(5):\n    sess.run(train_op, {x: data})\nprint(sess.run(w), sess.run(step))\n"
    text = f"import numpy as np\nimport tensorflow as tf\n{model}{steps}"
    assert old in text
    return native(text.replace(old, new) if old else text).text


def test_a_rate_of_the_steps_is_a_schedule_of_the_optimizer() -> None:
    text = decayed()
    schedule = "keras.optimizers.schedules.ExponentialDecay(0.1, 2, 0.5, staircase=True)"
    assert f"optimizer = keras.optimizers.SGD({schedule})\n" in text and "rate = " not in text
    # the gradient is 1: the sum of the rates of five steps, 0.1 + 0.1 + 0.05 + 0.05 + 0.025
    assert numbers(run(text)) == pytest.approx([1 - 0.325, 1 - 0.325, 5])


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("tf.Variable(0, ", "tf.Variable(3, "),
        ("sess.run(train_op, ", "sess.run([train_op, rate], "),
        ("minimize(loss, global_step=step)", "minimize(loss)"),
        ("print(", "sess.run(tf.assign(step, 0))\nprint("),
    ],
)
def test_a_rate_that_others_read_or_count_is_assigned(old: str, new: str) -> None:
    text = decayed(old, new)
    assert "keras.optimizers.SGD(0.0)" in text and "optimizer.learning_rate.assign(rate)" in text


def test_checkpoints_of_tensorflow_1_give_adam_its_slots_and_steps(tmp_path: Path) -> None:
    import tensorflow as tf

    path = str(FIXTURES / "checkpoints" / "saved" / "last")
    with main_module(of_fixture("saved").text) as module:
        module.saver.restore(path)
        slots = {variable.name: variable.numpy() for variable in module.optimizer.variables}
        saved = module.saver.save(str(tmp_path / "new"))
        module.optimizer.iterations.assign(0)
        module.saver.restore(saved)
        assert module.optimizer.iterations.numpy() == 4
    reader = tf.train.load_checkpoint(path)
    assert slots["iteration"] == reader.get_tensor("global_step") == 4
    for old, new in {"w_out/Adam": "w_out_0_momentum", "top/scale/bias/Adam_1": "top_scale_bias_0_velocity"}.items():
        assert slots[new].tolist() == reader.get_tensor(old).tolist()


def test_a_slot_without_a_counterpart_starts_anew_with_a_warning() -> None:
    text = (
        (FIXTURES / "programs" / "saved.py").read_text().replace("AdamOptimizer(0.02)", "MomentumOptimizer(0.02, 0.9)")
    )
    made = native(text)
    with main_module(made.text) as module, pytest.warns(UserWarning, match="they start anew: .*w_out_0_momentum"):
        module.saver.restore(str(FIXTURES / "checkpoints" / "saved" / "last"))
    assert made.choices[0].slots == {"Momentum": ""}


def test_the_command_says_what_is_taken(tmp_path: Path) -> None:
    (tmp_path / "decay.py").write_text((FIXTURES / "programs" / "decay.py").read_text())
    ended = codemods("check", tmp_path, "--target", "native", "--idiomatic", "--fix", "--force")
    assert (
        b"decay.py:25:1: NAT014 optimizer: keras.optimizers.SGD; momentum of Keras has the learning rate"
        in ended.stdout
    )
    assert b"Momentum of old checkpoints has no counterpart and starts anew" in ended.stdout
    assert 'slots = { Momentum = "" }' in (tmp_path / "native.toml").read_text()
    refused = codemods("check", tmp_path, "--idiomatic")
    assert refused.returncode == 2 and b"add --target native" in refused.stderr
