"""Loops of training: the generator's and the discriminator's steps between steps of the global step."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import tensorflow as tf

from tf2bridge.contrib.gan.namedtuples import GANTrainOps, GANTrainSteps
from tf2bridge.contrib.slim.learning import train_step
from tf2bridge.contrib.training.training import train

v1 = tf.compat.v1


class RunTrainOpsHook(v1.train.SessionRunHook):  # type: ignore[name-defined,misc]  # TensorFlow has no types here
    """Runs `train_ops`, an op or a list of them, `train_steps` times before each run of the session."""

    def __init__(self, train_ops: Any, train_steps: int) -> None:
        self._train_ops = train_ops if isinstance(train_ops, (list, tuple)) else [train_ops]
        self._train_steps = train_steps

    def before_run(self, run_context: Any) -> None:
        """Runs the ops."""
        for _ in range(self._train_steps):
            run_context.session.run(self._train_ops)


_ONE_EACH = GANTrainSteps(1, 1)
GetHooks = Callable[[GANTrainOps], list[Any]]


def get_sequential_train_hooks(train_steps: Any = _ONE_EACH) -> GetHooks:
    """Returns a function of GANTrainOps that gives hooks: all steps of the generator, then of the discriminator."""

    def get_hooks(train_ops: GANTrainOps) -> list[Any]:
        return [
            RunTrainOpsHook(train_ops.generator_train_op, train_steps.generator_train_steps),
            RunTrainOpsHook(train_ops.discriminator_train_op, train_steps.discriminator_train_steps),
        ]

    return get_hooks


def get_joint_train_hooks(train_steps: Any = _ONE_EACH) -> GetHooks:
    """Returns a function GANTrainOps -> hooks. The hooks run the common steps of both first, then the rest."""
    generator_steps, discriminator_steps = train_steps.generator_train_steps, train_steps.discriminator_train_steps
    common = min(generator_steps, discriminator_steps)

    def get_hooks(train_ops: GANTrainOps) -> list[Any]:
        both = [train_ops.generator_train_op, train_ops.discriminator_train_op]
        return [
            RunTrainOpsHook(both, common),
            RunTrainOpsHook(both[0], generator_steps - common),
            RunTrainOpsHook(both[1], discriminator_steps - common),
        ]

    return get_hooks


def gan_train(
    train_ops: GANTrainOps,
    logdir: str | None,
    get_hooks_fn: GetHooks = get_sequential_train_hooks(),  # noqa: B008  # the default of contrib.gan: it holds no state
    master: str = "",
    is_chief: bool = True,
    scaffold: Any = None,
    hooks: Iterable[Any] | None = None,
    chief_only_hooks: Any = None,
    save_checkpoint_secs: int | None = 600,
    save_summaries_steps: int | None = 100,
    config: Any = None,
) -> Any:
    """Trains with the hooks of `get_hooks_fn` and returns the last global step; the rest is of `training.train`."""
    return train(
        train_ops.global_step_inc_op,
        logdir,
        master=master,
        is_chief=is_chief,
        scaffold=scaffold,
        hooks=[*(hooks or ()), *get_hooks_fn(train_ops)],
        chief_only_hooks=chief_only_hooks,
        save_checkpoint_secs=save_checkpoint_secs,
        save_summaries_steps=save_summaries_steps,
        config=config,
    )


def get_sequential_train_steps(train_steps: Any = _ONE_EACH) -> Callable[..., tuple[Any, Any]]:
    """Returns a `train_step_fn` for `slim.learning.train`, whose train op is then a GANTrainOps."""

    def sequential_train_steps(
        sess: Any, train_ops: GANTrainOps, global_step: Any, train_step_kwargs: Mapping[str, Any]
    ) -> tuple[Any, Any]:
        kwargs = dict(train_step_kwargs)
        should_stop_op = kwargs.pop("should_stop", None)
        total = 0
        for op, count in (
            (train_ops.generator_train_op, train_steps.generator_train_steps),
            (train_ops.discriminator_train_op, train_steps.discriminator_train_steps),
        ):
            part = 0
            for _ in range(count):
                part += train_step(sess, op, global_step, kwargs)[0]
            total += part
        sess.run(train_ops.global_step_inc_op)
        # The step is counted before the question whether it was the last.
        return total, False if should_stop_op is None else sess.run(should_stop_op)

    return sequential_train_steps
