"""The cases of fixtures/towers with `towers`, in a process of its own: on four logical CPUs, in a session or by steps.

    python -m tests.tf2bridge.train.tower.cases session|eager FILE.npz

Of each case and way ("devices" or "replicas" of a session, "steps"), what the fixture holds: losses and variables.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import tensorflow as real

from fixtures.towers import model
from fixtures.towers.record import CASES, HERE, STEPS, optimizer_of
from tf2bridge import train
from tf2bridge import v1 as tf

CHECKPOINT = str(Path(HERE) / "1.15.5" / "model.ckpt-25")
CPUS = [f"/cpu:{index}" for index in range(4)]
SPECS = (
    real.TensorSpec([model.BATCH, model.FEATURES]),
    real.TensorSpec([model.BATCH], real.int64),
    real.TensorSpec([None], real.int64),
)


SYNCHRONISED = {
    f"{name}-synchronised": {**CASES[f"{name}-whole"], "count": 2, "normalized": "synchronised"}
    for name in ("norm", "fused")
}


def described(case: dict[str, Any]) -> dict[str, Any]:
    """The arguments of `towers` for a case of the fixture."""
    fixed = {key: case[key] for key in ("batch_norm", "unused") if key in case}

    def tower_fn(tower: train.Tower, *inputs: Any) -> Any:
        return model.tower_loss(tf, tower.scope, *inputs, **fixed)

    return {
        "tower_fn": tower_fn,
        "optimizer": optimizer_of(tf, case.get("optimizer", "momentum")),
        "clip": (lambda grads: tf.clip_by_global_norm(grads, 0.5)[0]) if "clip" in case else None,
        "clip_when": case.get("clip", "after"),
        "batch_norm": case.get("normalized", "tower"),
        "none_gradients": "skip" if "unused" in case else "error",
    }


def averages(case: dict[str, Any], step: Any) -> Any:
    return tf.train.ExponentialMovingAverage(0.9, step) if "averages" in case else None


@functools.cache
def strategy(count: int) -> Any:
    """Four replicas reduce by collectives, whose groups 2.21 cannot have of two sizes; fewer on one device."""
    reduction = None if count == 4 else real.distribute.ReductionToOneDevice()
    return real.distribute.MirroredStrategy(CPUS[:count], cross_device_ops=reduction)


def in_session(case: dict[str, Any], way: str, restored: str = "", saved: str = "") -> dict[str, Any]:
    count = case.get("count", 2)
    chosen = {"devices": CPUS[:count]} if way == "devices" else {"strategy": strategy(count)}
    with tf.Graph().as_default(), tf.device("/cpu:0"), tf.variable_scope("", use_resource="averages" in case):
        step = tf.train.create_global_step()
        placeholders = [tf.placeholder(spec.dtype, spec.shape) for spec in SPECS]
        placeholders[2].set_shape([model.BATCH])
        made = train.towers(
            inputs=placeholders, global_step=step, averages=averages(case, step), **described(case), **chosen
        )
        variables = tf.global_variables()
        saver = tf.train.Saver()
        config = tf.ConfigProto(device_count={"CPU": 4}, allow_soft_placement=True)
        with tf.Session(config=config) as session:
            session.run(tf.global_variables_initializer())
            if restored:
                saver.restore(session, restored)
            rows = []
            for number in range(session.run(step), STEPS):
                feed = dict(zip(placeholders, model.batch(number), strict=True))
                rows.append(session.run([made.losses, made.train_op], feed)[0])
                if saved and number + 1 == STEPS // 2:
                    saver.save(session, saved, write_meta_graph=False)
            names = [variable.op.name for variable in variables]
            return {"losses": np.array(rows), **dict(zip(names, session.run(variables), strict=True))}


def by_steps(case: dict[str, Any], restored: str = "", saved: str = "") -> dict[str, Any]:
    step = real.Variable(0, dtype=real.int64, trainable=False, name="global_step")
    made = train.towers(
        strategy=strategy(case.get("count", 2)),
        inputs=SPECS,
        global_step=step,
        averages=averages(case, step),
        **described(case),
    )
    if restored:
        made.restore(restored)
    rows = []
    for number in range(made.global_step, STEPS):
        result = made.step(*model.batch(number))
        np.testing.assert_allclose(result.loss, np.mean(result.losses), rtol=1e-6)
        rows.append([loss.numpy() for loss in result.losses])
        if saved and number + 1 == STEPS // 2:
            made.save(saved)
    return {"losses": np.array(rows), **{name: variable.numpy() for name, variable in made.variables.items()}}


def sessions(folder: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    for way in ("devices", "replicas"):
        for name, case in CASES.items():
            yield f"{way}/{name}", in_session(case, way)
        yield f"{way}/restored", in_session({}, way, restored=CHECKPOINT)
    for name, case in SYNCHRONISED.items():
        yield f"replicas/{name}", in_session(case, "replicas")
    in_session(CASES["averages"], "replicas", saved=str(folder / "session"))
    yield "devices/averages-from-replicas", in_session(CASES["averages"], "devices", restored=str(folder / "session"))
    in_session(CASES["norm"], "replicas", saved=str(folder / "norm"))
    yield "devices/norm-from-replicas", in_session(CASES["norm"], "devices", restored=str(folder / "norm"))
    for name in ("adam-2", "norm"):
        if (folder / f"{name}.index").exists():
            yield f"devices/{name}-from-steps", in_session(CASES[name], "devices", restored=str(folder / name))


def steps(folder: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    for name, case in CASES.items():
        yield f"steps/{name}", by_steps(case, saved=str(folder / name) if name in ("adam-2", "norm") else "")
    for name, case in SYNCHRONISED.items():
        yield f"steps/{name}", by_steps(case)
    yield "steps/restored", by_steps({}, restored=CHECKPOINT)


if __name__ == "__main__":
    cpus = real.config.list_physical_devices("CPU")
    real.config.set_logical_device_configuration(cpus[0], [real.config.LogicalDeviceConfiguration()] * 4)
    if sys.argv[1] == "session":
        tf.enable()
    path = Path(sys.argv[2])
    results = (sessions if sys.argv[1] == "session" else steps)(path.parent)
    np.savez(path, **{f"{name}/{key}": value for name, result in results for key, value in result.items()})
