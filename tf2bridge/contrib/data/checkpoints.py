"""`CheckpointInputPipelineHook`: an estimator's input continues where it was."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.internals.data import iterator_ops

v1 = tf.compat.v1

_Hook: Any = v1.train.SessionRunHook
_Saver: Any = v1.train.Saver


class CheckpointInputPipelineHook(_Hook):  # type: ignore[misc]  # TensorFlow has no types here
    """Saves the iterators of the input with each checkpoint of `estimator`, and restores them.

    The files are named "input.ckpt-STEP". With several workers the name also contains the task.
    """

    def __init__(self, estimator: Any) -> None:
        config = estimator._config
        prefix = "input"
        if config.num_worker_replicas > 1:
            prefix += f"_{config.task_type}_{config.task_id}"
        self._saving = v1.train.CheckpointSaverHook(
            estimator.model_dir,
            save_secs=config.save_checkpoints_secs,
            save_steps=config.save_checkpoints_steps,
            checkpoint_basename=f"{prefix}.ckpt",
        )
        self._latest_filename = f"checkpoint_{prefix}"
        self._first_run = True

    def begin(self) -> None:
        if self._saving._saver is None and self._saving._scaffold is None:
            saveables = [
                iterator_ops._IteratorSaveable(iterator, f"{iterator.name}-state")
                for iterator in v1.get_collection(iterator_ops.GLOBAL_ITERATORS)
            ]
            self._saving._saver = _InputSaver(saveables, self._latest_filename)
        self._saving.begin()

    def before_run(self, run_context: Any) -> Any:
        if self._first_run:
            self._restore_or_save(run_context.session)
            self._first_run = False
        return self._saving.before_run(run_context)

    def after_run(self, run_context: Any, run_values: Any) -> None:
        self._saving.after_run(run_context, run_values)

    def end(self, session: Any) -> None:
        self._saving.end(session)

    def _restore_or_save(self, session: Any) -> None:
        latest = tf.train.latest_checkpoint(self._saving._checkpoint_dir, latest_filename=self._latest_filename)
        if latest:
            self._saving._get_saver().restore(session, latest)
            return
        step = session.run(self._saving._global_step_tensor)
        self._saving._save(session, step)
        self._saving._timer.update_last_triggered_step(step)


class _InputSaver(_Saver):  # type: ignore[misc]  # as above
    """A saver with its own list of checkpoints."""

    def __init__(self, saveables: Any, latest_filename: str) -> None:
        super().__init__(saveables)
        self._latest_filename = latest_filename

    def save(
        self,
        sess: Any,
        save_path: str,
        global_step: Any = None,
        latest_filename: str | None = None,
        *args: Any,
        **kwargs: Any,
    ) -> Any:
        """Returns the path of the checkpoint written."""
        return super().save(sess, save_path, global_step, latest_filename or self._latest_filename, *args, **kwargs)
