"""Minimization of a loss by an optimizer outside TensorFlow, such as those of SciPy."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import tensorflow as tf

from tf2bridge.behaviour.messages import logging
from tf2bridge.errors import MissingExtraError

v1 = tf.compat.v1


class ExternalOptimizerInterface:
    """Minimizes `loss` over `var_list` under `equalities` (= 0), `inequalities` (>= 0) and `var_to_bounds`.

    A subclass implements `_minimize`, which receives the other keyword arguments as `optimizer_kwargs`.
    """

    def __init__(
        self,
        loss: Any,
        var_list: Any = None,
        equalities: Any = None,
        inequalities: Any = None,
        var_to_bounds: Any = None,
        **optimizer_kwargs: Any,
    ) -> None:
        self._loss = loss
        self._equalities, self._inequalities = equalities or [], inequalities or []
        self._vars = v1.trainable_variables() if var_list is None else list(var_list)
        self._packed_bounds = None if var_to_bounds is None else _bounds(self._vars, var_to_bounds)
        self._update_placeholders = [v1.placeholder(variable.dtype) for variable in self._vars]
        pairs = zip(self._vars, self._update_placeholders, strict=True)
        self._var_updates = [variable.assign(tf.reshape(value, _shape(variable))) for variable, value in pairs]
        slopes, equality_slopes, inequality_slopes = (
            [_gradients(target, self._vars) for target in group]
            for group in ([loss], self._equalities, self._inequalities)
        )
        self.optimizer_kwargs = optimizer_kwargs
        self._packed_var = self._pack(self._vars)
        self._packed_loss_grad = self._pack(slopes[0])
        self._packed_equality_grads = [self._pack(gradients) for gradients in equality_slopes]
        self._packed_inequality_grads = [self._pack(gradients) for gradients in inequality_slopes]
        ends = list(itertools.accumulate(math.prod(_shape(variable)) for variable in self._vars))
        self._packing_slices = [slice(start, end) for start, end in zip([0, *ends], ends, strict=False)]

    def minimize(
        self,
        session: Any = None,
        feed_dict: Any = None,
        fetches: Any = None,
        step_callback: Callable[..., Any] | None = None,
        loss_callback: Callable[..., Any] | None = None,
        **run_kwargs: Any,
    ) -> None:
        """Runs the whole minimization and assigns the result to the variables.

        Args:
            session: the session to run in; the default session if None.
            feed_dict: values fed at every evaluation.
            fetches: tensors whose values `loss_callback` receives.
            step_callback: called with the packed variables after every step, if the optimizer reports them.
            loss_callback: called with the values of `fetches` at every evaluation of the loss.
            **run_kwargs: keyword arguments of the `session.run` that assigns the result.
        """
        session = session or v1.get_default_session()
        feed, fetches = feed_dict or {}, fetches or []
        loss_callback = loss_callback or _ignore

        def functions(tensors: Any) -> list[Callable[[Any], Any]]:
            return [self._function([tensor], session, feed, fetches) for tensor in tensors]

        packed = self._minimize(
            initial_val=session.run(self._packed_var),
            loss_grad_func=self._function([self._loss, self._packed_loss_grad], session, feed, fetches, loss_callback),
            equality_funcs=functions(self._equalities),
            equality_grad_funcs=functions(self._packed_equality_grads),
            inequality_funcs=functions(self._inequalities),
            inequality_grad_funcs=functions(self._packed_inequality_grads),
            packed_bounds=self._packed_bounds,
            step_callback=step_callback or _ignore,
            optimizer_kwargs=self.optimizer_kwargs,
        )
        values = [packed[part] for part in self._packing_slices]
        feeds = dict(zip(self._update_placeholders, values, strict=True))
        session.run(self._var_updates, feed_dict=feeds, **run_kwargs)

    def _minimize(self, **known: Any) -> Any:
        raise NotImplementedError("ExternalOptimizerInterface is a base class: a subclass implements _minimize()")

    @classmethod
    def _pack(cls, tensors: Any) -> Any:
        flat = [tf.reshape(tensor, [-1]) for tensor in tensors]
        return None if not flat else flat[0] if len(flat) == 1 else tf.concat(flat, 0)

    def _function(
        self, tensors: list[Any], session: Any, feed: Any, fetches: Any, callback: Any = None
    ) -> Callable[[Any], Any]:
        """Returns a function that takes the packed variables and returns the values of `tensors`."""

        def evaluated(packed: Any) -> Any:
            parts = zip(self._vars, self._packing_slices, strict=True)
            feeds = {variable: packed[part].reshape(_shape(variable)) for variable, part in parts}
            values = session.run(tensors + fetches, feed_dict={**feeds, **feed})
            if callable(callback):
                callback(*values[len(tensors) :])
            return values[: len(tensors)]

        return evaluated


class ScipyOptimizerInterface(ExternalOptimizerInterface):
    """Minimizes with `scipy.optimize.minimize`, which gets `method` ("L-BFGS-B" by default), `options` and so on."""

    _DEFAULT_METHOD = "L-BFGS-B"

    def _minimize(self, **known: Any) -> Any:
        options = dict(known["optimizer_kwargs"])
        method = options.pop("method", self._DEFAULT_METHOD)
        arguments = {
            "jac": True,
            "callback": known["step_callback"],
            "method": method,
            "constraints": _constraints(known),
            "bounds": known["packed_bounds"],
        }
        for name in arguments.keys() & options.keys():
            raise ValueError(_refusal(name))
        if method == "TNC" and "options" in options:
            options["options"] = _calls_by_their_name(options["options"])

        def loss_and_gradient(packed: Any) -> tuple[Any, Any]:
            loss, gradient = known["loss_grad_func"](packed)
            return float(loss), gradient.astype("float64")

        initial = known["initial_val"].astype("float64")
        result = _scipy_minimize()(loss_and_gradient, initial, **{**arguments, **options})
        _report(result)
        return result["x"]


def _calls_by_their_name(options: dict[str, Any]) -> dict[str, Any]:
    """Returns the options of TNC with `maxiter` renamed to `maxfun`: SciPy no longer accepts the older name."""
    if options.get("maxiter") is None:
        return options
    renamed = {name: value for name, value in options.items() if name != "maxiter"}
    renamed.setdefault("maxfun", options["maxiter"])
    return renamed


def _refusal(name: str) -> str:
    if name == "bounds":
        return "bounds are set with the argument var_to_bounds"
    return f"{name} is set by ScipyOptimizerInterface itself; leave it out"


def _constraints(functions: dict[str, Any]) -> list[dict[str, Any]]:
    constraints: list[dict[str, Any]] = []
    for kind, name in (("eq", "equality"), ("ineq", "inequality")):
        pairs = zip(functions[f"{name}_funcs"], functions[f"{name}_grad_funcs"], strict=True)
        constraints += [{"type": kind, "fun": _only(value), "jac": _only(slope)} for value, slope in pairs]
    return constraints


def _only(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda packed: np.asarray(function(packed)[0], np.float64)  # SciPy's SLSQP takes no other type


def _scipy_minimize() -> Callable[..., Any]:
    try:
        from scipy.optimize import minimize
    except ModuleNotFoundError:
        raise MissingExtraError("scipy", "convert", "tf.contrib.opt.ScipyOptimizerInterface") from None
    return minimize  # type: ignore[no-any-return]


def _report(result: Any) -> None:
    lines = ["Optimization terminated with:", "  Message: %s", "  Objective function value: %f"]
    values = [result.message, result.fun]
    if hasattr(result, "nit"):
        lines.append("  Number of iterations: %d")
        values.append(result.nit)
    if hasattr(result, "nfev"):
        lines.append("  Number of functions evaluations: %d")
        values.append(result.nfev)
    logging.info("\n".join(lines), *values)


def _bounds(variables: list[Any], bounds_of: Any) -> list[tuple[float, float]]:
    pairs = [(variable, bounds_of[variable]) for variable in bounds_of]
    packed: list[tuple[float, float]] = []
    for variable in variables:
        low, high = next((bounds for bounded, bounds in pairs if bounded is variable), (-np.inf, np.inf))
        shape = _shape(variable)
        packed += zip(np.broadcast_to(low, shape).flat, np.broadcast_to(high, shape).flat, strict=True)
    return packed


def _gradients(tensor: Any, variables: list[Any]) -> list[Any]:
    pairs = zip(variables, v1.gradients(tensor, variables), strict=True)
    return [tf.zeros_like(variable) if slope is None else slope for variable, slope in pairs]


def _shape(tensor: Any) -> tuple[int, ...]:
    return tuple(tensor.shape.as_list())


def _ignore(*_: Any) -> None:
    """Does nothing: the default callback."""
