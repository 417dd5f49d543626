"""The train ops of a model: one for the generator, one for the discriminator, and the global step."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.contrib.gan.namedtuples import CycleGANModel, GANTrainOps
from tf2bridge.contrib.training.training import create_train_op
from tf2bridge.train.replicas import optimizer as replicas

v1 = tf.compat.v1
UPDATE_OPS = v1.GraphKeys.UPDATE_OPS


def gan_train_ops(
    model: Any,
    loss: Any,
    generator_optimizer: Any,
    discriminator_optimizer: Any,
    check_for_unused_update_ops: bool = True,
    **kwargs: Any,
) -> GANTrainOps:
    """Returns the GANTrainOps of a model and its loss. `kwargs` are arguments of `create_train_op`.

    Each train op runs the update ops of its own scope.

    Raises:
        ValueError: `check_for_unused_update_ops` is true, and an update op is in neither scope.
    """
    if isinstance(model, CycleGANModel):
        more = (generator_optimizer, discriminator_optimizer, check_for_unused_update_ops)
        with v1.name_scope("cyclegan_x2y_train"):
            x2y = gan_train_ops(model.model_x2y, loss.loss_x2y, *more, **kwargs)
        with v1.name_scope("cyclegan_y2x_train"):
            y2x = gan_train_ops(model.model_y2x, loss.loss_y2x, *more, **kwargs)
        generator_ops, discriminator_ops, _ = zip(x2y, y2x, strict=True)
        return GANTrainOps(generator_ops, discriminator_ops, v1.train.get_or_create_global_step().assign_add(1))
    step = v1.train.get_or_create_global_step()
    step_op = step.assign_add(1)
    known = kwargs.pop("update_ops", None)
    updates = v1.get_collection(UPDATE_OPS) if known is None else list(known)
    generator_updates = _of_scope(updates, model.generator_scope.name)
    discriminator_updates = _of_scope(updates, model.discriminator_scope.name)
    if check_for_unused_update_ops:
        _check_all_used(updates, generator_updates + discriminator_updates)
    generator_op = _train_op(
        "generator", loss.generator_loss, generator_optimizer, model.generator_variables, generator_updates, kwargs
    )
    discriminator_op = _train_op(
        "discriminator",
        loss.discriminator_loss,
        discriminator_optimizer,
        model.discriminator_variables,
        discriminator_updates,
        kwargs,
    )
    return GANTrainOps(generator_op, discriminator_op, step_op)


def _of_scope(updates: list[Any], scope: str) -> list[Any]:
    names = {op.name for op in v1.get_collection(UPDATE_OPS, scope)}
    return [op for op in updates if op.name in names]


def _check_all_used(updates: list[Any], used: list[Any]) -> None:
    names = {op.name for op in used}
    if unused := [op.name for op in updates if op.name not in names]:
        raise ValueError(
            f"There are unused update ops: {', '.join(unused)} lie in neither scope of the model; "
            "pass check_for_unused_update_ops=False to leave them out"
        )


def _train_op(name: str, loss: Any, optimizer: Any, variables: Any, updates: list[Any], more: dict[str, Any]) -> Any:
    step = None
    if isinstance(optimizer, replicas.KINDS):
        # This optimizer needs a step to count; the true one counts steps of the whole GAN.
        step, assign = _own_step(name)
        updates = [*updates, assign]
    with v1.name_scope(f"{name}_train"):
        return create_train_op(
            total_loss=loss,
            optimizer=optimizer,
            variables_to_train=variables,
            global_step=step,
            update_ops=updates,
            **more,
        )


def _own_step(name: str) -> tuple[Any, Any]:
    shared = v1.train.get_or_create_global_step()
    step = v1.get_variable(
        f"dummy_global_step_{name}",
        shape=[],
        dtype=shared.dtype.base_dtype,
        initializer=v1.zeros_initializer(),
        trainable=False,
        collections=[v1.GraphKeys.GLOBAL_VARIABLES],
    )
    return step, step.assign(shared)
