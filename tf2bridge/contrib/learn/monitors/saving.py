"""Monitors that write: summaries and checkpoints. And the monitors that `train` takes by default."""

from __future__ import annotations

import time
from typing import Any

import tensorflow as tf

from tf2bridge.behaviour.messages import logging
from tf2bridge.contrib.learn.monitors.base import BaseMonitor, EveryN, value_of
from tf2bridge.contrib.learn.monitors.reporting import PrintTensor

v1 = tf.compat.v1


class SummarySaver(EveryN):
    """Writes a summary op, or the summary op of a scaffold."""

    def __init__(
        self,
        summary_op: Any,
        save_steps: int = 100,
        output_dir: str | None = None,
        summary_writer: Any = None,
        scaffold: Any = None,
    ) -> None:
        super().__init__(every_n_steps=save_steps)
        self._summary_op, self._summary_writer, self._scaffold = summary_op, summary_writer, scaffold
        if summary_writer is None and output_dir:
            self._summary_writer = v1.summary.FileWriter(output_dir)

    def set_estimator(self, estimator: Any) -> None:
        """Writes to the estimator's directory, if no other is given."""
        super().set_estimator(estimator)
        if self._summary_writer is None:
            self._summary_writer = v1.summary.FileWriter(estimator.model_dir)

    def every_n_step_begin(self, step: int) -> Any:
        """Asks for the summary."""
        super().every_n_step_begin(step)
        if self._summary_op is None and self._scaffold is not None:
            self._summary_op = self._scaffold.summary_op
        return [] if self._summary_op is None else [self._summary_op]

    def every_n_step_end(self, step: int, outputs: Any) -> Any:
        """Writes the summary."""
        super().every_n_step_end(step, outputs)
        if self._summary_op is not None and self._summary_writer:
            self._summary_writer.add_summary(value_of(outputs, self._summary_op), step)
        return False

    def end(self, session: Any = None) -> None:
        """Flushes the file."""
        super().end(session=session)
        if self._summary_writer:
            self._summary_writer.flush()


class CheckpointSaver(BaseMonitor):
    """Saves a checkpoint every `save_secs` seconds or `save_steps` steps, at the first step and at the end.

    Raises:
        ValueError: not exactly one of `save_secs` and `save_steps` is given.
    """

    def __init__(
        self,
        checkpoint_dir: str,
        save_secs: int | None = None,
        save_steps: int | None = None,
        saver: Any = None,
        checkpoint_basename: str = "model.ckpt",
        scaffold: Any = None,
    ) -> None:
        logging.info("Create CheckpointSaver.")
        super().__init__()
        self._saver, self._scaffold = saver, scaffold
        self._summary_writer = v1.summary.FileWriterCache.get(checkpoint_dir)
        self._save_path = (
            f"{checkpoint_dir}/{checkpoint_basename}"  # a file system of TensorFlow's, not only a local one
        )
        self._save_secs, self._save_steps = save_secs, save_steps
        self._forget()
        if save_steps is None and save_secs is None:
            raise ValueError("Either save_steps or save_secs should be provided")
        if save_steps is not None and save_secs is not None:
            raise ValueError("Can not provide both save_steps and save_secs.")

    def _forget(self) -> None:
        self._last_saved_time: float | None = None
        self._last_begin_step: int | None = None
        self._last_saved_step: int | None = None

    def begin(self, max_steps: int | None = None) -> None:
        """Resets the state."""
        super().begin(max_steps)
        self._forget()

    def step_begin(self, step: int) -> Any:
        """Remembers the step."""
        super().step_begin(step)
        self._last_begin_step = step

    def post_step(self, step: int, session: Any) -> None:
        """Saves if it is time."""
        super().post_step(step, session)
        if self._is_due(step):
            self._save(step, session)

    def _is_due(self, step: int) -> bool:
        if self._last_saved_time is None or self._last_saved_step is None:
            return True
        if self._save_steps is not None:
            return step >= self._last_saved_step + self._save_steps
        return time.time() >= self._last_saved_time + (self._save_secs or 0)

    def end(self, session: Any = None) -> None:
        """Saves the last step."""
        super().end(session)
        self._save(self._last_begin_step, session)

    def _save(self, step: int | None, session: Any) -> None:
        if step == self._last_saved_step:
            return
        logging.info("Saving checkpoints for %d into %s.", step, self._save_path)
        self._last_saved_time, self._last_saved_step = time.time(), step
        saver = self._scaffold.saver if self._saver is None else self._saver
        saver.save(session, self._save_path, global_step=step)
        log = v1.SessionLog(status=v1.SessionLog.CHECKPOINT, checkpoint_path=self._save_path)
        self._summary_writer.add_session_log(log, step)


def get_default_monitors(
    loss_op: Any = None,
    summary_op: Any = None,
    save_summary_steps: int = 100,
    output_dir: str | None = None,
    summary_writer: Any = None,
) -> list[BaseMonitor]:
    """Returns a monitor that logs the loss, and another that writes summaries."""
    monitors: list[BaseMonitor] = []
    if loss_op is not None:
        monitors.append(PrintTensor(tensor_names={"loss": loss_op.name}))
    if summary_op is not None:
        monitors.append(SummarySaver(summary_op, save_summary_steps, output_dir, summary_writer))
    return monitors
