"""Behaviour that changed between two measured releases changes at the release that changed it.

The borders were read in the wheels of 1.5 to 1.14: `contrib/rnn/python/ops`, `contrib/cudnn_rnn`, `python/compat`,
`python/layers/pooling.py`, `python/ops/embedding_ops.py`, `python/platform/flags.py`. Numbers were computed by the
releases named.
"""

from __future__ import annotations

import pytest

from tests import forked

_CELLS = """
from tf2bridge import v1 as tf
tf.enable(api={api!r})
rnn = tf.contrib.rnn
x = tf.placeholder(tf.float32, [2, 5, 4])
tf.nn.dynamic_rnn(rnn.GRUBlockCell(4), x, dtype=tf.float32, scope="block")
rnn.LSTMBlockFusedCell(4)(tf.transpose(x, [1, 0, 2]), dtype=tf.float32)
tf.nn.dynamic_rnn(tf.contrib.cudnn_rnn.CudnnCompatibleLSTMCell(4), x, dtype=tf.float32, scope="cudnn")
tf.nn.dynamic_rnn(rnn.LSTMBlockCell(4, use_peephole=True), x, dtype=tf.float32, scope="peepholes")
tf.nn.dynamic_rnn(rnn.GLSTMCell(4, number_of_groups=2), x, dtype=tf.float32, scope="groups")
names = [v.op.name for v in tf.global_variables()]
print(next(name for name in names if name.startswith("block/")).rpartition("/")[0])
print(next(name for name in names if name.endswith("/kernel") and not name.startswith(("cudnn", "peep", "groups"))))
print(next(name for name in names if name.startswith("cudnn/")).rpartition("/")[0])
print(*[name[-6] for name in names if name.endswith("_diag") and name.startswith("peepholes")])
print(sum(name.startswith("groups") and name.endswith("kernel") for name in names))
"""


@pytest.mark.parametrize(
    ("api", "block", "fused", "cudnn", "peepholes", "kernels"),
    [
        ("1.4", "GRUBlockCell", "lstm_block_wrapper", "lstm_cell", "i o f", 1),
        ("1.5", "gru_cell", "rnn/lstm_cell", "lstm_cell", "i f o", 1),
        ("1.6", "gru_cell", "lstm_fused_cell", "cudnn_compatible_lstm_cell", "i f o", 1),
        ("1.7", "gru_cell", "lstm_fused_cell", "cudnn_compatible_lstm_cell", "i f o", 2),
        ("1.12", "gru_cell", "lstm_fused_cell", "cudnn_compatible_lstm_cell", "i f o", 2),
    ],
)
def test_variables_of_cells(api: str, block: str, fused: str, cudnn: str, peepholes: str, kernels: int) -> None:
    done = forked.run(_CELLS.format(api=api))
    assert done.returncode == 0, done.stderr[-2000:]
    printed = done.stdout.splitlines()[-5:]
    assert printed == [f"block/{block}", f"{fused}/kernel", f"cudnn/{cudnn}", peepholes, str(kernels)]


@pytest.mark.parametrize(
    ("api", "values"),
    [
        ("1.10", "[-0.10993183, 0.86522895] [0.14931579, 2.1683064]"),  # computed by 1.5.0 to 1.10.0
        ("1.11", "[-0.18561442, -0.4629379] [0.13, 0.22000001]"),  # by 1.11.0 and 1.12.3
    ],
)
def test_shrinkage_of_ftrl(api: str, values: str) -> None:
    program = f"""
from tf2bridge import v1 as tf
tf.enable(api={api!r})
v, g = tf.Variable([1.0, 2.0]), tf.constant([0.1, 0.2])
optimizer = tf.train.FtrlOptimizer(0.5, l2_shrinkage_regularization_strength=0.3)
step = optimizer.apply_gradients([(g, v)])
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for _ in range(3):
        session.run(step)
    print(*[float(value) for array in session.run([v, optimizer.get_slot(v, "accum")]) for value in array])
"""
    done = forked.run(program)
    assert done.returncode == 0, done.stderr[-2000:]
    numbers = [float(word.strip("[],")) for word in values.split()]
    assert [float(word) for word in done.stdout.split()[-4:]] == pytest.approx(numbers, rel=1e-6)


@pytest.mark.parametrize("use_resource", [False, True])
@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize(
    ("api", "moved"),
    [
        ("0.12", 0.0008414387702941895),  # computed by 0.12.1 and 1.4.1
        ("1.4", 0.0008414387702941895),
        ("1.5", 0.0006406307220458984),  # by 1.5.0 to 1.8.0, 1.12.3 and 1.15.5
    ],
)
def test_steps_of_adadelta(api: str, moved: float, sparse: bool, use_resource: bool) -> None:
    program = f"""
from tf2bridge import v1 as tf
tf.enable(api={api!r})
v = tf.get_variable("v", initializer=tf.ones([3, 2]), use_resource={use_resource})
weights = tf.constant([[1.0, 2.0], [3.0, 4.0]])
loss = tf.reduce_sum((tf.gather(v, [0, 2]) if {sparse} else v[::2]) * weights)
step = tf.train.AdadeltaOptimizer(1.0, 0.9, 1e-8).minimize(loss)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for _ in range(2):
        session.run(step)
    print(*(1 - session.run(v)).reshape(-1).tolist())
"""
    done = forked.run(program)
    assert done.returncode == 0, done.stderr[-2000:]
    numbers = [float(word) for word in done.stdout.split()]
    assert numbers == pytest.approx([moved, moved, 0, 0, moved, moved], rel=1e-6)


_BY_RELEASE = """
import sys
from tf2bridge import v1 as tf
tf.enable(api={api!r})
sys.argv[1:] = ["--flag", "False"]
tf.flags.DEFINE_boolean("flag", True, "")
print("flag", tf.flags.FLAGS.flag)
rows = tf.nn.embedding_lookup_sparse(
    tf.ones([3, 2], tf.float16), tf.SparseTensor([[0, 0]], tf.constant([1], tf.int64), [1, 1]), None, combiner="sum"
)
print("sums", rows.dtype.name)
pooled = tf.layers.max_pooling1d(tf.ones([2, 6, 8]), 2, 2, data_format="channels_first")
print("pooled", pooled.shape.as_list())
"""


@pytest.mark.parametrize(
    ("api", "flag", "sums", "pooled"),
    [
        ("1.4", "False", "float16", "[2, 3, 8]"),
        ("1.5", "True", "float16", "[2, 3, 8]"),
        ("1.6", "True", "float16", "[2, 6, 4]"),
        ("1.10", "True", "float16", "[2, 6, 4]"),
        ("1.11", "True", "float32", "[2, 6, 4]"),
    ],
)
def test_flags_lookups_and_pooling(api: str, flag: str, sums: str, pooled: str) -> None:
    done = forked.run(_BY_RELEASE.format(api=api))
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.splitlines()[-3:] == [f"flag {flag}", f"sums {sums}", f"pooled {pooled}"]


@pytest.mark.parametrize(("api", "known"), [("1.9", False), ("1.10", False), ("1.11", True), ("1.13", True)])
def test_the_date_up_to_which_a_release_uses_what_is_new(api: str, known: bool) -> None:
    """1.10 ends on 2018-08-01, 1.11 on 2018-08-31."""
    program = f"""
from tf2bridge import v1 as tf
tf.enable(api={api!r})
from tf2bridge.behaviour.old_ops import forward
print(forward.forward_compatible(2018, 8, 15))
"""
    done = forked.run(program)
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.split()[-1] == str(known)
