"""Small parts of programs that made a whole program stay: names, branches, summaries of 0.x, sessions of objects."""

from __future__ import annotations

import inspect
from pathlib import Path

import pytest

from codemods.native.programs import check_native
from codemods.native.public_names import with_public_names
from codemods.native.refusals import NotNativeError
from codemods.results import Changed
from codemods.settings import Settings
from tests.codemods.native.test_rewriting import FIXTURES, HEAD, MODEL, native, run

TAGGER = (FIXTURES / "programs" / "tagger.py").read_text("utf-8")


def reasons(folder: Path, text: str) -> list[str]:
    """Returns what is found of a program, native or not."""
    (folder / "train.py").write_text(HEAD + text, "utf-8")
    (result,) = check_native(folder, Settings()).results
    return [finding.message for finding in result.findings if finding.code.startswith("NAT")]


def test_a_name_that_the_author_forgot_to_bind_stays(tmp_path: Path) -> None:
    (message,) = reasons(tmp_path, MODEL + "if len(data) > 9:\n    sys.exit()\nsess.run(train_op, {x: data})\n")
    assert message.startswith("sessions become functions")


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("Tagger(sess, 'tagger', 2)", "Tagger(None, 'tagger', 2)", "reads it here"),
        ("self.name = name", "self.name = name\n        self.name = name + '_'", "name of this variable scope"),
        ("'tagger', 2)", "'tagger', 2)\ntagger.name = 'other'", "name of this variable scope"),
        ("tf.variable_scope(self.name)", "tf.variable_scope(self.sess)", "name of this variable scope"),
        ("lambda: losses,", "lambda: [losses],", "give one tensor"),
        ("name=scope.name", "name=scope.original_name_scope", "nothing would bind scope"),
    ],
)
def test_what_an_object_holds_is_certain_or_refused(old: str, new: str, why: str) -> None:
    assert old in TAGGER
    with pytest.raises(NotNativeError, match=why):
        native(TAGGER.replace(old, new))


def test_a_session_that_init_uses_before_it_keeps_it_stays() -> None:
    with pytest.raises(NotNativeError):
        native(TAGGER.replace("        self.sess = sess\n", "        print(sess)\n        self.sess = sess\n"))


def test_summaries_of_0x_have_their_tags_in_scopes_too() -> None:
    text = HEAD + inspect.cleandoc("""
        x = tf.placeholder(tf.float32, [None])
        with tf.name_scope('cost'):
            cost = tf.reduce_sum(x)
            tf.scalar_summary('total', cost)
            tf.histogram_summary(tags='x', values=x)
        merged = tf.merge_all_summaries()
        writer = tf.train.SummaryWriter('logs')
        with tf.Session() as sess:
            writer.add_summary(sess.run(merged, {x: [1.0, 2.0]}), 1)
    """)
    made = native(text).text  # genuine 0.12.1 wrote the tags `total` and `x`
    assert "summaries[\"scalar\", 'total'] = cost" in made
    assert "summaries[\"histogram\", 'x'] = x" in made or "tf.convert_to_tensor(x)" in made


def test_read_data_sets_may_be_imported_from_where_it_was_made() -> None:
    text = HEAD + "from tensorflow.contrib.learn.python.learn.datasets.mnist import read_data_sets\n" + MODEL
    made = native(text + "mnist = read_data_sets('MNIST_data/', one_hot=True)\nsess.run(train_op, {x: data})\n")
    assert "from input_data import read_data_sets\n" in made.text
    assert made.files == ("input_data.py",)


def test_a_file_beside_a_program_gets_a_second_name(tmp_path: Path) -> None:
    (tmp_path / "input_data.py").write_text("rows = []\n", "utf-8")
    text = "from tensorflow.contrib.learn.python.learn.datasets.mnist import read_data_sets\n" + MODEL
    call = "mnist = read_data_sets('MNIST_data/')\nsess.run(train_op, {x: data})\n"
    (tmp_path / "train.py").write_text(HEAD + text + call, "utf-8")
    made = check_native(tmp_path, Settings())
    (changed,) = (result for result in made.results if isinstance(result, Changed))
    assert b"from mnist_data import read_data_sets\n" in changed.after
    assert {path.name for path in made.beside} == {"mnist_data.py", "native.toml"}


def test_names_that_only_moved_are_found() -> None:
    lines = "z = tf.divide(tf.atan2(y, y + 1.), 2.) + tf.rint(7.2) * tf.erfc(y)\n"
    text = native(HEAD + MODEL + lines + "print(sess.run(z, {x: data})[0, 0].round(4))\n").text
    assert "tf.math.erfc(y)" in text
    assert run(text)  # all names exist


def test_xw_plus_b_is_two_ops() -> None:
    lines = "w2 = tf.Variable([[2.0]])\nz = tf.nn.xw_plus_b(y, w2, biases=[0.5], name='z')\n"
    text = native(HEAD + MODEL + lines + "print(sess.run(z, {x: data}).ravel())\n").text
    assert "tf.nn.bias_add(tf.matmul(y, w2), [0.5])" in text
    assert run(text) == "[4.5 4.5 4.5]\n"


@pytest.mark.parametrize(
    "made",
    [
        "pair = (y, loss)",
        "pair = [y, 2. * y]",
        "pair = tf.split(tf.concat([y, y], 1), 2, 1)",
        "def twice(value):\n    return value, value\npair = twice(y)",
    ],
)
def test_several_tensors_of_one_name_are_fetched_as_such(made: str) -> None:
    lines = f"{made}\nfirst, _ = sess.run(pair, {{x: data}})\nprint(first.ravel(), len(sess.run(pair, {{x: data}})))\n"
    assert run(native(HEAD + MODEL + lines).text) == "[2. 2. 2.] 2\n"


def test_a_builder_that_throws_a_result_away_stands_in_a_main_of_tf_app() -> None:
    text = HEAD + inspect.cleandoc("""
        def read(name):
            queue = tf.train.string_input_producer([name])
            reader = tf.TextLineReader()
            _, line = reader.read(queue)
            number = tf.string_to_number(line)
            return number, number * 2.

        def main(_):
            with open('rows.txt', 'w') as file:
                file.write('1.5\\n2.5\\n')
            batch = read('rows.txt')
            with tf.Session() as sess:
                coord = tf.train.Coordinator()
                threads = tf.train.start_queue_runners(coord=coord)
                for i in range(3):
                    number, double = sess.run(batch)
                    print(number, double)
                coord.request_stop()
                coord.join(threads)

        if __name__ == '__main__':
            tf.app.run(main=main)
    """)
    made = native(text).text
    assert "def read(" not in made
    assert ".numpy() for value in number_and_value()" in made or "number, double = " in made
    with pytest.raises(NotNativeError):
        native(text.replace("_, line = reader", "_, line = reader").replace("print(number", "print(_, number"))


def test_a_function_that_calls_itself_several_times_is_read_once() -> None:
    text = """
        def blurred(z, deep):
            if deep == 0:
                return z
            first = blurred(z, deep - 1)
            for turn in range(2):
                first += blurred(z * 2., deep - 1) + blurred(z, deep - 1)
            return first
    """
    fetched = "out = blurred(y, 1)\nprint(sess.run(out, {x: data}))\n"
    assert "def blurred" in native(HEAD + inspect.cleandoc(text) + "\n" + MODEL + fetched).text


@pytest.mark.parametrize(
    ("line", "use"),
    [
        ("from tensorflow.python.framework import ops", "ops.reset_default_graph()"),
        ("from tensorflow.python.framework import ops as of_graph", "of_graph.reset_default_graph()"),
        ("from tensorflow.python.platform import gfile", "print(gfile.Exists('nothing'))"),
        ("from tensorflow.python.ops.variables import global_variables_initializer", ""),
        ("from tensorflow.python.ops.array_ops import ones_like as ones", "print(ones(data))"),
    ],
)
def test_names_from_inside_tensorflow_become_public_ones(line: str, use: str) -> None:
    made = native(f"{HEAD}{line}\n{use}\n{MODEL}print(sess.run(y, {{x: data}}))\n").text
    assert "tensorflow.python" not in made
    assert "compat" not in made


@pytest.mark.parametrize("use", ["ops.RegisterGradient('A')", "keep(ops)", "ops = ops.reset_default_graph"])
def test_other_uses_of_a_module_inside_tensorflow_stay(use: str) -> None:
    text = f"{HEAD}from tensorflow.python.framework import ops\nops.reset_default_graph()\n{use}\n"
    assert with_public_names(text) == text


def test_the_first_value_of_a_variable_gives_another_the_same() -> None:
    lines = "copy = tf.Variable(w.initialized_value() * 2.)\nz = tf.matmul(x, copy)\n"
    late = "sess.run(tf.variables_initializer([copy]))\nprint(sess.run(z, {x: data}).sum())\n"
    made = native(HEAD + MODEL.replace("sess = ", lines + "sess = ") + "print(sess.run(z, {x: data}).sum())\n").text
    assert "copy = tf.Variable(w.read_value() * 2., " in made
    assert run(made) == "12.0\n"
    with pytest.raises(NotNativeError):  # a run may have changed it
        native(HEAD + MODEL + "sess.run(train_op, {x: data})\n" + lines + late)


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        (
            "graph = tf.GraphDef()\n",
            "tf.GraphDef has no counterpart in native code: the graph that it reads is in a file",
        ),
        ("from tensorflow.examples.tutorials.mnist import mnist\nmnist.inference(x, 1, 2)\n", "mnist.mnist is not in"),
        ("s = tf.train.Server.create_local_server()\n", "servers and clusters have none"),
        ("q = tf.FIFOQueue(3, 'float')\n", "make a tf.data.Dataset"),
        ("tf.contrib.seq2seq.dynamic_rnn_decoder(x)\n", "in native code; keep the compat target"),
    ],
)
def test_a_name_without_a_counterpart_has_its_reason(lines: str, why: str) -> None:
    with pytest.raises(NotNativeError, match=why):
        native(HEAD + MODEL + lines)


def test_one_start_of_chosen_variables_vanishes_and_a_second_one_is_refused() -> None:
    lines = "v = tf.Variable(3.0)\nsess.run(tf.variables_initializer([v]))\nprint(sess.run(v))\n"
    assert run(native(HEAD + MODEL + lines).text) == "3.0\n"
    with pytest.raises(NotNativeError, match="initialized a second time"):
        native(
            HEAD
            + MODEL
            + "sess.run(train_op, {x: data})\nsess.run(tf.variables_initializer([w]))\nsess.run(y, {x: data})\n"
        )


def test_an_array_of_rows_of_different_lengths_is_that_of_old_numpy() -> None:
    rows = "rows = np.array(list(zip([[1, 2], [3, 4, 5]], [0, 1])))\nprint(rows.shape, rows[1][0])\n"
    text = native(HEAD + MODEL + rows + "print(sess.run(y, {x: data}).ravel())\n").text
    assert run(text).startswith("(2, 2) [3, 4, 5]\n")  # as NumPy 1.16 made it


SPARSE = HEAD + (
    "a = tf.sparse_placeholder(tf.float32)\nx = tf.placeholder(tf.float32, [None, 1])\n"
    "y = tf.sparse_tensor_dense_matmul(a, x)\nvalue = ([[0, 1], [1, 0]], [2.0, 3.0], [2, 2])\n"
    "with tf.Session() as sess:\n    print(sess.run(y, {a: value, x: [[1.0], [10.0]]}).tolist())\n"
)


@pytest.mark.parametrize(
    "fed",
    ["value", "([[0, 1], [1, 0]], [2.0, 3.0], (2, 2))", "tf.SparseTensorValue(*value)", "(value[0], value[1], [2, 2])"],
)
def test_parts_of_a_sparse_tensor_are_fed(fed: str) -> None:
    assert run(native(SPARSE.replace("a: value", f"a: {fed}")).text) == "[[20.0], [3.0]]\n"


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("a: value", "a: make()", "sparse_placeholder has no counterpart"),
        ("(tf.float32)", "(tf.float32, [2, 2])", "sparse_placeholder has no counterpart"),
        ("run(y,", "run(a,", "it fetches a sparse tensor"),
        ("run(y,", "run(tf.SparseTensor([[0]], [1], [1]),", "it fetches a sparse tensor"),
    ],
)
def test_other_uses_of_sparse_tensors_are_refused(old: str, new: str, why: str) -> None:
    assert old in SPARSE
    with pytest.raises(NotNativeError, match=why):
        native(SPARSE.replace(old, new))


FLAGS = (
    "flags = tf.app.flags\nFLAGS = flags.FLAGS\nflags.DEFINE_integer('size', 3, 'Rows.')\n"
    "x = tf.placeholder('float', [None])\ny = 2 * x\n{}sess = tf.Session()\nprint(sess.run(y, {{x: [FLAGS.size]}}))\n"
)


def test_flags_are_parsed_before_the_module_reads_one() -> None:
    made = native(HEAD + FLAGS.format("print(FLAGS.size)\n")).text
    assert "flags.DEFINE_integer('size', 3, 'Rows.')\nFLAGS(sys.argv)\n" in made
    assert run(made) == "3\n[6.]\n"


def test_flags_that_app_run_parses_are_not_parsed_twice() -> None:
    text = HEAD + FLAGS.format("").replace("FLAGS.size", "1.0")
    main = "def main(_):\n    print(FLAGS.size)\n\nif __name__ == '__main__':\n    tf.app.run()\n"
    assert "FLAGS(sys.argv)" not in native(text + main).text
    assert "FLAGS(sys.argv)" in native(text + main.replace("tf.app.run()", "main(0)")).text


@pytest.mark.parametrize(
    ("fetched", "printed"),
    [
        ("tf.self_adjoint_eig(tf.constant([[2.0]]))", "([2.0], [[1.0]])"),
        ("tf.unique(tf.constant([3.0, 3.0]))", "([3.0], [0, 0])"),
        ("[tf.nn.top_k(tf.constant([1.0, 5.0]), 1), tf.constant(2.0)]", "[([5.0], [1]), 2.0]"),
    ],
)
def test_an_op_of_constants_with_several_results_is_fetched_as_arrays(fetched: str, printed: str) -> None:
    shown = "def shown(v):\n    return v.tolist() if hasattr(v, 'tolist') else type(v)(map(shown, v))\n"
    shown = shown.replace("type(v)(", "(list if isinstance(v, list) else tuple)(")
    assert (
        run(native(HEAD + shown + f"sess = tf.Session()\nprint(shown(sess.run({fetched})))\n").text) == f"{printed}\n"
    )


def test_a_layer_with_the_name_of_what_it_gives_gets_another_one() -> None:
    text = HEAD + (
        "x = tf.placeholder(tf.float32, [None, 3])\n"
        "logits = tf.layers.dense(x, 4, kernel_initializer=tf.ones_initializer(), name='logits')\n"
        "with tf.Session() as sess:\n    sess.run(tf.global_variables_initializer())\n"
        "    print(sess.run(logits, {x: np.ones((1, 3))}).tolist())\n"
    )
    assert run(native(text).text) == "[[3.0, 3.0, 3.0, 3.0]]\n"


def test_a_dropout_that_is_fed_whether_it_trains_may_be_in_a_function() -> None:
    text = HEAD + inspect.cleandoc("""
        def main():
            x = tf.placeholder(tf.float32, [None, 3])
            trains = tf.placeholder(tf.bool)
            y = tf.layers.dropout(inputs=x, rate=0.999, training=trains)
            with tf.Session() as sess:
                rows = np.ones([100, 3])
                print(sess.run(y, {x: rows, trains: False}).sum(), sess.run(y, {x: rows, trains: True}).sum() == 300)
        main()
    """)
    assert run(native(text).text) == "300.0 False\n"


def test_layers_alone_in_a_scope_of_ops_stay_in_it() -> None:
    text = HEAD + (
        "x = tf.placeholder(tf.float32, [None, 3])\nones = tf.ones_initializer()\n"
        "with tf.name_scope('net'):\n"
        "    hidden = tf.layers.dense(x, 2, kernel_initializer=tf.ones_initializer(), name='hidden')\n"
        "    y = tf.layers.dense(hidden, 1, kernel_initializer=tf.ones_initializer(), name='outputs')\n"
        "with tf.Session() as sess:\n    sess.run(tf.global_variables_initializer())\n"
        "    print(sess.run(y, {x: np.ones((1, 3))}).tolist())\n"
    )
    assert run(native(text).text) == "[[6.0]]\n"
