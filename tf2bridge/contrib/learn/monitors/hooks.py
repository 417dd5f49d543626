"""Monitors in sessions of today: as one hook."""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from typing import Any

import tensorflow as tf

v1 = tf.compat.v1


class RunHookAdapterForMonitors(v1.train.SessionRunHook):  # type: ignore[name-defined,misc]  # no types
    """Calls monitors around each run of a session."""

    def __init__(self, monitors: Iterable[Any]) -> None:
        self._monitors = list(monitors)

    def begin(self) -> None:
        """Begins all monitors, without a last step."""
        self._last_step: int | None = None
        self._global_step_tensor = v1.train.get_global_step()
        for monitor in self._monitors:
            monitor.begin(max_steps=None)

    def before_run(self, run_context: Any) -> Any:
        """Requests the step and the tensors of the monitors. Raises ValueError if a request is not a list."""
        if self._last_step is None:
            self._last_step = run_context.session.run(self._global_step_tensor) + 1
        wanted: list[Any] = []
        for monitor in self._monitors:
            requests = monitor.step_begin(self._last_step) or []
            if not isinstance(requests, list):
                raise ValueError("Monitor.step_begin should return a list.")
            wanted.extend(requests)
        fetches: dict[Any, Any] = {"step": self._global_step_tensor}
        if wanted:
            fetches["monitors"] = [graph_element(request) for request in wanted]
        self._wanted = wanted
        return v1.train.SessionRunArgs(fetches)

    def after_run(self, run_context: Any, run_values: Any) -> None:
        """Passes the outputs to the monitors, and ends the training if a monitor returns True."""
        values = run_values.results.get("monitors", [])
        outputs = dict(zip(self._wanted, values, strict=True))
        for monitor in self._monitors:
            if monitor.step_end(self._last_step, outputs):
                run_context.request_stop()
        for monitor in self._monitors:
            monitor.post_step(self._last_step, run_context.session)
        self._last_step = run_values.results["step"] + 1

    def end(self, session: Any) -> None:
        """Ends all monitors. The `end` of a program's monitor may have no session parameter."""
        self._last_step = None
        for monitor in self._monitors:
            if "session" in inspect.signature(monitor.end).parameters:
                monitor.end(session=session)
            else:
                monitor.end()


def replace_monitors_with_hooks(monitors_or_hooks: Any, estimator: Any) -> list[Any]:
    """Returns the hooks of a list, and one for the monitors in it."""
    hooks = [hook for hook in monitors_or_hooks or () if isinstance(hook, v1.train.SessionRunHook)]
    monitors = [monitor for monitor in monitors_or_hooks or () if not isinstance(monitor, v1.train.SessionRunHook)]
    if not estimator.config.is_chief:
        monitors = [monitor for monitor in monitors if monitor.run_on_all_workers]
    for monitor in monitors:
        monitor.set_estimator(estimator)
    return [*hooks, RunHookAdapterForMonitors(monitors)] if monitors else hooks


def graph_element(request: Any) -> Any:
    """Returns the tensor of a name, of an operation with one output, or the tensor itself.

    Raises:
        ValueError: the tensor belongs to another graph, or the operation has several outputs.
    """
    graph = v1.get_default_graph()
    if not isinstance(request, str):
        if getattr(request, "graph", None) != graph:
            raise ValueError(f"Passed {request} should have graph attribute that is equal to current graph {graph}.")
        return request
    if ":" in request:
        return graph.as_graph_element(request)
    element = graph.as_graph_element(f"{request}:0")
    if len(element.op.outputs) > 1:
        raise ValueError(f"Name {request} is ambiguous, as this `Operation` has multiple outputs (at least 2).")
    return element
