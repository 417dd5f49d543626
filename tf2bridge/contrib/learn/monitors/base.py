"""The base classes of monitors: BaseMonitor, EveryN, StopAtStep (contrib/learn/python/learn/monitors.py of 1.15.5)."""

from __future__ import annotations

from typing import Any


class BaseMonitor:
    """An object called before and after each training step. Methods raise ValueError if called out of order."""

    def __init__(self) -> None:
        self._begun = False
        self._current_epoch: int | None = None
        self._current_step: int | None = None
        self._max_steps: int | None = None
        self._estimator: Any = None

    @property
    def run_on_all_workers(self) -> bool:
        """True if workers other than the chief also run the monitor."""
        return False

    def set_estimator(self, estimator: Any) -> None:
        """Tells the monitor whose training it follows."""
        if estimator is None:
            raise ValueError("Missing estimator.")
        self._estimator = estimator

    def begin(self, max_steps: int | None = None) -> None:
        """Called before training, with the graph as default graph."""
        if self._begun:
            raise ValueError("begin called twice without end.")
        self._max_steps = max_steps
        self._begun = True

    def end(self, session: Any = None) -> None:
        """Called after training."""
        del session
        if not self._begun:
            raise ValueError("end called without begin.")
        self._max_steps = None
        self._begun = False

    def epoch_begin(self, epoch: int) -> None:
        """Called before an epoch."""
        if self._current_epoch is not None:
            raise ValueError("epoch_begin called twice without epoch_end.")
        if epoch < 0:
            raise ValueError(f"Invalid epoch {epoch}.")
        self._current_epoch = epoch

    def epoch_end(self, epoch: int) -> None:
        """Called after an epoch."""
        if self._current_epoch != epoch:
            raise ValueError(f"epoch_end expected {self._current_epoch} but got {epoch}.")
        self._current_epoch = None

    def step_begin(self, step: int) -> Any:
        """Called before a step. Returns a list of tensors, or of their names, that the step should compute."""
        if step < 0 or (self._max_steps is not None and step > self._max_steps):
            raise ValueError(f"Invalid step {step}.")
        self._current_step = step
        return []

    def step_end(self, step: int, output: Any) -> Any:
        """Called after a step with its outputs {name: value}. Returns True to end the training."""
        del output
        if self._current_step != step:
            raise ValueError(f"step_end expected {self._current_step} but got {step}.")
        self._current_step = None
        return False

    def post_step(self, step: int, session: Any) -> None:
        """Called after `step_end` of all monitors."""


class EveryN(BaseMonitor):
    """Acts at the first steps, at every n-th and at the last."""

    def __init__(self, every_n_steps: int = 100, first_n_steps: int = 1) -> None:
        super().__init__()
        self._every_n_steps = every_n_steps
        self._first_n_steps = first_n_steps
        self._last_successful_step: int | None = None
        self._last_active_step = 0
        self._is_active = False

    def every_n_step_begin(self, step: int) -> Any:
        """Called before a step at which the monitor acts. Returns the same as `step_begin`."""
        del step
        return []

    def every_n_step_end(self, step: int, outputs: Any) -> Any:
        """Called after such a step. Returns True to end the training."""
        del step, outputs
        return False

    def every_n_post_step(self, step: Any, session: Any) -> Any:
        """Called after such a step, and at the end."""

    def step_begin(self, step: int) -> Any:
        """Decides whether the monitor acts at this step."""
        super().step_begin(step)
        is_due = step <= self._first_n_steps or step >= self._every_n_steps + self._last_active_step
        self._is_active = is_due or step == self._max_steps
        return self.every_n_step_begin(step) if self._is_active else []

    def step_end(self, step: int, output: Any) -> Any:
        """Acts if it is time."""
        super().step_end(step, output)
        return self.every_n_step_end(step, output) if self._is_active else False

    def post_step(self, step: int, session: Any) -> None:
        """Acts if it is time."""
        super().post_step(step, session)
        if self._is_active:
            self.every_n_post_step(step, session)
            self._last_active_step = step
        self._last_successful_step = step

    def end(self, session: Any = None) -> None:
        """Acts on the last step, if it has not."""
        super().end(session=session)
        if self._last_successful_step != self._last_active_step:
            self.every_n_post_step(self._last_successful_step, session)


class StopAtStep(BaseMonitor):
    """Ends the training after `num_steps` steps, or at `last_step`. Raises ValueError for neither or both."""

    def __init__(self, num_steps: int | None = None, last_step: int | None = None) -> None:
        super().__init__()
        if num_steps is None and last_step is None:
            raise ValueError("One of num_steps or last_step must be specified.")
        if num_steps is not None and last_step is not None:
            raise ValueError("Only one of num_steps or last_step can be specified.")
        self._num_steps, self._last_step = num_steps, last_step

    @property
    def run_on_all_workers(self) -> bool:
        """True: all workers have to end."""
        return True

    def step_begin(self, step: int) -> Any:
        """Counts from the first step."""
        super().step_begin(step)
        if self._last_step is None:
            self._last_step = step + (self._num_steps or 0) - 1
        return []

    def step_end(self, step: int, output: Any) -> Any:
        """Returns whether the last step is over."""
        super().step_end(step, output)
        return step >= (self._last_step or 0)


def value_of(outputs: Any, request: Any) -> Any:
    """Returns the output of a step for a tensor or its name."""
    return outputs[request] if request in outputs else outputs[request.name]
