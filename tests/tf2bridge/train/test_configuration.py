"""`train.configure`: what a ConfigProto says holds for a program without a session."""

from __future__ import annotations

from tests.forked import run

EARLY = """
import tensorflow as tf
from tf2bridge import train

v1 = tf.compat.v1
config = v1.ConfigProto(
    device_count={"CPU": 3, "GPU": 0}, intra_op_parallelism_threads=3, inter_op_parallelism_threads=2,
    log_device_placement=True, allow_soft_placement=True,
    gpu_options=v1.GPUOptions(allow_growth=True, per_process_gpu_memory_fraction=0.4),
)
config.graph_options.optimizer_options.global_jit_level = v1.OptimizerOptions.ON_1
assert train.configure(config) == []
assert [each.name for each in tf.config.list_logical_devices("CPU")] == [f"/device:CPU:{i}" for i in range(3)]
assert tf.config.threading.get_intra_op_parallelism_threads() == 3
assert tf.config.threading.get_inter_op_parallelism_threads() == 2
assert tf.config.optimizer.get_jit() == "autoclustering"
assert tf.debugging.get_log_device_placement() and tf.config.get_soft_device_placement()
with tf.device("/cpu:2"):
    assert (tf.constant(1) + 1).device.endswith("/device:CPU:2")
"""

LATE = """
import tensorflow as tf
from tf2bridge import train

tf.constant(1)
for notice in train.configure(tf.compat.v1.ConfigProto(
    device_count={"CPU": 2}, inter_op_parallelism_threads=1, intra_op_parallelism_threads=3,
    operation_timeout_in_ms=5, gpu_options=tf.compat.v1.GPUOptions(visible_device_list="7"),
)):
    print(notice)
"""


def test_before_the_first_operation() -> None:
    done = run(EARLY)
    assert done.returncode == 0, done.stderr[-2000:]


def test_too_late_or_without_a_counterpart() -> None:
    done = run(LATE)
    assert done.returncode == 0, done.stderr[-2000:]
    inter, intra, count, visible, timeout = done.stdout.splitlines()
    late = "; call tf2bridge.train.configure when the program starts, before its first operation"
    assert (
        inter.startswith("inter_op_parallelism_threads is not set: Inter op parallelism cannot be modified")
        and late in inter
    )
    assert intra.startswith("intra_op_parallelism_threads is not set") and intra.endswith(late)
    assert visible.startswith("gpu_options.visible_device_list is not set: there is no GPU 7")
    assert count.startswith("device_count is not set") and count.endswith(late)
    assert timeout.startswith("operation_timeout_in_ms has no meaning without a session")
    assert f"tf2bridge: ConfigProto: {timeout}\n" in done.stderr
