"""Monitors that log, keep or check values of tensors."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Any, ClassVar

import numpy as np
import tensorflow as tf

from tf2bridge.behaviour.messages import logging
from tf2bridge.contrib.learn.monitors.base import BaseMonitor, EveryN, value_of

v1 = tf.compat.v1


class PrintTensor(EveryN):
    """Logs tensors, given by names or as {tag: name}."""

    def __init__(self, tensor_names: Any, every_n: int = 100, first_n: int = 1) -> None:
        super().__init__(every_n, first_n)
        is_named = isinstance(tensor_names, dict)
        self._tensor_names = tensor_names if is_named else {name: name for name in tensor_names}

    def every_n_step_begin(self, step: int) -> Any:
        """Asks for the tensors."""
        super().every_n_step_begin(step)
        return list(self._tensor_names.values())

    def every_n_step_end(self, step: int, outputs: Any) -> Any:
        """Logs the tensors."""
        super().every_n_step_end(step, outputs)
        logging.info("Step %d: %s", step, _listed(self._tensor_names, outputs))


class LoggingTrainable(EveryN):
    """Logs the trainable variables of a scope."""

    def __init__(self, scope: str | None = None, every_n: int = 100, first_n: int = 1) -> None:
        super().__init__(every_n, first_n)
        self._scope = scope

    def every_n_step_begin(self, step: int) -> Any:
        """Asks for the variables."""
        super().every_n_step_begin(step)
        variables = v1.get_collection(v1.GraphKeys.TRAINABLE_VARIABLES, scope=self._scope)
        self._names = {variable.name: variable.value().name for variable in variables}
        return list(self._names.values())

    def every_n_step_end(self, step: int, outputs: Any) -> Any:
        """Logs the variables."""
        super().every_n_step_end(step, outputs)
        logging.info("Logging Trainable: Step %d: %s", step, _listed(self._names, outputs))


class CaptureVariable(EveryN):
    """Keeps the values of a variable or tensor: `values` is {step: value}."""

    def __init__(self, var_name: str, every_n: int = 100, first_n: int = 1) -> None:
        super().__init__(every_n, first_n)
        self._var_name = var_name
        self._var_values: dict[int, Any] = {}

    @property
    def values(self) -> dict[int, Any]:
        """The values by step."""
        return self._var_values

    def every_n_step_begin(self, step: int) -> Any:
        """Asks for the variable."""
        super().every_n_step_begin(step)
        return [self._var_name]

    def every_n_step_end(self, step: int, outputs: Any) -> Any:
        """Keeps the value."""
        super().every_n_step_end(step, outputs)
        self._var_values[step] = value_of(outputs, self._var_name)


class GraphDump(BaseMonitor):
    """Keeps the first output of every operation: `data` is {step: {name: value}}."""

    IGNORE_OPS: ClassVar = ["Const", "Assign", "Identity", "Placeholder", "RandomUniform", "Cast", "RestoreSlice"]

    def __init__(self, ignore_ops: Iterable[str] | None = None) -> None:
        super().__init__()
        self._ignore_ops = ignore_ops or self.IGNORE_OPS
        self._data: dict[int, Any] = {}

    def begin(self, max_steps: int | None = None) -> None:
        """Takes the tensors of the default graph."""
        super().begin(max_steps=max_steps)
        operations = v1.get_default_graph().get_operations()
        kept = [operation for operation in operations if operation.type not in self._ignore_ops]
        for operation in kept:
            logging.info("op=%s name=%s.", operation.type, operation.name)
        self._tensors = [operation.outputs[0] for operation in kept if operation.outputs]

    def step_begin(self, step: int) -> Any:
        """Asks for all tensors."""
        super().step_begin(step)
        return self._tensors

    def step_end(self, step: int, output: Any) -> Any:
        """Stores the outputs of the step."""
        super().step_end(step, output)
        self._data[step] = output

    @property
    def data(self) -> dict[int, Any]:
        """The outputs of each step."""
        return self._data

    def compare(self, other_dump: GraphDump, step: int, atol: float = 1e-6) -> tuple[list[str], dict[str, Any]]:
        """Returns the names of equal tensors, and the differences of the others.

        Raises:
            ValueError: the other dump lacks a tensor.
        """
        ours, theirs = self.data.get(step, {}), other_dump.data.get(step, {})
        equal: list[str] = []
        different: dict[str, Any] = {}
        for key in (key for key in ours if isinstance(key, str)):
            if key not in theirs:
                raise ValueError(f"{key} missing at step {step}.")
            value, other_value = value_of(ours, key), value_of(theirs, key)
            if isinstance(value, str):
                continue
            if isinstance(value, np.ndarray) and np.allclose(value, other_value, atol=atol):
                equal.append(key)
            elif isinstance(value, np.ndarray):
                different[key] = value - other_value
            elif value != other_value:
                different[key] = (value, other_value)
            else:
                equal.append(key)
        return equal, different


class NanLoss(EveryN):
    """Ends the training if the loss is NaN. By default raises NanLossDuringTrainingError."""

    def __init__(self, loss_tensor: Any, every_n_steps: int = 100, fail_on_nan_loss: bool = True) -> None:
        super().__init__(every_n_steps=every_n_steps)
        self._loss_tensor, self._fail_on_nan_loss = loss_tensor, fail_on_nan_loss

    def every_n_step_begin(self, step: int) -> Any:
        """Asks for the loss."""
        super().every_n_step_begin(step)
        return [self._loss_tensor]

    def every_n_step_end(self, step: int, outputs: Any) -> Any:
        """Checks the loss."""
        super().every_n_step_end(step, outputs)
        if not np.isnan(value_of(outputs, self._loss_tensor)):
            return None
        if self._fail_on_nan_loss:
            logging.error("Model diverged with loss = NaN.")
            raise v1.train.NanLossDuringTrainingError
        logging.warning("Model diverged with loss = NaN.")
        return True


class StepCounter(EveryN):
    """Writes the steps per second as the summary "global_step/sec"."""

    def __init__(self, every_n_steps: int = 100, output_dir: str | None = None, summary_writer: Any = None) -> None:
        super().__init__(every_n_steps=every_n_steps)
        self._last: tuple[int, float] | None = None
        self._summary_writer = summary_writer
        if summary_writer is None and output_dir:
            self._summary_writer = v1.summary.FileWriterCache.get(output_dir)

    def set_estimator(self, estimator: Any) -> None:
        """Writes to the estimator's directory, if no other is given."""
        super().set_estimator(estimator)
        if self._summary_writer is None:
            self._summary_writer = v1.summary.FileWriterCache.get(estimator.model_dir)

    def every_n_step_end(self, step: int, outputs: Any) -> Any:
        """Writes the summary."""
        del outputs
        now = time.time()
        if self._last is not None and self._summary_writer:
            speed = (step - self._last[0]) / (now - self._last[1])
            value = v1.Summary.Value(tag="global_step/sec", simple_value=speed)
            self._summary_writer.add_summary(v1.Summary(value=[value]), step)
        self._last = (step, now)


def _listed(names: dict[str, Any], outputs: Any) -> str:
    """Returns the outputs of a step as text: "tag = value, tag = value"."""
    rows = [f"{tag} = {value_of(outputs, name)}" for tag, name in names.items() if name in outputs]
    return ", ".join(rows)
