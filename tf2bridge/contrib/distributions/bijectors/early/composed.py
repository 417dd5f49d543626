"""Bijectors made of other bijectors or of functions, up to 1.4."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import tensorflow as tf

from tf2bridge.contrib.distributions.bijectors import composed
from tf2bridge.contrib.distributions.bijectors.early.base import Bijector


class Chain(Bijector, composed.Chain):
    """The composition of bijectors. Each has its own event rank; the chain has that of the first bijector."""

    def __init__(
        self, bijectors: Sequence[Any] | None = None, validate_args: bool = False, name: str | None = None
    ) -> None:
        composed.Chain.__init__(self, bijectors, validate_args=validate_args, name=name)
        self._set_event_ndims(self.bijectors[0].event_ndims if self.bijectors else None)

    def _summed(
        self, value: Any, direction: str, event_ndims: Any, bijectors: Iterable[Any], kwargs: dict[str, Any]
    ) -> Any:
        del event_ndims
        total = tf.constant(0.0, dtype=value.dtype, name=f"{direction}_log_det_jacobian")
        for bijector in bijectors:
            bijector_kwargs = kwargs.get(bijector.name, {})
            total += getattr(bijector, f"{direction}_log_det_jacobian")(value, **bijector_kwargs)
            value = getattr(bijector, direction)(value, **bijector_kwargs)
        return total


class Invert(Bijector, composed.Invert):
    """The inverse of `bijector`."""

    def __init__(self, bijector: Any, validate_args: bool = False, name: str | None = None) -> None:
        composed.Invert.__init__(self, bijector, validate_args=validate_args, name=name)
        self._set_event_ndims(bijector.event_ndims)


class Inline(Bijector, composed.Inline):
    """A bijector of single numbers, made of functions."""

    def __init__(
        self,
        forward_fn: Callable[..., Any] | None = None,
        inverse_fn: Callable[..., Any] | None = None,
        inverse_log_det_jacobian_fn: Callable[..., Any] | None = None,
        forward_log_det_jacobian_fn: Callable[..., Any] | None = None,
        forward_event_shape_fn: Callable[..., Any] | None = None,
        forward_event_shape_tensor_fn: Callable[..., Any] | None = None,
        inverse_event_shape_fn: Callable[..., Any] | None = None,
        inverse_event_shape_tensor_fn: Callable[..., Any] | None = None,
        is_constant_jacobian: bool = False,
        validate_args: bool = False,
        name: str = "inline",
    ) -> None:
        jacobians = (inverse_log_det_jacobian_fn, forward_log_det_jacobian_fn)
        forward_shape = (forward_event_shape_fn, forward_event_shape_tensor_fn)
        inverse_shape = (inverse_event_shape_fn, inverse_event_shape_tensor_fn)
        functions = (forward_fn, inverse_fn, *jacobians, *forward_shape, *inverse_shape)
        composed.Inline.__init__(self, *functions, is_constant_jacobian, validate_args, 0, name=name)
        self._set_event_ndims(0)


class ConditionalBijector(Bijector):
    """A bijector whose methods pass extra keyword arguments to the methods of its subclass."""

    forward, inverse = composed.ConditionalBijector.forward, composed.ConditionalBijector.inverse

    def inverse_log_det_jacobian(self, y: Any, name: str = "inverse_log_det_jacobian", **condition_kwargs: Any) -> Any:
        """Returns log(abs(det(dx / dy)))."""
        return self._call_inverse_log_det_jacobian(y, name, **condition_kwargs)

    def forward_log_det_jacobian(self, x: Any, name: str = "forward_log_det_jacobian", **condition_kwargs: Any) -> Any:
        """Returns log(abs(det(dy / dx)))."""
        return self._call_forward_log_det_jacobian(x, name, **condition_kwargs)
