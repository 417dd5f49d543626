"""`tf2bridge run`: the untouched program, as the Python and the TensorFlow of its time ran it."""

from __future__ import annotations

import subprocess
import textwrap
from pathlib import Path

import pytest

from tests import under_run
from tf2bridge.errors import NoSuchFileError, UnknownReleaseError
from tf2bridge.program.python2 import divide, divide_in_place, rounded
from tf2bridge.program.refusals import UnreadableProgramError
from tf2bridge.run import execute


def write(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        path = folder / f"{name}.py"
        path.parent.mkdir(exist_ok=True)
        path.write_text(textwrap.dedent(text))
    return folder


def run(folder: Path, api: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs `arguments` in `folder` as a program of the release `api`."""
    return under_run.command(folder, "--api", api, *arguments)


def check_prints(done: subprocess.CompletedProcess[str], *lines: str) -> None:
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == list(lines)


def test_a_python_2_program_of_0_12(tmp_path: Path) -> None:
    write(
        tmp_path,
        train="""
            import tensorflow as tf
            import tensorflow.python.platform
            from tensorflow.models.rnn import rnn_cell
            from tensorflow.python.ops import seq2seq, array_ops
            from layers import half
            from parts import inside

            flags = tf.app.flags
            flags.DEFINE_integer("steps", 3, "how many")
            flags.DEFINE_boolean("train", True, "whether")
            FLAGS = flags.FLAGS

            def main(argv):
                print FLAGS.steps, FLAGS.train, argv[1:], tf.__version__
                print 7/2, half(5), -7/2, 7/2.0, round(2.5), __file__
                pair = zip([1, 2], [3, 4])
                print len(pair), len(pair), inside.NAME, tf.gfile.GFile(__file__).read().strip().split()[0] + "!"
                x = array_ops.concat(0, [[[1., 2.]], [[3., 4.]]])
                cell = rnn_cell.MultiRNNCell([rnn_cell.BasicLSTMCell(2)] * 2)
                seq2seq.rnn_decoder([x], cell.zero_state(2, tf.float32), cell, scope='rnnlm')
                with tf.Session() as sess:
                    sess.run(tf.initialize_all_variables())
                    print sess.run(tf.mul(x, 2.)).tolist(), sess.run(tf.constant([7, -7]) / 2).tolist()
                for v in tf.all_variables():
                    print v.name

            if __name__ == '__main__':
                tf.app.run()
        """,
        layers="""
            class Halver(object):
                def __init__(self):
                    self.two = [4]
                    self.two[0] /= 2
                def half(self, x):
                    return x / self.two[0]
            half = Halver().half
        """,
        **{
            "parts/__init__": "",
            "parts/math": "",
            "parts/other": "import math\nNAME = hasattr(math, 'pi')",
            "parts/inside": """
                from __future__ import absolute_import
                import math
                from parts import other
                NAME = math.__name__, int(math.pi), other.NAME
            """,
        },
    )
    done = run(tmp_path, "0.12", "train.py", "--train", "False", "--steps=4", "more")
    check_prints(
        done,
        "4 False ['more'] 0.12.1",
        "3 2 -4 3.5 3.0 train.py",
        "2 2 ('math', 3, False) import!",
        "[[2.0, 4.0], [6.0, 8.0]] [3, -3]",
        *(f"rnnlm/MultiRNNCell/Cell{cell}/BasicLSTMCell/Linear/{v}:0" for cell in (0, 1) for v in ("Matrix", "Bias")),
    )
    assert "train.py is a Python 2 program; it runs converted" in done.stderr


NET = """
    import importlib
    import tensorflow.contrib.layers as layers
    from tensorflow.contrib.layers import xavier_initializer
    tf = importlib.import_module("tensorflow")
    def net(x):
        return tf.layers.dense(x, 2, kernel_initializer=xavier_initializer(), name="out")
"""
MAIN = """
    import sys
    import tensorflow as tf
    from tensorflow.core.framework import graph_pb2
    from .net import net
    y = net(tf.placeholder(tf.float32, [None, 3]))
    assert isinstance(tf.get_default_graph().as_graph_def(), graph_pb2.GraphDef)
    print(y.name, y.shape[1].value, 7 / 2, tf.__version__, sys.argv[1:], __name__, __package__)
    sys.exit(3)
"""


def test_a_program_of_1_15_in_packages(tmp_path: Path) -> None:
    write(
        tmp_path,
        **{"pkg/__init__": "", "pkg/net": NET, "pkg/main": MAIN},
    )
    done = run(tmp_path, "1.15", "-m", "pkg.main", "a", "--b")
    assert done.returncode == 3, done.stderr
    assert done.stdout == "out/BiasAdd:0 2 3.5 1.15.5 ['a', '--b'] __main__ pkg\n"


def test_numpy_has_what_numpy_had_then(tmp_path: Path) -> None:
    write(
        tmp_path,
        train="""
            import numpy as np
            import numpy.random
            from numpy import array, float32
            import numpy.linalg as linalg
            ragged = np.array([[[1, 2], [3]], [[4, 5], [6]]])
            print(ragged.shape, ragged.dtype, np.int, np.bool, np.array([1], np.float).dtype, np.NaN != np.NaN)
            print(isinstance(array([1.0]), np.ndarray), float32 is np.float32, numpy is np)
            print(linalg.norm(array([3.0, 4.0])))
        """,
    )
    done = run(tmp_path, "1.4", "train.py")
    check_prints(done, "(2, 2) object <class 'int'> <class 'bool'> float64 True", "True True True", "5.0")


def test_libraries_keep_their_own_tensorflow(tmp_path: Path) -> None:
    write(
        tmp_path,
        train="""
            import sys
            import tensorflow as tf
            assert tf.__name__ == "tf2bridge.v1" and sys.modules["tensorflow"].__version__.startswith("2.")
            import tf_keras
            assert tf_keras.layers.Dense
        """,
    )
    check_prints(run(tmp_path, "1.4", "train.py"))


def test_an_error_of_the_program_shows_its_own_lines(tmp_path: Path) -> None:
    write(tmp_path, train="import tensorflow as tf\nprint 'begins'\n\ndef fail():\n    return {}['no']\n\nfail()\n")
    done = run(tmp_path, "0.12", "train.py")
    assert done.returncode == 1
    trace = done.stderr[done.stderr.index("Traceback") :]
    assert 'File "train.py", line 7, in <module>\n    fail()' in trace
    assert "line 5, in fail\n    return {}['no']" in trace
    assert "tf2bridge" not in trace
    assert trace.rstrip().endswith("KeyError: 'no'")


@pytest.mark.parametrize(("stop", "status"), [("", 0), ("'too bad'", 1), ("7", 7), ("None", 0), ("True", 1)])
def test_the_exit_status_is_the_programs(stop: str, status: int, tmp_path: Path) -> None:
    program = write(tmp_path, stops=f"import sys\nsys.exit({stop})\n") / "stops.py"
    done = run(tmp_path, "1.15", program.name)
    assert done.returncode == status
    assert ("too bad" in done.stderr) == ("too bad" in stop)


def test_a_name_that_cannot_work_is_an_import_error_that_says_why(tmp_path: Path) -> None:
    write(
        tmp_path,
        train="""
            try:
                from tensorflow.contrib import slimm
            except ImportError as error:
                print(error)
            __import__("tensorflow.contrib.layers", fromlist=["anything"])
        """,
    )
    done = run(tmp_path, "1.15", "train.py")
    check_prints(done, "tf.contrib.slimm is not available on TensorFlow 2: did you mean slim?")


def test_a_program_that_is_not_there_is_one_error(tmp_path: Path) -> None:
    with pytest.raises(NoSuchFileError, match=r"train\.py: no such program"):
        execute(tmp_path / "train.py", None, [])
    with pytest.raises(NoSuchFileError, match="no such module"):
        execute(None, "no_such_module_of_ours", [])
    with pytest.raises(UnknownReleaseError):
        execute(tmp_path / "train.py", None, [], "3.0")


def test_a_file_that_is_no_python_is_one_error(tmp_path: Path) -> None:
    from tf2bridge.program.files import read

    broken = write(tmp_path, broken="def f(:\n") / "broken.py"
    with pytest.raises(UnreadableProgramError, match=r"broken\.py.*cannot be run"):
        read(broken, "broken.py", python2=False)


@pytest.mark.parametrize(
    ("left", "right", "expected"), [(7, 2, 3), (-7, 2, -4), (7.0, 2, 3.5), (True, 2, 0), (7, 2.0, 3.5)]
)
def test_division_as_python_2_did(left: float, right: float, expected: float) -> None:
    result = divide(left, right)
    assert result == expected
    assert type(result) is type(expected)


def test_arrays_divide_as_numpy_did_on_python_2() -> None:
    import numpy as np

    array = np.array([7, -7])
    assert divide(array, 2).tolist() == [3, -4]
    assert divide(array, 2.0).tolist() == [3.5, -3.5]
    same = divide_in_place(array, 2)
    assert same is array
    assert array.tolist() == [3, -4]


def test_a_class_of_the_program_divides_by_its_own_method() -> None:
    class Path2:
        def __div__(self, other: str) -> str:
            return f"/{other}"

    assert divide(Path2(), "x") == "/x"


@pytest.mark.parametrize(
    ("number", "digits", "expected"),
    [(2.5, 0, 3.0), (-0.5, 0, -1.0), (2.675, 2, 2.67), (1234.5, -2, 1200.0), (7, 0, 7.0), (1e300, 2, 1e300)],
)
def test_round_as_python_2_did(number: float, digits: int, expected: float) -> None:
    result = rounded(number, digits)
    assert result == expected
    assert isinstance(result, float)


@pytest.mark.parametrize("api", ["0.12", "1.4", "1.15"])
def test_app_run_gives_main_what_no_flag_takes(api: str, tmp_path: Path) -> None:
    write(
        tmp_path,
        train="""
            import tensorflow as tf
            tf.flags.DEFINE_float("rate", 0.5, "")
            FLAGS = tf.flags.FLAGS
            def main(argv):
                print(FLAGS.rate, argv)
            tf.app.run()
        """,
    )
    check_prints(run(tmp_path, api, "train.py", "--rate=0.25", "other"), "0.25 ['train.py', 'other']")


def test_from_1_5_on_an_unknown_flag_is_refused(tmp_path: Path) -> None:
    write(
        tmp_path, train="import tensorflow as tf\ntf.flags.DEFINE_float('rate', 0.5, '')\nprint(tf.flags.FLAGS.rate)\n"
    )
    done = run(tmp_path, "1.15", "train.py", "--typo=1")
    assert done.returncode == 1
    assert "Unknown command line flag 'typo'" in done.stderr
    check_prints(run(tmp_path, "1.4", "train.py", "--typo=1"), "0.5")


def test_flags_before_1_5_show_their_values(tmp_path: Path) -> None:
    write(
        tmp_path,
        train="""
            import tensorflow as tf
            tf.flags.DEFINE_integer("b", 2, "")
            tf.flags.DEFINE_string("a", "x", "")
            FLAGS = tf.flags.FLAGS
            FLAGS._parse_flags()
            print(sorted(FLAGS.__flags.items()))
        """,
    )
    check_prints(run(tmp_path, "0.12", "train.py", "--b", "7"), "[('a', 'x'), ('b', 7)]")


def test_the_names_that_1_15_was_installed_under(tmp_path: Path) -> None:
    write(
        tmp_path,
        program="""
            import tensorflow_core.python.ops.math_ops as math_ops
            import tensorflow.compat.v1 as tf
            from tensorflow_core.python.framework import ops
            from tensorflow_estimator.python.estimator.canned import prediction_keys

            print(math_ops.add(1, 2).graph is ops.get_default_graph(), prediction_keys.PredictionKeys.LOGITS)
            print(tf.layers.dense(tf.zeros([1, 2]), 3).shape, tf.compat.v1 is tf)
        """,
    )
    check_prints(run(tmp_path, "1.15", "program.py"), "True logits", "(1, 3) True")
