"""The class Bijector up to 1.4: a bijector knows the rank of its events, and sums over their dimensions.

Since 1.5 the rank is an argument: `inverse_log_det_jacobian(y, event_ndims)` (bijector_impl.py of 1.4.1 and 1.5).
"""

from __future__ import annotations

import abc
from collections.abc import Callable
from typing import Any

import numpy as np
import tensorflow as tf

from tf2bridge.contrib.distributions.core import Bijector as LateBijector

_KEY = 0
"""The rank by which the cache of TensorFlow 2 finds a determinant: a bijector has but one."""


class Bijector(LateBijector):  # type: ignore[misc]  # TensorFlow has no types
    """A bijector whose `_forward_log_det_jacobian` and `_inverse_log_det_jacobian` sum over its events."""

    _event_ndims: Any = None
    _constant_ildj: Any = None

    @abc.abstractmethod
    def __init__(
        self,
        event_ndims: Any = None,
        graph_parents: Any = None,
        is_constant_jacobian: bool = False,
        validate_args: bool = False,
        dtype: Any = None,
        name: str | None = None,
    ) -> None:
        self._set_event_ndims(event_ndims)
        LateBijector.__init__(
            self,
            graph_parents=graph_parents,
            is_constant_jacobian=is_constant_jacobian,
            validate_args=validate_args,
            dtype=dtype,
            forward_min_event_ndims=0,
            name=name,
        )

    def _set_event_ndims(self, event_ndims: Any) -> None:
        known = event_ndims is not None
        self._event_ndims = tf.convert_to_tensor(event_ndims, dtype=tf.int32) if known else None

    @property
    def event_ndims(self) -> Any:
        """The rank of events, an int32 scalar, or None."""
        return self._event_ndims

    def inverse_log_det_jacobian(self, y: Any, name: str = "inverse_log_det_jacobian") -> Any:
        """Returns log(abs(det(dx / dy))), or a tuple of them if the bijector is not injective."""
        return self._call_inverse_log_det_jacobian(y, name)

    def forward_log_det_jacobian(self, x: Any, name: str = "forward_log_det_jacobian") -> Any:
        """Returns log(abs(det(dy / dx))). Raises NotImplementedError if the bijector is not injective."""
        if not self._is_injective:
            message = "forward_log_det_jacobian cannot be implemented for non-injective transforms."
            raise NotImplementedError(message)
        return self._call_forward_log_det_jacobian(x, name)

    def _call_inverse_log_det_jacobian(self, y: Any, name: str, **kwargs: Any) -> Any:
        with self._name_scope(name, [y]):
            if self._constant_ildj is not None:
                return self._constant_ildj
            y = self._tensor(y, "y")
            if not self._is_injective:
                return self._inverse_log_det_jacobian(y, **kwargs)
            mapping = self._lookup(y=y, kwargs=kwargs)
            if mapping.ildj_map:
                return mapping.ildj_map[_KEY]

            def by_inverse() -> tuple[Any, Any]:
                x = self._inverse(y, **kwargs) if mapping.x is None else mapping.x
                return x, -self._forward_log_det_jacobian(x, **kwargs)

            x, ildj = _either(lambda: (None, self._inverse_log_det_jacobian(y, **kwargs)), by_inverse)
            return self._kept(mapping, ildj, x=x)

    def _call_forward_log_det_jacobian(self, x: Any, name: str, **kwargs: Any) -> Any:
        with self._name_scope(name, [x]):
            if self._constant_ildj is not None:
                return -1.0 * self._constant_ildj
            x = self._tensor(x, "x")
            if not self._is_injective:
                return self._forward_log_det_jacobian(x, **kwargs)
            mapping = self._lookup(x=x, kwargs=kwargs)
            if mapping.ildj_map:
                return -mapping.ildj_map[_KEY]

            def by_forward() -> tuple[Any, Any]:
                y = self._forward(x, **kwargs) if mapping.y is None else mapping.y
                return y, self._inverse_log_det_jacobian(y, **kwargs)

            y, ildj = _either(lambda: (None, -self._forward_log_det_jacobian(x, **kwargs)), by_forward)
            return -self._kept(mapping, ildj, y=y)

    def _tensor(self, value: Any, name: str) -> Any:
        value = tf.convert_to_tensor(value, name=name)
        self._maybe_assert_dtype(value)
        return value

    def _kept(self, mapping: Any, ildj: Any, **computed: Any) -> Any:
        """Caches the log determinant `ildj` and the values computed with it, and returns `ildj`."""
        self._cache(mapping.merge(ildj_map={_KEY: ildj}, **computed))
        if self.is_constant_jacobian:
            self._constant_ildj = ildj
        return ildj

    def _event_dims_tensor(self, sample: Any) -> Any:
        """Returns the event dimensions of `sample`, an int32 vector."""
        if self.event_ndims is None:
            raise ValueError("Jacobian cannot be computed with unknown event_ndims")
        count, rank = tf.get_static_value(self.event_ndims), sample.shape.ndims
        known = None if count is None else np.arange(-count, 0).astype(np.int32)
        if known is not None and rank is not None:
            return tf.convert_to_tensor(rank + known)
        from_the_end = tf.range(-self.event_ndims, 0, dtype=tf.int32) if known is None else known
        return from_the_end + (tf.rank(sample) if rank is None else rank)


def _either(first: Callable[[], Any], second: Callable[[], Any]) -> Any:
    """Returns `first()`, or `second()` if a subclass implements only that. If neither, raises the error of `first`."""
    try:
        return first()
    except NotImplementedError as error:
        try:
            return second()
        except NotImplementedError:
            raise error from None
