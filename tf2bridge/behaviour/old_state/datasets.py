"""Datasets and iterators: `dataset._output_types`, and what a wrapped dataset keeps of its making."""

from __future__ import annotations

from typing import Any

from tf2bridge import internals
from tf2bridge.behaviour.old_state import Derived, renamed

_OF_WRAPPED = (
    "_input_dataset _batch_size _drop_remainder _map_func _tensors _datasets _size _shift _stride _buffer_size"
)


def _legacy(kind: str) -> Derived:
    """Returns the property with the result of `tf.compat.v1.data.get_output_KIND`, for datasets and iterators."""

    def compute(data: Any) -> Any:
        ops: Any = internals.data.dataset_ops
        return getattr(ops, f"get_legacy_output_{kind}")(data)

    return Derived(compute)


def _no_value(value_structure: Any) -> Any:
    """`tf.data.experimental.Optional.none_from_structure`, which is called `empty` now."""
    return internals.data.optional_ops.Optional.empty(value_structure)


def _of_wrapped(name: str) -> Derived:
    return Derived(lambda dataset: getattr(dataset._dataset, name))


_STRUCTURE = {f"_output_{kind}": _legacy(kind) for kind in ("types", "shapes", "classes")}

ROWS = {
    "tensorflow.python.data.ops.dataset_ops:DatasetV1": _STRUCTURE,
    "tensorflow.python.data.ops.dataset_ops:DatasetV1Adapter": {
        name: _of_wrapped(name) for name in _OF_WRAPPED.split()
    },
    "tensorflow.python.data.ops.iterator_ops:Iterator": _STRUCTURE,
    "tensorflow.python.framework.tensor_spec:TensorSpec": {
        "is_discrete": Derived(lambda spec: spec.dtype.is_integer),
        "is_continuous": Derived(lambda spec: spec.dtype.is_floating),
    },
    "tensorflow.python.data.ops.optional_ops:Optional": {
        "value_structure": renamed("element_spec"),
        "none_from_structure": staticmethod(_no_value),
    },
}
