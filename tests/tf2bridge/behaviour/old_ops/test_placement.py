"""`/gpu:N` where there are fewer devices. Genuine 1.15.5, and 2.21, say of each: "Cannot assign a device"."""

from __future__ import annotations

from tests import forked

_PROGRAM = """
import tensorflow as real
from tf2bridge import v1 as tf
real.config.set_visible_devices([], "GPU")
tf.enable()
towers = []
for i in range(4):
    with tf.device("/gpu:%d" % i):
        towers.append(tf.get_variable("w%d" % i, [], initializer=tf.constant_initializer(i)) * 2)
total = tf.add_n(towers)

def run(**options):
    with tf.Session(**options) as session:
        session.run(tf.global_variables_initializer())
        return session.run(total)
"""
_NOTICE = (
    "tf2bridge: the program asks for GPU 0 to 3, this machine has none: what is placed on missing ones is computed "
    "on the CPU\n"
)


def notices(error: str) -> str:
    return "".join(line for line in error.splitlines(keepends=True) if line.startswith("tf2bridge:"))


def test_missing_gpus_are_computed_elsewhere_with_one_notice() -> None:
    code = """
print(run(), run(config=tf.ConfigProto()), run(config=tf.ConfigProto(allow_soft_placement=True)))
tf.train.create_global_step()
with tf.train.MonitoredTrainingSession() as session:
    print(session.run(total))
with tf.Session(config=tf.ConfigProto(device_count={"CPU": 4})) as session, tf.device("/cpu:3"):
    made = session.run(total * 0 + 5, {each: 1 for each in towers}), (tf.constant(1) + 1).op.device
    print(made, sum(each.device_type == "CPU" for each in session.list_devices()))
"""
    done = forked.run(_PROGRAM + code)
    assert done.stdout.split("\n")[:3] == ["12.0 12.0 12.0", "12.0", "(np.float32(5.0), '/device:CPU:3') 4"], (
        done.stderr
    )
    assert notices(done.stderr) == _NOTICE


def test_a_program_that_allows_no_soft_placement_is_told_so() -> None:
    code = """
def refused(config):
    try:
        return run(config=config)
    except tf2bridge.errors.BridgeError as error:
        return error

import tf2bridge.errors
said = tf.ConfigProto(allow_soft_placement=False)
later = tf.ConfigProto()
later.allow_soft_placement = False
copied = tf.ConfigProto()
copied.CopyFrom(later)
print(refused(said))
print(*{str(refused(each)) == str(refused(said)) for each in (later, copied)})
copied.allow_soft_placement = True
print(refused(copied))
with tf.Graph().as_default(), tf.device("/cpu:0"):
    total = tf.constant(12)
    print(refused(said))
"""
    done = forked.run(_PROGRAM + code)
    assert done.stdout.splitlines() == [
        "the program asks for GPU 0 to 3, this machine has none, and its session sets allow_soft_placement=False: no "
        "GPU of that number; remove the setting from its tf.ConfigProto, so that existing devices compute the "
        "operations, or ask for fewer GPUs (such programs have a flag, --num_gpus=1)",
        *("True", "12.0", "12"),
    ], done.stderr
    assert notices(done.stderr) == _NOTICE
