"""What the recorder keeps of a program: run here under TensorFlow 2's graph mode, and under the genuine releases."""

from __future__ import annotations

import hashlib
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest

from tests import oracles
from tests.tf2bridge.proof.recording.running import RELEASES, fetched, line, record, recorder
from tf2bridge.proof import recording
from tf2bridge.proof.traces.reader import Trace

EVERYTHING = """\
    tf.set_random_seed(7)
    x = tf.placeholder(tf.float32, [None, 2], name="x")
    s = tf.placeholder(tf.string, name="s")
    sparse = tf.sparse_placeholder(tf.float32, name="sparse")
    w = tf.Variable(tf.random_uniform([2, 3], name="draw"), name="w")
    n = tf.Variable(0, trainable=False, name="n")
    late = tf.Variable(5.0, name="late")
    y = tf.matmul(x, w, name="y")
    grad = tf.gradients(tf.reduce_sum(tf.gather(w, [0, 1, 1])), w)[0]
    count = tf.assign_add(n, 1, name="count")
    Pair = collections.namedtuple("Pair", "first second")
    with tf.Session() as sess:
        sess.run([w.initializer, n.initializer])
        sess.run({"b": y, "a": [Pair(n, count.op), "w:0"]}, {"x:0": [[1, 2]]})  # nest
        late.initializer.run()
        s.eval({s: np.array([[b"a", b"nul\\0"], [b"", u"\\xe9".encode("utf-8")]], dtype=object)})
        sess.run([sparse, grad], {sparse: ([[0, 1]], [3.0], [2, 2])})
        sess.run(tf.cast([1.5], tf.bfloat16, name="brain"))
        side = threading.Thread(target=lambda: sess.run(count), name="side")
        side.start()
        side.join()
        tf.train.Saver().save(sess, "./model")
        try:
            sess.run(y, {x: [[1, 2, 3]]})
        except ValueError:
            print("went on")
    print(sys.argv)
"""


def check_everything(trace: Trace, printed: str) -> None:
    assert printed == "went on\n['program.py', 'arg']\n"
    assert trace.manifest["notes"] == []
    (graph,) = trace.graphs
    assert (graph.seed, [(op.name, op.seed) for op in graph.random_ops]) == (7, [("draw/RandomUniform", 7)])
    w, n, late = graph.variables
    assert [(v.name, v.dtype, v.trainable) for v in (w, n, late)] == [
        ("w", "float32", True),
        ("n", "int32", False),
        ("late", "float32", True),
    ]
    assert [row["initial_after_call"] for row in trace.manifest["graphs"][0]["variables"]] == [0, 0, 2]
    assert w.initial is not None and w.initial == w.final
    assert n.initial is not None and n.final is not None
    assert [int(trace.value(n.initial)), int(trace.value(n.final))] == [0, 2]

    first, nest, _, strings, sparse, brain, side, saver, failed = trace.calls
    assert (first.where, first.via) == (line("[w.initializer", EVERYTHING), "")
    # dicts in the order of their keys, an Operation without a value
    assert [leaf.name for leaf in nest.fetches] == ["n:0", "count", "w:0", "y:0"]
    value = trace.value(w.initial)
    assert fetched(trace, nest) == {
        "n:0": fetched(trace, nest)["n:0"],
        "count": None,
        "w:0": value.tolist(),
        "y:0": (np.array([[1, 2]], np.float32) @ value).tolist(),
    }
    assert [(leaf.name, trace.value(leaf.value or 0).dtype) for leaf in nest.feeds] == [("x:0", np.dtype("float32"))]
    assert fetched(trace, strings) == {"s:0": [[b"a", b"nul\0"], [b"", "\xe9".encode()]]}
    assert strings.via == "", "Tensor.eval is the program's own call"
    assert [leaf.name for leaf in sparse.feeds] == ["sparse/indices:0", "sparse/shape:0", "sparse/values:0"]
    assert [trace.value(leaf.value or 0).tolist() for leaf in sparse.fetches[:5]] == [
        [[0, 1]], [3.0], [2, 2], [[1.0] * 3] * 3, [0, 1, 1],
    ]  # fmt: skip
    row = trace.manifest["values"][brain.fetches[0].value]
    # the older ones give a bfloat16 as its bits
    known = ("array", "uint16", [1]) if trace.release in ("0.12.1", "1.4.1") else ("raw", "bfloat16", [1])
    assert (row["kind"], row["dtype"], row["shape"]) == known
    assert (side.thread, fetched(trace, side)) == ("side", {"count:0": 2})
    assert (saver.via, saver.where) == ("saver", line("Saver().save", EVERYTHING))
    assert failed.error is not None and "ValueError: Cannot feed value of shape (1, 3)" in failed.error
    assert [leaf.value for leaf in failed.fetches] == [None]


def test_everything_a_session_takes_and_gives(tmp_path: Path) -> None:
    trace, printed, _ = record(tmp_path, EVERYTHING)
    check_everything(trace, printed)


@pytest.mark.oracle
@pytest.mark.parametrize("release", RELEASES)
def test_the_same_under_a_genuine_release(tmp_path: Path, release: str) -> None:
    trace, printed, _ = record(tmp_path, EVERYTHING, python=oracles.interpreter(release))
    assert trace.release == release.removesuffix("-py2")
    check_everything(trace, printed)


def test_final_values_however_a_session_ends(tmp_path: Path) -> None:
    trace, _, _ = record(
        tmp_path,
        """\
        def use(last):
            with tf.Graph().as_default():
                v = tf.Variable(1.0)
                sess = tf.Session()
                sess.run(v.initializer)
                sess.run(v.assign(last))
                return sess

        use(3.0).close()
        use(4.0)  # collected
        left_open = use(5.0)
        """,
    )
    finals = [graph.variables[0].final for graph in trace.graphs]
    assert [float(trace.value(ref)) for ref in finals if ref is not None] == [3.0, 4.0, 5.0]


def test_a_monitored_session_is_the_program_s_own(tmp_path: Path) -> None:
    trace, _, _ = record(
        tmp_path,
        """\
        v = tf.Variable(2.0, name="v")
        with tf.train.MonitoredSession() as sess:
            sess.run(v)
        """,
    )
    assert [leaf.name for leaf in trace.program_calls[-1].fetches] == ["v:0"]
    assert [call.via for call in trace.calls[:2]] == ["session_manager", "session_manager"]


@pytest.mark.parametrize(
    ("last_line", "status", "error"),
    [
        ("raise KeyError('end')", 1, "KeyError: 'end'"),
        ("sys.exit(3)", 3, None),
        ("sys.exit('no data')", 1, "no data"),
    ],
)
def test_the_end_of_the_program_is_passed_on(tmp_path: Path, last_line: str, status: int, error: str | None) -> None:
    trace, _, errors = record(tmp_path, f"tf.Session().run(tf.constant(1))\n{last_line}\n", status=status)
    assert trace.manifest["exit"] == {"status": status, "error": error}
    assert len(trace.calls) == 1
    assert (error or "") in errors


LOOP = """\
    v = tf.Variable(tf.zeros([100]))
    step = v.assign_add(tf.ones([100]))
    with tf.Session() as sess:
        sess.run(v.initializer)
        for i in range(6):
            last = sess.run(step)
    print(last[0])
"""


@pytest.mark.parametrize(
    ("option", "reason", "calls"), [("--max-calls=3", "calls", 3), ("--max-bytes=1000", "bytes", 2)]
)
def test_it_stops_at_its_limits_and_the_program_goes_on(tmp_path: Path, option: str, reason: str, calls: int) -> None:
    trace, printed, _ = record(tmp_path, LOOP, option)
    assert printed == "6.0\n"
    assert trace.stopped == {"reason": reason, "call": calls}
    assert len(trace.calls) == calls
    assert [call.index for call in trace.calls] == list(range(calls))


def test_recording_changes_nothing_that_is_computed(tmp_path: Path) -> None:
    program = """\
    tf.set_random_seed(3)
    w = tf.Variable(tf.random_normal([2]))
    noise = tf.random_uniform([3])
    with tf.Session() as sess:
        sess.run(initialize_all())
        extra = tf.Variable(tf.random_normal([2]))
        sess.run(extra.initializer)
        print([repr(sess.run([w, noise, extra])) for i in range(3)], tf.get_default_graph().as_graph_def().ByteSize())
    """
    _, printed, _ = record(tmp_path, program)
    plain = subprocess.run(
        [sys.executable, "-W", "ignore", "program.py"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert printed == plain.stdout


def test_the_manifest_is_what_its_documentation_says(tmp_path: Path) -> None:
    trace, _, _ = record(tmp_path, LOOP)
    with zipfile.ZipFile(trace.path) as archive:
        raw = archive.read("manifest.json")
        listed = {row["name"]: row["bytes"] for row in trace.manifest["members"]}
        present = {info.filename: info.file_size for info in archive.infolist()}
    body, _, digest = raw.rpartition(b',\n "sha256": "')
    assert digest == hashlib.sha256(body).hexdigest().encode() + b'"\n}\n'
    assert listed == {name: size for name, size in present.items() if name != "manifest.json"}
    documented = recording.__doc__ or ""
    assert [key for key in trace.manifest if key not in documented] == []


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--output", "no/such/place.trace", "--", "program.py"], "cannot record to no/such/place.trace"),
        (["--output", "out.trace", "--", "missing.py"], "no such program: missing.py"),
        (["--output", "out.trace"], "none is named"),
    ],
)
def test_wrong_usage_runs_nothing(tmp_path: Path, arguments: list[str], reason: str) -> None:
    (tmp_path / "program.py").write_text("print('ran')\n")
    done = subprocess.run(
        [sys.executable, str(recorder()), *arguments], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert reason in done.stderr.splitlines()[-1]
    assert [path.name for path in tmp_path.iterdir()] == ["program.py"]
