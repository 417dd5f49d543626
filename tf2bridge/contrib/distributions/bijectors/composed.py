"""Bijectors made of other bijectors or of functions: Chain, Invert, Inline and ConditionalBijector."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import tensorflow as tf

from tf2bridge.contrib.distributions.core import Bijector, v1


class ConditionalBijector(Bijector):  # type: ignore[misc]  # TensorFlow has no types
    """A bijector whose methods pass extra keyword arguments to the methods of its subclass."""

    def forward(self, x: Any, name: str = "forward", **condition_kwargs: Any) -> Any:
        """Returns y of x."""
        return self._call_forward(x, name, **condition_kwargs)

    def inverse(self, y: Any, name: str = "inverse", **condition_kwargs: Any) -> Any:
        """Returns x of y."""
        return self._call_inverse(y, name, **condition_kwargs)

    def inverse_log_det_jacobian(
        self, y: Any, event_ndims: Any, name: str = "inverse_log_det_jacobian", **condition_kwargs: Any
    ) -> Any:
        """Returns log(abs(det(dx / dy))), summed over the last `event_ndims` dimensions."""
        return self._call_inverse_log_det_jacobian(y, event_ndims, name, **condition_kwargs)

    def forward_log_det_jacobian(
        self, x: Any, event_ndims: Any, name: str = "forward_log_det_jacobian", **condition_kwargs: Any
    ) -> Any:
        """Returns log(abs(det(dy / dx))), summed over the last `event_ndims` dimensions."""
        return self._call_forward_log_det_jacobian(x, event_ndims, name, **condition_kwargs)


class Inline(Bijector):  # type: ignore[misc]  # TensorFlow has no types
    """A bijector made of functions. A method whose function is missing raises NotImplementedError."""

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
        forward_min_event_ndims: int | None = None,
        inverse_min_event_ndims: int | None = None,
        name: str = "inline",
    ) -> None:
        super().__init__(
            forward_min_event_ndims=forward_min_event_ndims,
            inverse_min_event_ndims=inverse_min_event_ndims,
            is_constant_jacobian=is_constant_jacobian,
            validate_args=validate_args,
            name=name,
        )
        self._functions = {
            "forward_fn": forward_fn,
            "inverse_fn": inverse_fn,
            "inverse_log_det_jacobian_fn": inverse_log_det_jacobian_fn,
            "forward_log_det_jacobian_fn": forward_log_det_jacobian_fn,
        }
        self._shapes = (forward_event_shape_fn, inverse_event_shape_fn)
        self._shape_tensors = (forward_event_shape_tensor_fn, inverse_event_shape_tensor_fn)

    def _call(self, function_name: str, value: Any, kwargs: dict[str, Any]) -> Any:
        function = self._functions[function_name]
        if not callable(function):
            raise NotImplementedError(f"{function_name} is not a callable function.")
        return function(value, **kwargs)

    def _forward(self, x: Any, **kwargs: Any) -> Any:
        return self._call("forward_fn", x, kwargs)

    def _inverse(self, y: Any, **kwargs: Any) -> Any:
        return self._call("inverse_fn", y, kwargs)

    def _inverse_log_det_jacobian(self, y: Any, **kwargs: Any) -> Any:
        return self._call("inverse_log_det_jacobian_fn", y, kwargs)

    def _forward_log_det_jacobian(self, x: Any, **kwargs: Any) -> Any:
        return self._call("forward_log_det_jacobian_fn", x, kwargs)

    def _forward_event_shape(self, input_shape: Any) -> Any:
        return input_shape if self._shapes[0] is None else self._shapes[0](input_shape)

    def _inverse_event_shape(self, output_shape: Any) -> Any:
        return output_shape if self._shapes[1] is None else self._shapes[1](output_shape)

    def _forward_event_shape_tensor(self, input_shape: Any) -> Any:
        return input_shape if self._shape_tensors[0] is None else self._shape_tensors[0](input_shape)

    def _inverse_event_shape_tensor(self, output_shape: Any) -> Any:
        return output_shape if self._shape_tensors[1] is None else self._shape_tensors[1](output_shape)


class Invert(Bijector):  # type: ignore[misc]  # TensorFlow has no types
    """The inverse of `bijector`. Raises NotImplementedError if `bijector` is not injective."""

    def __init__(self, bijector: Any, validate_args: bool = False, name: str | None = None) -> None:
        if not bijector._is_injective:
            raise NotImplementedError("Invert is not implemented for non-injective bijectors.")
        self._bijector = bijector
        super().__init__(
            graph_parents=bijector.graph_parents,
            forward_min_event_ndims=bijector.inverse_min_event_ndims,
            inverse_min_event_ndims=bijector.forward_min_event_ndims,
            is_constant_jacobian=bijector.is_constant_jacobian,
            validate_args=validate_args,
            dtype=bijector.dtype,
            name=name or f"invert_{bijector.name}",
        )

    @property
    def bijector(self) -> Any:
        """The bijector that is inverted."""
        return self._bijector

    def _forward_event_shape(self, input_shape: Any) -> Any:
        return self.bijector._inverse_event_shape(input_shape)

    def _forward_event_shape_tensor(self, input_shape: Any) -> Any:
        return self.bijector._inverse_event_shape_tensor(input_shape)

    def _inverse_event_shape(self, output_shape: Any) -> Any:
        return self.bijector._forward_event_shape(output_shape)

    def _inverse_event_shape_tensor(self, output_shape: Any) -> Any:
        return self.bijector._forward_event_shape_tensor(output_shape)

    def _forward(self, x: Any, **kwargs: Any) -> Any:
        return self.bijector._inverse(x, **kwargs)

    def _inverse(self, y: Any, **kwargs: Any) -> Any:
        return self.bijector._forward(y, **kwargs)

    def _inverse_log_det_jacobian(self, y: Any, **kwargs: Any) -> Any:
        return self.bijector._forward_log_det_jacobian(y, **kwargs)

    def _forward_log_det_jacobian(self, x: Any, **kwargs: Any) -> Any:
        return self.bijector._inverse_log_det_jacobian(x, **kwargs)


class Chain(Bijector):  # type: ignore[misc]  # TensorFlow has no types
    """The composition of bijectors: y = bijectors[0](bijectors[1](...(x))).

    A keyword argument named like a bijector holds the arguments of this bijector: `forward(x, affine={...})`.

    Raises:
        ValueError: the dtypes differ.
        NotImplementedError: a bijector is not injective.
    """

    def __init__(
        self, bijectors: Sequence[Any] | None = None, validate_args: bool = False, name: str | None = None
    ) -> None:
        self._bijectors: Sequence[Any] = () if bijectors is None else bijectors
        for bijector in self._bijectors:
            if not bijector._is_injective:
                raise NotImplementedError(f"Invert is not implemented for non-injective bijector ({bijector.name})")
        default_name = "_of_".join(["chain", *(bijector.name for bijector in self._bijectors)])
        super().__init__(
            graph_parents=list(itertools.chain.from_iterable(part.graph_parents for part in self._bijectors)),
            forward_min_event_ndims=_least_rank(
                (part.forward_min_event_ndims, part.inverse_min_event_ndims) for part in reversed(self._bijectors)
            ),
            inverse_min_event_ndims=_least_rank(
                (part.inverse_min_event_ndims, part.forward_min_event_ndims) for part in self._bijectors
            ),
            is_constant_jacobian=all(part.is_constant_jacobian for part in self._bijectors),
            validate_args=validate_args,
            dtype=_common_dtype(self._bijectors),
            name=name or (default_name if self._bijectors else "identity"),
        )

    @property
    def bijectors(self) -> Any:
        """The bijectors. The last bijector is applied first."""
        return self._bijectors

    def _forward_event_shape(self, input_shape: Any) -> Any:
        for bijector in reversed(self.bijectors):
            input_shape = bijector.forward_event_shape(input_shape)
        return input_shape

    def _forward_event_shape_tensor(self, input_shape: Any) -> Any:
        for bijector in reversed(self.bijectors):
            input_shape = bijector.forward_event_shape_tensor(input_shape)
        return input_shape

    def _inverse_event_shape(self, output_shape: Any) -> Any:
        for bijector in self.bijectors:
            output_shape = bijector.inverse_event_shape(output_shape)
        return output_shape

    def _inverse_event_shape_tensor(self, output_shape: Any) -> Any:
        for bijector in self.bijectors:
            output_shape = bijector.inverse_event_shape_tensor(output_shape)
        return output_shape

    def _forward(self, x: Any, **kwargs: Any) -> Any:
        for bijector in reversed(self.bijectors):
            x = bijector.forward(x, **kwargs.get(bijector.name, {}))
        return x

    def _inverse(self, y: Any, **kwargs: Any) -> Any:
        for bijector in self.bijectors:
            y = bijector.inverse(y, **kwargs.get(bijector.name, {}))
        return y

    def _forward_log_det_jacobian(self, x: Any, **kwargs: Any) -> Any:
        return self._summed(x, "forward", self.forward_min_event_ndims, reversed(self.bijectors), kwargs)

    def _inverse_log_det_jacobian(self, y: Any, **kwargs: Any) -> Any:
        return self._summed(y, "inverse", self.inverse_min_event_ndims, self.bijectors, kwargs)

    def _summed(
        self, value: Any, direction: str, event_ndims: Any, bijectors: Iterable[Any], kwargs: dict[str, Any]
    ) -> Any:
        """Returns the sum of the log determinants of `bijectors`, which are applied to `value` in this order."""
        value = tf.convert_to_tensor(value, name="x" if direction == "forward" else "y")
        total = tf.cast(0.0, dtype=value.dtype.base_dtype)
        if not self.bijectors:
            return total
        if value.shape.is_fully_defined():
            event_shape = value.shape[value.shape.ndims - event_ndims :]
        else:
            event_shape = v1.shape(value)[tf.rank(value) - event_ndims :]
        for bijector in bijectors:
            bijector_kwargs = kwargs.get(bijector.name, {})
            total += getattr(bijector, f"{direction}_log_det_jacobian")(
                value, event_ndims=event_ndims, **bijector_kwargs
            )
            if value.shape.is_fully_defined() and isinstance(event_ndims, int):
                event_shape = getattr(bijector, f"{direction}_event_shape")(event_shape)
                event_ndims = self._maybe_get_static_event_ndims(event_shape.ndims)
            else:
                event_shape = getattr(bijector, f"{direction}_event_shape_tensor")(event_shape)
                event_ndims = v1.size(event_shape)
                static_ndims = self._maybe_get_static_event_ndims(event_ndims)
                event_ndims = event_ndims if static_ndims is None else static_ndims
            value = getattr(bijector, direction)(value, **bijector_kwargs)
        return total


def _common_dtype(bijectors: Sequence[Any]) -> Any:
    dtypes = list({bijector.dtype for bijector in bijectors})
    known = [dtype for dtype in dtypes if dtype is not None]
    if len(dtypes) > 2:
        raise ValueError(f"incompatible dtypes: {dtypes}")
    return known[0] if known else None


def _least_rank(ranks: Iterable[tuple[int, int]]) -> int:
    """Returns the least event rank that a chain accepts. `ranks`: (input rank, output rank), first applied first."""
    least = reached = 0
    for taken, given in ranks:
        least += max(0, taken - reached)
        reached = max(taken, reached) - (taken - given)
    return least
