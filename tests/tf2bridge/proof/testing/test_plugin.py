"""The pytest plugin as a user's repository has it: each test here runs pytest in a process of its own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest

from tests import oracles

pytest_plugins = "pytester"

PLUGIN = "tf2bridge.proof.pytest_plugin"
ROOT = Path(__file__).parents[4]


@pytest.fixture(autouse=True)
def this_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv("TF_CPP_MIN_LOG_LEVEL", "3")


def run(pytester: pytest.Pytester, *options: str) -> pytest.RunResult:
    """Runs pytest with the plugin, which an installed copy registers by itself."""
    return pytester.runpytest_subprocess("-p", PLUGIN, "-p", "no:cacheprovider", "--strict-markers", *options)


GRAPHS = """
    import numpy as np, pytest, tensorflow as tf
    v1 = tf.compat.v1

    def build():
        w = v1.get_variable("w", [2, 2])
        v1.add_to_collection("mine", w)
        return w

    @pytest.mark.tf1(seed=7, api="1.15")
    @pytest.mark.parametrize("again", [0, 1])
    def test_values_of_1_15(tf1_graph, again):
        w = build()
        assert len(tf1_graph.graph.get_collection("mine")) == 1
        tf1_graph.initialize()
        assert type(w).__name__ == "RefVariable"
        assert w.eval().ravel().tolist() == np.float32([-0.24228424, -0.30168182, -0.46713537, -1.0090046]).tolist()
        assert w.get_shape()[0].value == 2

    def test_eager_beside_it():
        assert tf.executing_eagerly() and tf.Variable([1.0]).numpy() == 1.0
        assert tf.zeros([2, 3]).shape[0] == 2
        assert not v1.get_collection("mine")

    class TestOld:
        pytestmark = pytest.mark.tf1(api="0.12", seed=7)

        def test_mark_alone_is_enough(self):
            assert not tf.executing_eagerly()
            with v1.Session() as session:
                w = build()
                session.run(w.initializer)
                expected = np.float32([-0.74634033, 0.09540784, -1.1094923, 0.43015766])  # TensorFlow 0.12.1
                assert session.run(w).ravel().tolist() == expected.tolist()

    def test_without_a_mark(tf1_graph):
        assert tf1_graph.graph.seed is None
        assert tf1_graph.run(tf.constant(3) + 1) == 4

    @pytest.mark.tf1(api="2.0")
    def test_wrong_release():
        pass
"""


def test_each_test_has_a_graph_of_its_own(pytester: pytest.Pytester) -> None:
    """The values are those that genuine TensorFlow 1.15.5 and 0.12.1 draw for this graph seed."""
    pytester.makepyfile(GRAPHS)
    result = run(pytester, "-p", "xdist", "-n", "2", "--dist", "load")
    result.assert_outcomes(passed=5, errors=1)
    result.stdout.fnmatch_lines(["*unknown TensorFlow release '2.0'*"])


def test_what_is_not_equivalent_is_shown_and_nothing_of_ours(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        import keras, numpy as np, tensorflow as tf, tf2bridge
        from tf2bridge import v1

        X = np.linspace(-1, 1, 12, dtype=np.float32).reshape(4, 3)

        def build(x):
            w = v1.get_variable("w", [3, 2], initializer=v1.ones_initializer())
            return {"logits": v1.matmul(x, w), "twice": x * 2.0}

        def new(x):
            return {"logits": tf.reduce_sum(x, 1, keepdims=True) * tf.ones([1, 2]), "twice": x + x}

        def test_equal(equivalence):
            old = tf2bridge.wrap(build, inputs={"x": tf.TensorSpec([None, 3])})
            rows = equivalence(old, new, {"x": X})
            assert [row.tensor for row in rows] == ["logits", "twice"]
            dense = keras.layers.Dense(2, use_bias=False, kernel_initializer="ones")
            equivalence(old.function(["x"], ["logits"]), dense, [X])

        def test_different(equivalence):
            equivalence(lambda x: [x, x * 2], lambda x: [x, x * 2.5], X)

        def test_lacking(equivalence):
            equivalence(lambda x: {"a": x, "b": x}, lambda x: {"a": x}, X)

        def test_not_callable(equivalence):
            equivalence(3, new, X)
        """
    )
    result = run(pytester)
    result.assert_outcomes(passed=1, failed=3)
    result.stdout.fnmatch_lines(
        [
            "E * not equivalent: 1 of 2 tensors differ",
            "E * first divergence: output of 1: DIFFERENT; 12 of 12 elements out of rtol 1e-05, atol 1e-06",
            "E * passes with rtol 0.25 and that atol, or atol 0.5 alone",
            "E *shape*verdict*",
            "E *DIFFERENT*",
        ]
    )
    result.stdout.fnmatch_lines(["E *output of b: the new side has no such output*"])
    result.stdout.fnmatch_lines(["old is a int, which cannot be called*"])
    result.stdout.no_fnmatch_line("*tf2bridge/proof/testing/equivalence.py*")


STORED = """
    import pytest, tensorflow as tf
    v1 = tf.compat.v1

    def test_golden(equivalence):
        equivalence.golden("sums", {"a": tf.reduce_sum(tf.range(5.0)), "b": [SCALE, 1.0]})

    def test_by_hand(equivalence):
        equivalence.golden("sum", tf.reduce_sum(tf.range(5.0)))

    def test_no_session(trace):
        pass

    @pytest.mark.tf1(seed=3)
    @pytest.mark.parametrize("size", [2, 3, 4])
    def test_steps(tf1_graph, trace, size):
        w = v1.get_variable("w", [size])
        x = v1.placeholder(tf.float32, [None], name="x")
        tf1_graph.run(v1.global_variables_initializer())
        tf1_graph.run(w.assign_add(x * SCALE), {x: [1.0] * size})
"""


def test_values_and_traces_are_stored_and_compared(pytester: pytest.Pytester) -> None:
    path = pytester.makepyfile(test_stored=STORED.replace("SCALE", "2.0"))
    traces, golden = pytester.path / "traces", pytester.path / "golden"
    for folder in (traces, golden):
        folder.mkdir()
    genuine = traces / "test_stored.test_steps[4].trace"
    shutil.copy(ROOT / "fixtures/legacy/scopes/genuine/scopes.trace", genuine)
    np.savez(golden / "test_stored.test_by_hand.sum.npz", output=np.float32(10))
    first = run(pytester, "--tf2bridge-update", str(path))
    first.assert_outcomes(passed=3, failed=3)
    first.stdout.fnmatch_lines_random(
        [
            "*test_steps[[]4].trace was written by TensorFlow 1.4.1*--tf2bridge-update=force replaces it*",
            "*test_by_hand.sum.npz was written by TensorFlow 1.x or by hand*",
            "*test_no_session asks for `trace`, but ran no session: there is nothing to record*",
        ]
    )
    assert genuine.read_bytes() == (ROOT / "fixtures/legacy/scopes/genuine/scopes.trace").read_bytes()
    assert sorted(path.name for path in traces.iterdir()) == [f"test_stored.test_steps[{n}].trace" for n in (2, 3, 4)]

    path.write_text(textwrap.dedent(STORED).replace("SCALE", "2.5"))
    (traces / "test_stored.test_steps[3].trace").unlink()
    (golden / "test_stored.test_golden.sums.npz").rename(golden / "elsewhere.npz")
    second = run(pytester)
    second.assert_outcomes(failed=5, passed=1)
    second.stdout.fnmatch_lines_random(
        [
            "*test_steps[[]2].trace, written by TensorFlow 2.*not equivalent: 2 of *",
            "first divergence: call 1 (test_stored.py:*), fetch of AssignAdd:0: *",
            "*test_steps[[]3].trace: nothing is stored*recorder.py*--tf2bridge-update*",
            "*test_golden.sums.npz: nothing is stored*numpy.savez*",
        ]
    )


LEGACY = """\
import tensorflow as tf
tf.set_random_seed(3)
w = tf.get_variable("w", [2])
x = tf.placeholder(tf.float32, [None], name="x")
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    session.run(w.assign_add(x * 2.0), {x: [1.0] * 2})
"""


@pytest.mark.oracle
def test_a_trace_of_genuine_tensorflow_is_the_truth(pytester: pytest.Pytester) -> None:
    """The test on TensorFlow 2 computes what TensorFlow 1.15.5 recorded; only a forced update replaces that."""
    python = oracles.interpreter("1.15.5")
    pytester.makepyfile(test_stored=STORED.replace("SCALE", "2.0"))
    (pytester.path / "legacy.py").write_text(LEGACY)
    (pytester.path / "traces").mkdir()
    name = "traces/test_stored.test_steps[2].trace"
    recorder = subprocess.run(
        [sys.executable, "-m", "tf2bridge", "recorder"], capture_output=True, text=True, check=True
    ).stdout
    (pytester.path / "recorder.py").write_text(recorder)
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    command = [str(python), "-W", "ignore", "recorder.py", "--output", name, "--", "legacy.py"]
    subprocess.run(command, cwd=pytester.path, env=environment, check=True, capture_output=True)
    run(pytester, "-k", "test_steps and 2").assert_outcomes(passed=1, deselected=5)
    before = (pytester.path / name).read_bytes()
    run(pytester, "-k", "test_steps and 2", "--tf2bridge-update=force").assert_outcomes(passed=1, deselected=5)
    assert (pytester.path / name).read_bytes() != before


def test_the_plugin_imports_neither_tensorflow_nor_numpy(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        import sys

        def test_nothing_of_it():
            assert "tf2bridge.proof.pytest_plugin" in sys.modules
            loaded = {name.partition(".")[0] for name in sys.modules}
            assert not loaded & {"tensorflow", "numpy", "keras", "tf_keras", "rich", "google", "click"}
        """
    )
    run(pytester).assert_outcomes(passed=1)


def test_without_tensorflow_the_extra_is_named(pytester: pytest.Pytester) -> None:
    pytester.makeconftest("import sys; sys.modules['tensorflow'] = None")  # as if it were not installed
    pytester.makepyfile("def test_a(tf1_graph): pass\ndef test_b(equivalence): pass\ndef test_c(trace): pass")
    result = run(pytester)
    result.assert_outcomes(errors=3)
    assert result.stdout.str().count("pip install 'tf2bridge[tf]'") >= 3
    result.stdout.no_fnmatch_line("*During handling*")
    result.stdout.no_fnmatch_line("*Traceback*")


def test_a_test_that_compares_nothing_is_no_success(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        import numpy as np

        def test_not_used(equivalence):
            pass

        def test_nan(equivalence):
            equivalence(lambda x: x * np.nan, lambda x: x * np.nan, np.ones(3))

        def test_empty(equivalence):
            equivalence.golden("empty", np.zeros(0))

        def test_no_tolerance(equivalence):
            equivalence(lambda x: x, lambda x: x + 1, np.ones(3), rtol=float("nan"))

        def test_swallowed(equivalence):
            try:
                equivalence(lambda x: x, lambda x: x, 3, atol=-1)
            except Exception:
                pass
        """
    )
    folder = pytester.path / "golden"
    folder.mkdir()
    np.savez(
        folder / f"{next(pytester.path.glob('test_*.py')).stem}.test_empty.empty.npz", **{"value:output": np.zeros(0)}
    )
    result = run(pytester)
    result.assert_outcomes(failed=5)
    result.stdout.fnmatch_lines(["*test_not_used asks for `equivalence`, but compared nothing with it"])
    result.stdout.fnmatch_lines(["*not equivalent: what was compared is equal, but all that was compared*"])
    result.stdout.no_fnmatch_line("tf2bridge: * tensors compared")


def test_an_update_is_no_proof_and_says_so(pytester: pytest.Pytester) -> None:
    pytester.makepyfile("def test_golden(equivalence):\n    equivalence.golden('sums', {'a': 1.0, 'b': [2.0, 3.0]})\n")
    stored = run(pytester, "--tf2bridge-update")
    stored.assert_outcomes(passed=1)
    assert stored.ret == pytest.ExitCode.TESTS_FAILED
    stored.stdout.fnmatch_lines(["tf2bridge: 2 tensors stored, which compares nothing: run again without the update"])
    again = run(pytester, "-p", "xdist", "-n", "1")
    assert again.ret == pytest.ExitCode.OK
    again.stdout.fnmatch_lines(["tf2bridge: 2 tensors compared"])
