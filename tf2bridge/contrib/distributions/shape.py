"""The dimensions of samples, batches and events in the shape of a tensor."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import tensorflow as tf

from tf2bridge.contrib.distributions.core import checked, util, v1


class _DistributionShape:
    """Splits the shape of a tensor into [samples..., batch..., event...]. The ranks of batch and event are given.

    Ranks are numbers or int32 scalars.

    Raises:
        ValueError: a rank is missing or negative.
        TypeError: a rank has another type.
    """

    def __init__(
        self,
        batch_ndims: Any = None,
        event_ndims: Any = None,
        validate_args: bool = False,
        name: str = "DistributionShape",
    ) -> None:
        if batch_ndims is None:
            raise ValueError("batch_ndims cannot be None")
        if event_ndims is None:
            raise ValueError("event_ndims cannot be None")
        self._validate_args, self._name = validate_args, name
        with v1.name_scope(name), v1.name_scope("init"):
            self._batch_ndims = self._rank(batch_ndims, "batch_ndims")
            self._batch_ndims_static, self._batch_ndims_is_0 = _static(self._batch_ndims)
            self._event_ndims = self._rank(event_ndims, "event_ndims")
            self._event_ndims_static, self._event_ndims_is_0 = _static(self._event_ndims)

    @property
    def name(self) -> str:
        """The name of the name scope."""
        return self._name

    @property
    def batch_ndims(self) -> Any:
        """The rank of batches, an int32 scalar."""
        return self._batch_ndims

    @property
    def event_ndims(self) -> Any:
        """The rank of events, an int32 scalar."""
        return self._event_ndims

    @property
    def validate_args(self) -> bool:
        """True if ranks are checked when the graph runs."""
        return self._validate_args

    def get_ndims(self, x: Any, name: str = "get_ndims") -> Any:
        """Returns the rank of `x`, an int32 scalar."""
        with self._name_scope(name, values=[x]):
            x = tf.convert_to_tensor(x, name="x")
            if x.shape.ndims is None:
                return tf.rank(x, name="ndims")
            return tf.convert_to_tensor(x.shape.ndims, dtype=tf.int32, name="ndims")

    def get_sample_ndims(self, x: Any, name: str = "get_sample_ndims") -> Any:
        """Returns the number of sample dimensions of `x`, an int32 scalar. Raises ValueError if it is negative."""
        with self._name_scope(name, values=[x]):
            ndims = self.get_ndims(x, name=name)
            if _all_known(ndims, self.batch_ndims, self.event_ndims):
                ndims = tf.get_static_value(ndims)
                sample_ndims = ndims - self._batch_ndims_static - self._event_ndims_static
                if sample_ndims < 0:
                    raise ValueError(
                        f"expected batch_ndims({self._batch_ndims_static}) + event_ndims({self._event_ndims_static}) "
                        f"<= ndims({ndims})"
                    )
                return tf.convert_to_tensor(sample_ndims, name="sample_ndims")
            with v1.name_scope("sample_ndims"):
                sample_ndims = ndims - self.batch_ndims - self.event_ndims
                return (
                    checked(sample_ndims, [v1.assert_non_negative(sample_ndims)])
                    if self.validate_args
                    else sample_ndims
                )

    def get_dims(self, x: Any, name: str = "get_dims") -> Any:
        """Returns the indices of the dimensions of samples, batches and events, three int32 vectors."""
        with self._name_scope(name, values=[x]):
            samples = self.get_sample_ndims(x, name=name)
            return (
                _indices([], samples, "sample_dims"),
                _indices([samples], self.batch_ndims, "batch_dims"),
                _indices([samples, self.batch_ndims], self.event_ndims, "event_dims"),
            )

    def get_shape(self, x: Any, name: str = "get_shape") -> Any:
        """Returns the shapes of samples, batches and events, three int32 vectors."""
        with self._name_scope(name, values=[x]):
            x = tf.convert_to_tensor(x, name="x")
            samples = self.get_sample_ndims(x, name=name)
            return (
                _sizes(x, [], samples, "sample_shape"),
                _sizes(x, [samples], self.batch_ndims, "batch_shape"),
                _sizes(x, [samples, self.batch_ndims], self.event_ndims, "event_shape"),
            )

    def make_batch_of_event_sample_matrices(
        self, x: Any, expand_batch_dim: bool = True, name: str = "make_batch_of_event_sample_matrices"
    ) -> Any:
        """Returns `x` as [batch..., event..., samples], and the shape of the samples.

        A scalar event becomes an event of shape [1]. With `expand_batch_dim`, so does a scalar batch.
        """
        with self._name_scope(name, values=[x]):
            x = tf.convert_to_tensor(x, name="x")
            sample_shape, batch_shape, event_shape = self.get_shape(x)
            event_shape = util.pick_vector(self._event_ndims_is_0, [1], event_shape)
            if expand_batch_dim:
                batch_shape = util.pick_vector(self._batch_ndims_is_0, [1], batch_shape)
            x = tf.reshape(x, shape=tf.concat([[-1], batch_shape, event_shape], 0))
            return util.rotate_transpose(x, shift=-1), sample_shape

    def undo_make_batch_of_event_sample_matrices(
        self,
        x: Any,
        sample_shape: Any,
        expand_batch_dim: bool = True,
        name: str = "undo_make_batch_of_event_sample_matrices",
    ) -> Any:
        """Returns the tensor from which `make_batch_of_event_sample_matrices` made `x`."""
        with self._name_scope(name, values=[x, sample_shape]):
            x = tf.convert_to_tensor(x, name="x")
            sample_shape = tf.convert_to_tensor(sample_shape, name="sample_shape")
            x = util.rotate_transpose(x, shift=1)
            if _all_known(self.batch_ndims, self.event_ndims):
                axes = [-1] * bool(self._event_ndims_is_0) + [1] * bool(self._batch_ndims_is_0 and expand_batch_dim)
                if axes:
                    x = v1.squeeze(x, axis=axes)
                _, batch_shape, event_shape = self.get_shape(x)
            else:
                batch_shape, event_shape = self._unknown_shapes(x, expand_batch_dim)
            return tf.reshape(x, shape=tf.concat([sample_shape, batch_shape, event_shape], 0))

    def _unknown_shapes(self, x: Any, expand_batch_dim: bool) -> Any:
        sizes = x.shape.as_list() if x.shape.is_fully_defined() else v1.shape(x)
        expanded = tf.logical_and(expand_batch_dim, self._batch_ndims_is_0)
        start = tf.where(expanded, 2, 1 + self.batch_ndims)
        return sizes[1 : 1 + self.batch_ndims], sizes[start : start + self.event_ndims]

    @contextlib.contextmanager
    def _name_scope(self, name: str, values: list[Any]) -> Iterator[str]:
        with (
            v1.name_scope(self.name),
            v1.name_scope(name, values=[*values, self.batch_ndims, self.event_ndims]) as scope,
        ):
            yield scope

    def _rank(self, ndims: Any, name: str) -> Any:
        return self._assert_non_negative_int32_scalar(tf.convert_to_tensor(ndims, name=name))

    def _assert_non_negative_int32_scalar(self, x: Any) -> Any:
        x = tf.convert_to_tensor(x, name="x")
        if x.dtype.base_dtype != tf.int32:
            raise TypeError(f"{_name(x)}.dtype={x.dtype} is not {tf.int32}")
        value = tf.get_static_value(x)
        if x.shape.ndims is not None and value is not None:
            if x.shape.ndims != 0:
                raise ValueError(f"{_name(x)}.ndims={x.shape.ndims} is not 0 (scalar)")
            if value < 0:
                raise ValueError(f"{_name(x)}.value={value} cannot be negative")
            return x
        return checked(x, [v1.assert_rank(x, 0), v1.assert_non_negative(x)]) if self.validate_args else x

    def _is_all_constant_helper(self, *args: Any) -> bool:
        return _all_known(*args)


def _name(tensor: Any) -> str:
    return "tensor" if tf.executing_eagerly() else str(tensor.name)


def _all_known(*tensors: Any) -> bool:
    return all(tf.get_static_value(tensor) is not None for tensor in tensors)


def _static(ndims: Any) -> tuple[Any, Any]:
    """Returns the static value and whether it is 0, or None and a tensor if the value is not static."""
    value = tf.get_static_value(ndims)
    return (None, tf.equal(ndims, 0)) if value is None else (value, value == 0)


def _bounds(starts: list[Any], size: Any) -> tuple[list[Any], tuple[int, int] | None]:
    """Returns the summands of a start, and (start, end) if all are static."""
    starts = starts or [tf.zeros([], dtype=tf.int32, name="zero")]
    if not _all_known(size, *starts):
        return starts, None
    start = sum(tf.get_static_value(part) for part in starts)
    return starts, (start, start + tf.get_static_value(size))


def _indices(starts: list[Any], size: Any, name: str) -> Any:
    starts, known = _bounds(starts, size)
    if known is not None:
        return tf.convert_to_tensor(list(range(*known)), dtype=tf.int32, name=name)
    start = sum(starts)
    return tf.range(start, start + size)


def _sizes(x: Any, starts: list[Any], size: Any, name: str) -> Any:
    starts, known = _bounds(starts, size)
    if known is not None and x.shape.ndims is not None:
        sizes = x.shape[known[0] : known[1]].as_list()
        if None not in sizes:
            return tf.convert_to_tensor(sizes, dtype=tf.int32, name=name)
    return tf.slice(v1.shape(x), [sum(starts)], [size])
