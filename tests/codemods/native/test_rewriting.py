"""Programs with sessions become programs of functions, and print what genuine TensorFlow 1.15.5 printed."""

from __future__ import annotations

import ast
import contextlib
import inspect
import io
import re
import sys
import types
from collections.abc import Iterator
from pathlib import Path

import pytest

from codemods.engine import check_text
from codemods.native import counterparts
from codemods.native.refusals import NotNativeError
from codemods.native.rewriting import rewrite
from codemods.native.rewritten import Native
from codemods.results import Changed
from codemods.settings import Settings

pytestmark = pytest.mark.filterwarnings("error::SyntaxWarning")  # such as a call of None in a branch that never runs
FIXTURES = Path(__file__).parents[3] / "fixtures" / "sessions"
ESTIMATORS = {"convolved", "estimator", "petals"}
"""Programs whose Estimators are rewritten first: test_estimators.py. Each program is proven in test_rewritten.py."""
PROGRAMS = sorted({path.stem for path in (FIXTURES / "programs").glob("*.py")} - ESTIMATORS)
DRAWN = {"asked", "blocks", "painters"}
"""Programs that begin with random values: what they print has other numbers in each run."""
NUMBER = re.compile(r"-?\d+\.?\d*(?:e[-+]\d+)?")
HEAD = "import numpy as np\nimport tensorflow as tf\n"
MODEL = """
x = tf.placeholder(tf.float32, [None, 2])
w = tf.Variable(tf.ones([2, 1]))
y = tf.matmul(x, w)
loss = tf.reduce_mean(y)
train_op = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
sess = tf.Session()
sess.run(tf.global_variables_initializer())
data = np.ones([3, 2])
"""


def native(text: str) -> Native:
    """Returns a program of TensorFlow 1 as a native one."""
    result = check_text(text, "train.py", Settings())
    assert isinstance(result, Changed)
    return rewrite(result.after.decode())


@contextlib.contextmanager
def main_module(text: str) -> Iterator[types.ModuleType]:
    """Gives a text's module as `__main__`, with no arguments."""
    module = types.ModuleType("__main__")
    before = sys.modules["__main__"], sys.argv
    sys.modules["__main__"], sys.argv = module, ["train.py"]
    try:
        exec(compile(text, "train.py", "exec"), module.__dict__)  # noqa: S102
        yield module
    finally:
        sys.modules["__main__"], sys.argv = before


def run(text: str) -> str:
    """Returns what a native program prints."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.suppress(SystemExit), main_module(text):
        pass
    return printed.getvalue()


def numbers(text: str) -> list[float]:
    return [float(number) for number in NUMBER.findall(text)]


@pytest.mark.parametrize("name", PROGRAMS)
def test_program_prints_what_the_genuine_one_printed(name: str) -> None:
    text = native((FIXTURES / "programs" / f"{name}.py").read_text("utf-8")).text
    expected = (FIXTURES / "printed" / f"{name}.txt").read_text("utf-8")
    printed = run(text)
    if name in DRAWN:
        assert len(printed.splitlines()) == len(expected.splitlines())
        return
    assert NUMBER.sub("#", printed).split() == NUMBER.sub("#", expected).split()
    assert numbers(printed) == pytest.approx(numbers(expected), rel=2e-6)


@pytest.mark.parametrize("name", PROGRAMS)
def test_result_imports_only_public_modules(name: str) -> None:
    tree = ast.parse(native((FIXTURES / "programs" / f"{name}.py").read_text("utf-8")).text)
    modules = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    assert modules - sys.stdlib_module_names <= {
        "numpy",
        "tensorflow",
        "keras",
        "absl.app",
        "absl.flags",
        "absl.logging",
    }


@pytest.mark.parametrize(
    ("name", "driving", "prefix"), [("saved", "for step in range(4):", "last"), ("named_twice", "writer = tf", "model")]
)
def test_checkpoints_of_tensorflow_1_are_restored(name: str, driving: str, prefix: str) -> None:
    text = native((FIXTURES / "programs" / f"{name}.py").read_text("utf-8")).text
    begin, _, _ = text.partition(driving)
    path = str(FIXTURES / "checkpoints" / name / prefix)
    with main_module(begin) as module:
        module.saver.restore(path)  # type: ignore[attr-defined]
        variables = module.saver.by_name()  # type: ignore[attr-defined]
        reader = module.tf.train.load_checkpoint(path)  # type: ignore[attr-defined]
        assert variables.keys() == reader.get_variable_to_shape_map().keys()
        assert all((variable.numpy() == reader.get_tensor(name)).all() for name, variable in variables.items())


def test_lines_of_the_author_stay() -> None:
    old = (FIXTURES / "programs" / "decay.py").read_text("utf-8").splitlines()
    new = {line.strip() for line in native("\n".join(old) + "\n").text.splitlines()}
    for line in ("hidden = tf.nn.relu(tf.matmul(x, w1) + b1)", "pred = tf.matmul(hidden, w2)  # no bias", "# train"):
        assert line in new
    assert sum(line.strip() in new for line in old) >= 0.6 * len(old)


def test_map_names_the_line_of_each_call() -> None:
    made = native(HEAD + MODEL + "sess.run(train_op, {x: data})\nprint(sess.run([loss, y], {x: data}))\n")
    rows = [(call.function, call.feeds, call.fetches, call.operations) for call in made.calls]
    assert rows == [("train:train_op", ("x",), (), ("train_op",)), ("train:loss_and_y", ("x",), ("loss", "y"), ())]
    assert [row.kind for row in made.dropped] == ["initializer"]


def test_map_names_functions_as_python_does() -> None:
    text = (FIXTURES / "programs" / "policy.py").read_text("utf-8")
    functions = {call.function for call in native(text).calls}
    assert functions == {f"train:PolicyGradient._build_net.<locals>.{name}" for name in ("all_act_prob", "train_op")}


def test_data_keep_the_seed_of_the_graph() -> None:
    head = "from tensorflow.examples.tutorials.mnist import input_data\ntf.set_random_seed(3)\n"
    text = native(
        HEAD + head + "mnist = input_data.read_data_sets('mnist')\n" + MODEL + "sess.run(y, {x: data})\n"
    ).text
    assert "input_data.read_data_sets('mnist', seed=3)" in text


def test_fed_values_are_computed_in_the_order_of_the_feeds() -> None:
    lines = "z = tf.placeholder(tf.float32, [])\nloss *= z\nit = iter([2., 3.])\n"
    call = "print(sess.run(loss, {z: next(it), x: next(it) * data}))\n"
    text = native(HEAD + MODEL + lines + call).text
    assert "(z=next(it), x=next(it) * data)" in text
    assert numbers(run(text)) == [12.0]


def test_a_function_stands_behind_its_placeholders() -> None:
    lines = "a = tf.constant(2)\nprint(sess.run(a * a))\na = tf.placeholder(tf.int32, [])\nb = a + 1\n"
    assert numbers(run(native(HEAD + MODEL + lines + "print(sess.run(b, {a: 4}))\n").text)) == [4.0, 5.0]


def test_a_loss_is_read_before_the_step() -> None:
    text = native(HEAD + MODEL + "_, value = sess.run([train_op, loss], {x: data})\nprint(value, w.eval()[0])\n").text
    # mean of [2, 2, 2]; then each weight 1 - 0.1 * 1
    assert numbers(run(text)) == pytest.approx([2.0, 0.9])


COUNTED = """
step = tf.Variable(0, trainable=False)
rate = tf.train.exponential_decay(0.1, step, 1, 0.5)
opt = tf.train.GradientDescentOptimizer(rate)
op = opt.apply_gradients([(g * 1.0, v) for g, v in opt.compute_gradients(loss)], global_step=step)
"""


def test_a_rate_is_read_before_its_step_is_counted(capfd: pytest.CaptureFixture[str]) -> None:
    loop = "for _ in range(3):\n    print(sess.run([op, rate], {x: data})[1])\nprint(w.eval()[0], step.eval())\n"
    text = native(HEAD + MODEL.replace("sess = ", COUNTED + "sess = ") + loop).text
    # the weights lose each rate: 1 - 0.1 - 0.05 - 0.025
    assert numbers(run(text)) == pytest.approx([0.1, 0.05, 0.025, 0.825, 3])
    assert "AutoGraph could not transform" not in capfd.readouterr().err


def test_a_variable_that_is_fetched_with_its_step_has_the_value_after_it() -> None:
    line = "_, value, w_value = sess.run([train_op, loss, w], {x: data})\nprint(value, w_value, w.eval())\n"
    made = native(HEAD + MODEL + line)
    printed = numbers(run(made.text))
    half = len(printed[1:]) // 2
    assert printed[1 : 1 + half] == printed[1 + half :]
    assert ["w is read before or after the step" in why for _, why in made.notes] == [True]


def test_a_loss_has_all_variables_made_before_it() -> None:
    lines = "v = tf.Variable([3.])\nf = tf.Variable(9., trainable=False)\nt = {'a': tf.Variable(1.)}\n"
    lines += "l2 = tf.add_n([tf.nn.l2_loss(k) for k in tf.trainable_variables()])\ntotal = l2 + loss\n"
    op = "op = tf.train.GradientDescentOptimizer(0.5).minimize(total)\n"
    calls = "_, a = sess.run([op, total], {x: data})\nprint(a, sess.run(l2))\n"
    made = native(HEAD + MODEL.replace("sess = ", lines + op + "sess = ") + calls)
    # half of 1 + 1 + 9 + 1, and the loss 2; a step of a half leaves halves, of w nothing: 1 - 0.5 * (1 + 1)
    assert numbers(run(made.text)) == pytest.approx([8.0, 1.25])
    assert ["tf.nn.l2_loss" in why for _, why in made.notes] == [True]


def test_a_draw_that_only_begins_variables_is_made_once() -> None:
    lines = "first = tf.random_normal([2])\nu = tf.Variable(first)\n"
    lines += (
        "def make(shape):\n    initial = tf.truncated_normal(shape)\n    return tf.Variable(initial)\nv = make([2])\n"
    )
    call = "print(np.isfinite(sess.run([u, v])).all())\n"
    text = native(HEAD + MODEL.replace("sess = ", lines + "sess = ") + call).text
    assert "\nfirst = tf.random.normal([2])\nu = tf.Variable(first, name='Variable_1')\n" in text
    assert run(text) == "True\n"


def test_variables_keep_their_names() -> None:
    lines = "with tf.variable_scope('a'):\n    b = tf.Variable([1.])\n    c = tf.get_variable('c', [2])\n"
    lines += "    d = tf.Variable([1.],\n        dtype=tf.float32,)\nwith tf.variable_scope('e'):\n"
    lines += "    f = tf.get_variable('f', [2])\ng = tf.Variable(1.)\nh = [tf.Variable(1.) for _ in range(2)]\n"
    text = native(HEAD + MODEL.replace("sess = ", lines + "sess = ") + "print(sess.run([b, c, d, f, g]))\n").text
    with main_module(text) as module:
        names = [getattr(module, name).name.split(":")[0] for name in "wbcdfg"]
    # the names that 1.15.5 gives; those of h, Variable_2 and Variable_3, are not known to differ
    assert names == ["Variable", "a/Variable", "a/c", "a/Variable_1", "e/f", "Variable_1"]
    assert "h = [tf.Variable(1.) for _ in range(2)]" in text


def test_variables_of_one_name_are_numbered() -> None:
    lines = [
        "a = tf.Variable(1., name='w')",
        "b = tf.Variable(1., name='w')",
        "c = tf.Variable(1., name='w_1')",
        *("with tf.name_scope('l'):", "    d = tf.Variable(1., name='w')"),
        *("with tf.name_scope('l'):", "    e = tf.Variable(1., name='w')"),
        *("with tf.variable_scope('v'):", "    f = tf.Variable(1., name='w')"),
        *("with tf.variable_scope('v'):", "    g = tf.Variable(1., name='w')"),
        "h = tf.Variable(1.)",
        "i = tf.Variable(1., name='Variable')",
        "p = tf.placeholder(tf.float32, name='w')",
        "j = tf.Variable(1., name='w')",
        *("sess = tf.Session()", "print(sess.run([a, b, c, d, e, f, g, h, i, j]))"),
    ]
    with main_module(native(HEAD + "\n".join(lines) + "\n").text) as module:
        names = [getattr(module, name).name.split(":")[0] for name in "abcdefghij"]
    # the names that 0.12.1, 1.4.1, 1.12.3 and 1.15.5 give
    assert names == ["w", "w_1", "w_1_1", "l/w", "l_1/w", "v/w", "v_1/w", "Variable", "Variable_1", "w_3"]


def test_functions_that_give_one_name_get_a_parameter_for_it() -> None:
    lines = "def weight(shape):\n    return tf.Variable(tf.ones(shape), name='weight')\na = weight([2])\n"
    lines += "b = weight([2])\nsess = tf.Session()\nprint(sess.run([a, b]))\n"
    with main_module(native(HEAD + lines).text) as module:
        assert [getattr(module, name).name for name in "ab"] == ["weight:0", "weight_1:0"]


@pytest.mark.parametrize(
    "lines",
    [
        "for n in range(2):\n    tf.add(1., n, name='w')\nw = tf.Variable(1., name='w')\n",
        "V = tf.Variable(1., name='W')\nw = tf.Variable(1., name='w')\n",  # 1.4.1 gives w, 1.15.5 gives w_1
    ],
)
def test_a_saver_needs_names_that_are_certain(lines: str) -> None:
    ending = "print(tf.Session().run(w))\n"
    native(HEAD + lines + ending)
    with pytest.raises(NotNativeError, match="may have numbered the name of this variable"):
        native(HEAD + lines + "saver = tf.train.Saver()\n" + ending)


def test_layers_in_scopes_are_rows_of_the_map() -> None:
    made = native((FIXTURES / "programs" / "gan.py").read_text("utf-8"))
    rows = {row.legacy: row.path for row in made.variables}
    assert len(rows) == 8
    assert rows["Generator/dense_1/bias"] == "Generator_dense1/bias"
    assert rows["Discriminator/hidden/kernel"] == "Discriminator_hidden/kernel"


def test_a_dropout_layer_drops_while_training() -> None:
    lines = "t = tf.placeholder(tf.bool, [])\nd = tf.layers.dropout(y, 0.25, training=t)\n"
    lines += "same = tf.layers.dropout(y)\nhalf = tf.layers.dropout(y, training=True)\nkept = tf.reduce_sum(d)\n"
    calls = "print(sess.run(kept, {x: data, t: False}))\na = sess.run(d, {x: data, t: True})\n"
    calls += "print(sess.run(same, {x: data}).sum())\nb = sess.run(half, {x: data})\n"
    calls += "print(all(v in (0, np.float32(2 / 0.75)) for v in a[:, 0]), all(v in (0, 4) for v in b[:, 0]))\n"
    assert run(native(HEAD + MODEL.replace("sess = ", lines + "sess = ") + calls).text) == "6.0\n6.0\nTrue True\n"


SCOPED = """
with tf.variable_scope('gen'):
    h = tf.layers.dense(x, 3, kernel_initializer=tf.constant_initializer(0.5))
with tf.variable_scope('dis'):
    score = tf.layers.dense(h, 1, kernel_initializer=tf.constant_initializer(0.5))
cost = tf.reduce_mean(tf.square(score))
g_vars = tf.trainable_variables('gen')
op = tf.train.GradientDescentOptimizer(0.1).minimize(cost, var_list=g_vars)
"""


def test_layers_in_scopes_of_the_body_are_made_before_their_functions() -> None:
    begin = "x = tf.placeholder(tf.float32, [None, 2])\n"
    calls = "sess = tf.Session()\nsess.run(tf.global_variables_initializer())\ndata = np.ones([4, 2])\n"
    calls += "for _ in range(3):\n    sess.run(op, {x: data})\n    print(sess.run(cost, {x: data}))\n"
    text = native(HEAD + begin + SCOPED + calls).text
    # what 1.15.5 prints
    assert numbers(run(text)) == pytest.approx([0.6806249, 0.205889, 0.062281426], rel=1e-6)


def test_an_assignment_gives_its_new_value_where_it_is_used() -> None:
    lines = "k = tf.placeholder(tf.float32, [])\nv = tf.Variable(1.0)\nup = tf.assign_add(v, k)\n"
    calls = "sess.run(up, {k: 1.0})\nprint(sess.run(up, {k: 1.0}), sess.run(v.assign(k * 5), {k: 1.0}))\n"
    assert numbers(run(native(HEAD + MODEL.replace("sess = ", lines + "sess = ") + calls).text)) == [3.0, 5.0]


def test_counterparts_have_the_parameters_of_the_installed_tensorflow() -> None:
    import tensorflow as tf

    for name in counterparts._ROWS:
        row = counterparts.counterpart(name)
        assert row is not None
        function = tf
        for part in row.name.split("."):
            function = getattr(function, part)
        if row.parameters:
            made = function.__init__ if name == "Variable" else function
            now = [known for known in inspect.signature(made).parameters if known != "self"]
            assert {new for _, new in row.parameters if new} <= {*now}, name
            assert [new for _, new in row.parameters[: row.same]] == now[: row.same], name


def test_rows_are_chosen_as_before() -> None:
    text = native(HEAD + MODEL + "chosen = tf.where(x[:, 0] > 0., x, -x)\nprint(sess.run(chosen, {x: data}))\n").text
    assert "chosen = tf.raw_ops.Select(condition=x[:, 0] > 0., x=x, y=-x)" in text
    assert numbers(run(text)) == [1.0] * 6


def test_functions_that_read_tensors_stand_at_their_call() -> None:
    lines = "def total(z):\n    return tf.reduce_sum(z) + loss\n\ns = total(y)\n"
    text = native(HEAD + MODEL.replace("train_op =", lines + "train_op =") + "print(sess.run(s, {x: data}))\n").text
    assert "def total" not in text
    assert "s = tf.reduce_sum(y) + loss" in text


SUMMARY_IN_SCOPE = """
with tf.variable_scope("cost"):
    shown = tf.summary.scalar("cost", loss)
merged = tf.summary.merge_all()
writer = tf.summary.FileWriter("logs")
if True:
    print("a long line, "\\
"of two parts")
writer.add_summary(sess.run(merged, {x: data}), 1)
"""


def test_lines_that_are_added_are_indented_as_their_statement() -> None:
    lines = native(HEAD + MODEL + SUMMARY_IN_SCOPE).text.splitlines()
    at = next(number for number, line in enumerate(lines) if "shown = {" in line)
    assert lines[at + 1] == "    summaries.update(shown)"


def test_a_line_that_is_indented_less_than_its_block_stays_whole() -> None:
    lines = "with tf.Session() as sess:\n    print('one, ' \\\n'two', sess.run(tf.ones([1])))\n"
    assert "'two'" in native(HEAD + lines).text


@pytest.mark.parametrize(
    ("given", "written"),
    [
        ("random_normal_initializer()", "tf.random_normal_initializer(stddev=1.0)([4, 3])"),
        ("random_normal_initializer(0., 2.)", "tf.random_normal_initializer(0., 2.)([4, 3])"),
        ("random_uniform_initializer(maxval=2.)", "tf.random_uniform_initializer(maxval=2., minval=0.0)([4, 3])"),
        ("truncated_normal_initializer(1.)", "keras.initializers.TruncatedNormal(1., stddev=1.0)([4, 3])"),
    ],
)
def test_initializers_have_the_defaults_of_tensorflow_1(given: str, written: str) -> None:
    """The defaults are those of `init_ops.py` of 1.15.5."""
    lines = f"w = tf.get_variable('w', [4, 3], initializer=tf.{given})\nprint(tf.Session().run(w))\n"
    assert written in native(HEAD + lines).text


def test_layers_of_a_seeded_program_draw_each_their_own() -> None:
    lines = (
        "tf.set_random_seed(1)\nx = tf.placeholder(tf.float32, [None, 2])\ninit = tf.random_normal_initializer()\n"
        "a = tf.layers.dense(x, 2, kernel_initializer=init)\nb = tf.layers.dense(x, 2, kernel_initializer=init)\n"
        "sess = tf.Session()\nsess.run(tf.global_variables_initializer())\n"
        "print((sess.run(a, {x: np.ones([1, 2])}) == sess.run(b, {x: np.ones([1, 2])})).any())\n"
    )
    assert run(native(HEAD + lines).text) == "False\n"


def test_a_device_begins_no_names_anew() -> None:
    lines = "with tf.device('/cpu:0'):\n    a = tf.Variable(1.)\nb = tf.Variable(2.)\nprint(tf.Session().run([a, b]))\n"
    assert "b = tf.Variable(2., name='Variable_1')" in native(HEAD + lines).text
