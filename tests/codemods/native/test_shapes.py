"""Shapes of programs with sessions that became native later; each is one that public programs have."""

from __future__ import annotations

import inspect
from pathlib import Path

import pytest

from codemods.native.programs import check_native
from codemods.native.refusals import NotNativeError
from codemods.settings import Settings
from tests.codemods.native.test_rewriting import FIXTURES, HEAD, MODEL, native, numbers, run


def test_the_cells_of_a_multi_layer_cell_may_have_names() -> None:
    text = HEAD + inspect.cleandoc("""
        x = tf.placeholder(tf.float32, [2, 3, 4])
        below = tf.nn.rnn_cell.GRUCell(5)
        above = tf.nn.rnn_cell.GRUCell(2)
        cells = tf.nn.rnn_cell.MultiRNNCell([below, above])
        outputs, _ = tf.nn.dynamic_rnn(cells, x, dtype=tf.float32)
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            print(sess.run(outputs, {x: np.ones([2, 3, 4])}).shape)
    """)
    assert run(native(text).text) == "(2, 3, 2)\n"


def test_a_session_is_no_parameter_under_another_name_either() -> None:
    text = HEAD + MODEL + "def show(session, rows):\n    print(session.run(y, {x: rows}))\nshow(sess, data)\n"
    assert "def show(rows):\n" in native(text).text


NORMALIZED = """
x = tf.placeholder(tf.float32, [None, 2])
w = tf.Variable(tf.ones([2, 3]))
y = tf.layers.batch_normalization(tf.matmul(x, w), momentum=0.5, training=True, name='bn')
loss = tf.reduce_sum(tf.square(y - 2.0))
"""
LOOP = """
sess = tf.Session()
sess.run(tf.global_variables_initializer())
for step in range(2):
    sess.run(train_op, {x: np.array([[1.0, 2.0], [4.0, 3.0]]) + step})
print(sess.run(average))
"""
STEP = "train_op = tf.train.GradientDescentOptimizer(0.0).minimize(loss)\n"
AVERAGE = "average = tf.layers.batch_normalization(tf.zeros([1, 3]), momentum=0.5, name='bn', reuse=True)\n"


def test_a_step_that_does_not_wait_for_the_updates_leaves_the_averages() -> None:
    waiting = "with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):\n    " + STEP
    means = []
    for way in (STEP, waiting):
        text = native(HEAD + NORMALIZED + way + AVERAGE + LOOP).text
        assert ("for update in updates" in text) is (way is waiting)
        means.append(run(text))
    # what genuine 1.15.5 printed
    assert numbers(means[0]) == [0.0, 0.0, 0.0]
    assert numbers(means[1]) == pytest.approx([-2.6344209] * 3, rel=2e-6)


def test_what_waits_for_updates_is_a_step() -> None:
    waiting = (
        "with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):\n    train_op = tf.identity(loss)\n"
    )
    with pytest.raises(NotNativeError, match="let only the step wait"):
        native(HEAD + NORMALIZED + waiting + LOOP.replace("print(sess.run(average))\n", ""))


def test_updates_that_were_collected_before_a_normalization_are_refused() -> None:
    early = "update_ops = tf.get_collection(tf.GraphKeys.UPDATE_OPS)\n"
    step = "with tf.control_dependencies(update_ops):\n    " + STEP
    text = HEAD + early + NORMALIZED + step + LOOP.replace("print(sess.run(average))\n", "")
    with pytest.raises(NotNativeError, match="after the updates were collected"):
        native(text)


def test_a_wrapper_drops_other_values_at_each_call() -> None:
    text = HEAD + inspect.cleandoc("""
        x = tf.placeholder(tf.float32, [8, 3, 4])
        keep_prob = tf.placeholder(tf.float32)
        cell = tf.nn.rnn_cell.GRUCell(5)
        dropped = tf.nn.rnn_cell.DropoutWrapper(cell, output_keep_prob=keep_prob)
        outputs, _ = tf.nn.dynamic_rnn(dropped, x, dtype=tf.float32)
        zeros = tf.reduce_sum(tf.to_int32(tf.equal(outputs, 0.0)))
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            counts = [sess.run(zeros, {x: np.ones([8, 3, 4]), keep_prob: keep}) for keep in (1.0, 0.5, 0.5, 0.5)]
            print(counts[0], min(counts[1:]) > 20, len(set(counts)) > 1)
    """)
    assert run(native(text).text) == "0 True True\n"


def test_an_alias_of_slim_vanishes_with_its_calls() -> None:
    text = HEAD + inspect.cleandoc("""
        slim = tf.contrib.slim
        x = tf.placeholder(tf.float32, [None, 3])
        y = slim.fully_connected(x, 2, weights_initializer=tf.ones_initializer())
        sess = tf.Session()
        sess.run(tf.global_variables_initializer())
        print(sess.run(y, {x: [[1.0, 2.0, 3.0]]}))
    """)
    made = native(text)
    assert "slim" not in made.text
    assert [(row.legacy, row.path) for row in made.variables] == [
        ("fully_connected/weights", "fully_connected/kernel"),
        ("fully_connected/biases", "fully_connected/bias"),
    ]
    assert run(made.text) == "[[6. 6.]]\n"


@pytest.mark.parametrize(
    ("option", "more"),
    [
        ("normalizer_fn=tf.contrib.layers.layer_norm", ""),
        ("weights_regularizer=penalty", "a = tf.add_n(tf.get_collection(tf.GraphKeys.REGULARIZATION_LOSSES))\n"),
    ],
)
def test_options_of_contrib_layers_without_a_counterpart_are_refused(option: str, more: str) -> None:
    text = HEAD + MODEL + f"z = tf.contrib.layers.fully_connected(y, 2, {option})\n{more}sess.run(z, {{x: data}})\n"
    with pytest.raises(NotNativeError, match="has no counterpart"):
        native(text)


def test_regularizers_that_nothing_reads_go() -> None:
    lines = "z = tf.contrib.layers.fully_connected(y, 2, weights_regularizer=penalty)\n"
    made = native(
        HEAD + MODEL + "penalty = tf.contrib.layers.l2_regularizer(0.1)\n" + lines + "sess.run(z, {x: data})\n"
    )
    assert "regularizer=" not in made.text


WAITING = """
x = tf.placeholder(tf.float32, [None, 2])
w = tf.Variable(tf.ones([2, 1]))
count = tf.Variable(0.0, trainable=False)
loss = tf.reduce_mean(tf.matmul(x, w))
step = tf.train.GradientDescentOptimizer(0.1).minimize(loss, var_list=[w])
"""
RUNS = """
sess = tf.Session()
sess.run(tf.global_variables_initializer())
for _ in range(3):
    sess.run(train_op, {x: np.ones([3, 2])})
print(sess.run(w), sess.run(count))
"""


def test_an_op_that_only_waits_runs_the_step() -> None:
    waiting = "with tf.control_dependencies([step]):\n    train_op = tf.no_op(name='train')\n"
    # what genuine 1.15.5 printed
    assert numbers(run(native(HEAD + WAITING + waiting + RUNS).text)) == pytest.approx([0.7, 0.7, 0.0], rel=2e-6)


def test_an_assignment_waits_for_the_step() -> None:
    waiting = "with tf.control_dependencies([step]):\n    train_op = tf.assign_add(count, 1.0)\n"
    # what genuine 1.15.5 printed
    assert numbers(run(native(HEAD + WAITING + waiting + RUNS).text)) == pytest.approx([0.7, 0.7, 3.0], rel=2e-6)


@pytest.mark.parametrize(
    "waited", ["[step, tf.assign_add(count, 1.0)]", "[step] + tf.get_collection(tf.GraphKeys.UPDATE_OPS)"]
)
def test_ops_without_a_name_are_not_waited_for(waited: str) -> None:
    waiting = f"with tf.control_dependencies({waited}):\n    train_op = tf.no_op()\n"
    with pytest.raises(NotNativeError):
        native(HEAD + WAITING + waiting + RUNS)


def test_two_files_may_import_parts_of_one_package(tmp_path: Path) -> None:
    model = "import os.path\nimport tensorflow as tf\n\n\ndef double(x):\n    return x * len(os.path.sep)\n"
    train = "import os\nimport tensorflow as tf\nimport model\nx = tf.placeholder(tf.float32, [None])\n"
    train += "y = model.double(x)\nsess = tf.Session()\nprint(os.sep, sess.run(y, {x: [1.0]}))\n"
    (tmp_path / "model.py").write_text(model, "utf-8")
    (tmp_path / "train.py").write_text(train, "utf-8")
    made = {Path(result.path).name: result for result in check_native(tmp_path, Settings()).results}
    assert "NAT000" in [finding.code for finding in getattr(made["train.py"], "findings", ())]


def test_prints_of_tensors_are_comments_and_are_said() -> None:
    shown = "k = tf.constant(2.)\nprint(k)\nif True:\n    print('y is', y,\n          loss.shape)\n"
    made = native(HEAD + MODEL.replace("sess = ", shown + "sess = ") + "print(sess.run(loss, {x: data}))\n")
    assert "\n# print(k)\n" in made.text
    assert "\n    pass  # print('y is', y,\n          # loss.shape)\n" in made.text
    (first, _), (second, why) = made.shown
    assert second == first + 2 and "is a comment now" in why
    assert len(run(made.text).split()) == 1


def test_sessions_are_called_in_f_strings() -> None:
    line = "print(f'{data.shape[0]:3} {{x}} {sess.run(loss, {x: data}):.2f} {w.eval()[0, 0]!r:>8}')\n"
    made = native(HEAD + MODEL + line)
    assert "'{:3} {{x}} {:.2f} {!r:>8}'.format(data.shape[0], loss(data).numpy(), w.numpy()[0, 0])" in made.text


ACCURACY = "acc = tf.metrics.accuracy(tf.ones([3]), tf.round(y))[1]\n"


@pytest.mark.parametrize(
    "made",
    [
        ACCURACY.replace("[1]", "[0]"),  # the value without an update
        ACCURACY.replace("acc =", "value, acc =").replace("[1]", "") + "print(sess.run(value))\n",
        ACCURACY.replace("tf.round(y))", "tf.round(y), weights=y)"),
    ],
)
def test_accuracies_that_are_used_otherwise_are_refused(made: str) -> None:
    with pytest.raises(NotNativeError, match=r"tf\.metrics\.accuracy has no counterpart"):
        native(HEAD + MODEL.replace("sess = ", made + "sess = ") + "sess.run(acc, {x: data})\n")


def test_an_accuracy_is_updated_where_it_is_fetched() -> None:
    line = "sess.run(tf.local_variables_initializer())\nsess.run([acc, loss], {x: data})\nsess.run(loss, {x: data})\n"
    made = native(HEAD + MODEL.replace("sess = ", ACCURACY + "sess = ") + line)
    assert made.text.count("acc = acc_so_far(") == 1


@pytest.mark.parametrize("again", ["sess.run(LOCAL)\n", "def reset():\n    sess.run(LOCAL)\nreset()\n"])
def test_counts_that_are_set_back_are_refused(again: str) -> None:
    first = "sess.run(LOCAL)\n" if "def" not in again else ""
    lines = f"{first}sess.run(acc, {{x: data}})\n{again}sess.run(acc, {{x: data}})\n"
    with pytest.raises(NotNativeError, match="sets the counts of"):
        native(
            HEAD
            + MODEL.replace("sess = ", ACCURACY + "sess = ")
            + lines.replace("LOCAL", "tf.local_variables_initializer()")
        )


def test_a_sequence_loss_with_options_is_refused() -> None:
    made = "z = tf.contrib.seq2seq.sequence_loss(y[None], tf.zeros([1, 3], tf.int32), tf.ones([1, 3]), False)\n"
    with pytest.raises(NotNativeError, match="sequence_loss with these options"):
        native(HEAD + MODEL.replace("sess = ", made + "sess = ") + "sess.run(z, {x: data})\n")


def test_the_graph_of_a_writer_vanishes(tmp_path: Path) -> None:
    lines = f"writer = tf.summary.FileWriter({str(tmp_path)!r})\nwriter.add_graph(sess.graph)\n"
    summary = "tf.summary.scalar('loss', loss)\nmerged = tf.summary.merge_all()\n"
    shown = "writer.add_summary(sess.run(merged, {x: data}), 1)\n"
    text = native(HEAD + MODEL.replace("sess = ", summary + "sess = ") + lines + shown).text
    assert "add_graph" not in text
    run(text)
    assert [path.name.startswith("events") for path in tmp_path.iterdir()] == [True]


def test_a_saver_of_all_variables_by_name_is_one_of_all() -> None:
    made = "saver = tf.train.Saver(tf.global_variables())\n"
    text = (
        HEAD + MODEL.replace("sess = ", made + "sess = ") + "sess.run(train_op, {x: data})\nsaver.save(sess, 'model')\n"
    )
    assert text.count("global_variables()") == 1
    assert native(text).text == native(text.replace("tf.global_variables()", "")).text


def test_a_function_of_the_program_keeps_its_name() -> None:
    made = "l2_regularizer = tf.contrib.layers.l2_regularizer(0.5)\nz = loss + l2_regularizer(w)\n"
    text = native(HEAD + MODEL.replace("sess = ", made + "sess = ") + "sess.run(z, {x: data})\n").text
    assert "def l2_regularizer_of(scale):" in text and "= l2_regularizer_of(0.5)" in text


def test_a_name_that_the_native_program_gets_is_refused() -> None:
    text = HEAD + "def add_summary(x):\n    return x\n" + MODEL
    summary = (
        "tf.summary.scalar('loss', loss)\nmerged = tf.summary.merge_all()\nwriter = tf.summary.FileWriter('logs')\n"
    )
    text = text.replace("sess = ", summary + "sess = ") + "writer.add_summary(sess.run(merged, {x: data}), 1)\n"
    with pytest.raises(NotNativeError, match="gets a class or function add_summary"):
        native(text)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (
            "    model.train(num_train_steps=6)",
            "    model.train(num_train_steps=6)\n    model.train(num_train_steps=2)",
        ),
        ("    model.train(", "    for _ in range(2):\n        model.train("),
        ("model.train(num_train_steps=6)", "model.train(tf.constant(6))"),
    ],
)
def test_methods_that_train_are_called_once_with_python_values(old: str, new: str) -> None:
    text = (FIXTURES / "programs" / "methods.py").read_text("utf-8")
    assert old in text
    with pytest.raises(NotNativeError) as refused:
        native(text.replace(old, new))
    assert refused.value.code == "NAT008"


def test_a_print_of_the_graph_is_a_comment() -> None:
    text = native(
        HEAD + MODEL + "print(tf.get_default_graph().as_graph_def())\nprint(sess.run(loss, {x: data}))\n"
    ).text
    assert "# print(tf.compat.v1.get_default_graph().as_graph_def())" in text and run(text) == "2.0\n"


def test_a_graph_that_is_used_otherwise_is_refused() -> None:
    with pytest.raises(NotNativeError):
        native(HEAD + MODEL + "names = [op.name for op in tf.get_default_graph().get_operations()]\nprint(names)\n")
