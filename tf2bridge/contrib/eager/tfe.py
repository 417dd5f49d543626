"""The functions of `tfe`: enabling eager execution, compiling functions, and iterating over datasets."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import tensorflow as tf

from tf2bridge.behaviour.old_ops.compiled import compiled
from tf2bridge.internals.data import iterator_ops
from tf2bridge.internals.eager import context

v1 = tf.compat.v1


def enable_eager_execution(config: Any = None, device_policy: Any = None, execution_mode: Any = None) -> None:
    """Enables eager execution in the process, with its variables and control flow.

    As in 1.x, shapes hold Dimensions, and `==` compares the identity of tensors. Call it at the program's start.

    Raises:
        ValueError: the default graph is already in use.
    """
    v1.enable_eager_execution(config=config, device_policy=device_policy, execution_mode=execution_mode)
    v1.enable_resource_variables()
    v1.enable_control_flow_v2()


def run(main: Any = None, argv: Any = None) -> None:
    """Runs `tf.app.run(main, argv)` with eager execution on; ends the process."""
    enable_eager_execution()
    v1.app.run(main, argv)


def defun(
    func: Callable[..., Any] | None = None,
    input_signature: Any = None,
    autograph: bool = True,
    experimental_autograph_options: Any = None,
    experimental_relax_shapes: bool = False,
) -> Any:
    """Returns `func` compiled into a graph; without `func`, a decorator that does so."""

    make = functools.partial(
        compiled,
        input_signature=input_signature,
        autograph=autograph,
        experimental_autograph_options=experimental_autograph_options,
        reduce_retracing=experimental_relax_shapes,
    )
    return make if func is None else make(func)


class Iterator(iterator_ops.OwnedIterator):  # type: ignore[misc]
    """Walks through `dataset`. Raises RuntimeError outside eager execution: use make_one_shot_iterator there."""

    def __init__(self, dataset: Any) -> None:
        if not tf.executing_eagerly():
            raise RuntimeError(
                "tf.contrib.eager.Iterator needs eager execution; in a graph use dataset.make_one_shot_iterator()"
            )
        super().__init__(dataset)


class Saver:
    """A `tf.train.Saver` without a session. Raises RuntimeError outside eager execution."""

    def __init__(self, var_list: Any) -> None:
        if not tf.executing_eagerly():
            raise RuntimeError("tf.contrib.eager.Saver needs eager execution; in a graph use tf.train.Saver")
        self._saver = v1.train.Saver(var_list=var_list)

    def save(self, file_prefix: str, global_step: Any = None) -> str:
        """Writes the variables; returns the path of the checkpoint."""
        with tf.device("/device:CPU:0"):
            path: str = self._saver.save(None, file_prefix, write_meta_graph=False, global_step=global_step)
        return path

    def restore(self, file_prefix: str) -> None:
        """Reads the variables from a checkpoint."""
        with tf.device("/device:CPU:0"):
            self._saver.restore(None, file_prefix)


def get_optimizer_variables(optimizer: Any) -> Any:
    """Returns the variables of an optimizer."""
    return optimizer.variables()


def num_gpus() -> int:
    """Returns the number of GPUs."""
    return len(tf.config.list_logical_devices("GPU"))


def list_devices() -> list[str]:
    """Returns the names of the devices of this process."""
    names: list[str] = context.context().devices()
    return names
