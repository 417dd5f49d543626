"""Estimators with a model_fn of their own: what becomes of them, and what is refused with its line."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from codemods.native.estimators.arrays import ArrayTypes
from codemods.native.estimators.native import native_of_estimator
from codemods.native.estimators.rewriting import with_sessions
from codemods.native.refusals import NotNativeError
from codemods.native.rewritten import Native
from codemods.scopes import resolve
from tests.codemods.native.test_rewriting import run

PROGRAM = """\
import numpy as np
import tensorflow as tf

data = np.arange(12, dtype=np.float32).reshape(6, 2)
target = data.sum(axis=1).astype(np.float32)


def model_fn(features, labels, mode):
    w = tf.get_variable('w', [2, 1], initializer=tf.constant_initializer(0.5))
    y = tf.squeeze(tf.matmul(features, w), 1)
    if mode == tf.estimator.ModeKeys.PREDICT:
        return tf.estimator.EstimatorSpec(mode, predictions=y)
    loss = tf.reduce_mean(tf.square(y - labels))
    train_op = tf.train.GradientDescentOptimizer(0.001).minimize(loss, tf.train.get_global_step())
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)


model = tf.estimator.Estimator(model_fn)
inputs = tf.estimator.inputs.numpy_input_fn(data, target, batch_size=4, num_epochs=2, shuffle=False)
model.train(inputs)
print(model.evaluate(inputs, steps=1)['global_step'])
print(len(list(model.predict(inputs))))
"""


def native(text: str) -> Native:
    """Returns what a program with an Estimator becomes."""
    plain = with_sessions(text)
    assert plain is not None
    return native_of_estimator(plain, "train", int, lambda _: "train.py", None, False, frozenset())


def test_steps_go_on_over_the_end_of_an_epoch() -> None:
    """Two epochs of 6 rows are 3 batches of 4 rows (`feeding_functions.py` of 1.15.5)."""
    assert run(native(PROGRAM).text) == "3\n12\n"


def test_each_call_of_the_estimator_has_a_row_that_feeds_nothing() -> None:
    made = native(PROGRAM + "model.train(inputs)\nrows = model.predict(inputs)\nfor row in rows:\n    print(row)\n")
    places = [(row.legacy, row.function) for row in made.calls]
    assert places == [
        ("train.py:20", "train:train_op"),
        ("train.py:23", "train:train_op"),
        ("train.py:21", "train:mean_loss"),
        ("train.py:22", "train:y_step"),
        ("train.py:24", "train:y_step"),
        ("train.py:25", "train:y_step"),
    ]
    assert {feed for row in made.calls for feed in row.feeds} == {""}


def test_training_goes_on_where_a_checkpoint_is(tmp_path: Path) -> None:
    text = native(PROGRAM.replace("Estimator(model_fn)", f"Estimator(model_fn, model_dir={str(tmp_path)!r})")).text
    assert [run(text), run(text)] == ["3\n12\n", "6\n12\n"]


INPUT = """\
def inputs():
    dataset = tf.data.Dataset.from_tensor_slices((data, target)).repeat(2).batch(4)
    {}
"""
ITERATED = "iterator = dataset.make_one_shot_iterator()\n    rows, sums = iterator.get_next()\n    return rows, sums"


def with_function(end: str) -> str:
    """Returns the program with a function of this end that gives its dataset."""
    made = PROGRAM[PROGRAM.index("inputs = ") : PROGRAM.index("model.train")]
    return PROGRAM.replace(made, "").replace("def model_fn", INPUT.format(end) + "\n\ndef model_fn")


@pytest.mark.parametrize("end", ["return dataset", "return dataset.make_one_shot_iterator().get_next()", ITERATED])
def test_an_input_function_gives_a_dataset(end: str) -> None:
    made = native(with_function(end)).text
    assert run(made) == "3\n12\n"
    assert "return dataset\n" in made and "iterator" not in made


def test_an_input_function_may_have_arguments() -> None:
    text = with_function("return dataset").replace("inputs():", "inputs(rows, sums, size):")
    text = text.replace("((data, target))", "((rows, sums))").replace("batch(4)", "batch(size)")
    text = text.replace("(inputs", "(lambda: inputs(data, target, size=4)")
    assert run(native(text).text) == "3\n12\n"


@pytest.mark.parametrize("end", ["return dataset.map(change)", "for _ in range(3):\n        pass\n    return dataset"])
def test_an_input_function_that_is_not_known_is_refused(end: str) -> None:
    with pytest.raises(NotNativeError, match="this input function is not known"):
        native(with_function(end))


def test_a_loop_over_one_of_the_params_makes_a_layer_in_each_turn() -> None:
    text = PROGRAM.replace("labels, mode)", "labels, mode, params)")
    text = text.replace("(model_fn)", "(model_fn, params={'units': [3, 5]})")
    loop = "    net = features\n    for units in params['units']:\n        net = tf.layers.dense(net, units)\n"
    text = (
        text.replace("    w = tf", loop + "    w = tf")
        .replace("[2, 1]", "[5, 1]")
        .replace("matmul(features", "matmul(net")
    )
    made = native(text).text
    assert "Dense(3)" in made and "Dense(5, name='dense1')" in made
    assert run(made) == "3\n12\n"


def test_rows_in_an_order_of_chance_are_not_proven() -> None:
    assert not native(PROGRAM).unproven
    assert [line for line, _ in native(PROGRAM.replace("shuffle=False", "shuffle=True")).unproven] == [20, 21, 22]


BOTH = """\
train_spec = tf.estimator.TrainSpec(inputs, max_steps=2)
tf.estimator.train_and_evaluate(model, train_spec, tf.estimator.EvalSpec(input_fn=inputs, throttle_secs=60))
"""


def test_train_and_evaluate_is_a_call_of_each() -> None:
    made = native(PROGRAM.replace("model.train(inputs)\n", BOTH))
    assert run(made.text) == "2\n12\n"
    assert "train(input_fn=inputs, max_steps=2)\nevaluate(input_fn=inputs, steps=100)\n" in made.text
    assert [row.legacy for row in made.calls[:3]] == ["train.py:21", "train.py:21", "train.py:22"]


def test_hooks_that_only_log_are_left_out_with_a_note() -> None:
    hook = "hook = tf.train.LoggingTensorHook({'loss': 'Mean'}, every_n_iter=5)\n"
    made = native(PROGRAM.replace("model.train(inputs)", f"{hook}model.train(inputs, hooks=[hook])"))
    assert [line for line, _ in made.shown] == [20]
    assert run(made.text) == "3\n12\n"


def test_settings_of_the_log_and_of_summaries_are_left_out() -> None:
    config = "tf.estimator.RunConfig(tf_random_seed=3, save_summary_steps=5, log_step_count_steps=5)"
    text = PROGRAM.replace("model = ", f"config = {config}\nmodel = ").replace(
        "(model_fn)", "(model_fn, config=config)"
    )
    assert run(native(text).text) == "3\n12\n"
    with pytest.raises(NotNativeError, match="save_checkpoints_steps of a RunConfig"):
        native(text.replace("save_summary_steps", "save_checkpoints_steps"))


def test_the_function_that_makes_it_may_be_main() -> None:
    head, rest = PROGRAM.split("model = ")
    body = "".join(f"    {line}\n" for line in f"model = {rest}".splitlines())
    assert run(native(f"{head}def main():\n{body}\n\nmain()\n").text) == "3\n12\n"


def test_arrays_may_be_bound_after_it() -> None:
    arrays = PROGRAM[PROGRAM.index("data = ") : PROGRAM.index("\n\n\ndef")]
    text = PROGRAM.replace(arrays, "").replace("inputs = ", f"{arrays}\ninputs = ")
    assert run(native(text).text) == "3\n12\n"


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ("loss, tf.train.get_global_step()", "loss", 8, "does not count the global step"),
        ("    loss = tf", "    print('loss')\n    loss = tf", 13, "prints for each graph"),
        ("    loss = tf", "    tf.summary.scalar('w', y)\n    loss = tf", 13, "summaries that an Estimator writes"),
        ("    loss = tf", "    b = tf.Variable(1.0)\n    loss = b + tf", 13, "variables for the mode"),
        ("astype(np.float32)", "copy()", 19, "does not say the type"),
        ("(mode, loss", "(mode, scaffold=tf.train.Scaffold(), loss", 15, "scaffold of an EstimatorSpec"),
        ("Estimator(model_fn)", "Estimator(model_fn, config=tf.estimator.RunConfig(protocol=1))", 18, "no counterpart"),
        (", shuffle=False", "", 19, "in which order"),
        ("model.train(inputs)", "model.train(inputs, hooks=[1])", 20, "the hook 1 has"),
        ("model.train(inputs)", "model.export_savedmodel('f', inputs)", 20, "export_savedmodel has no"),
        ("model.train(inputs)", "model.train(lambda: (data, target))", 20, "no numpy_input_fn"),
        ("    y = tf.sq", "    y = tf.constant(mode)\n    y = tf.sq", 10, "the mode is a value here"),
        ("if mode == tf.estimator.ModeKeys.PREDICT", "if labels is None", 11, "inside this block"),
    ],
)
def test_what_is_not_certain_is_refused_at_its_line(old: str, new: str, line: int, words: str) -> None:
    text = PROGRAM.replace(old, new)
    assert text != PROGRAM
    with pytest.raises(NotNativeError) as raised:
        native(text)
    assert words in raised.value.message
    assert raised.value.node.lineno == line  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("value", "of"),
    [
        ("np.array([1.0, 2])", "float64"),
        ("np.array([[1, 2], [3, -4]])", "int64"),
        ("np.array([1, 2], np.float32)[:1]", "float32"),
        ("np.zeros([3], dtype='int32')", "int32"),
        ("np.array(other)", None),
        ("np.full([3], 1)", None),
        ("np.arange(0, 1, 0.1)", None),
        ("np.random.rand(3).astype(np.float32)", "float32"),
        ("np.random.RandomState(1)", None),
        ("other.astype(kind)", None),
    ],
)
def test_the_type_of_an_array_is_what_the_source_says(value: str, of: str | None) -> None:
    tree = ast.parse(f"import numpy as np\nrows = {value}\nrows\n")
    name = tree.body[-1]
    assert isinstance(name, ast.Expr)
    assert ArrayTypes(resolve(tree), tree).of(name.value) == of
