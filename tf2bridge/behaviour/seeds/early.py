"""Functions that older releases build in another form. Later gradients depend on the form, so a number is not enough.

Each function takes the original and returns its replacement, as those of `rules` do.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from contextvars import ContextVar
from typing import Any

from tf2bridge.behaviour.seeds import counter
from tf2bridge.behaviour.seeds.binding import binder
from tf2bridge.patching import Function


def rows_by_shape(original: Function) -> Function:
    """Up to 1.4 the ones that sum rows of sampled logits have a gradient, and a shape known only in a session."""

    @functools.wraps(original)
    def sum_rows(x: Any) -> Any:
        from tf2bridge.internals.ops import array_ops, array_ops_stack, math_ops

        if _inside.get() != "_compute_sampled_logits":
            return original(x)

        columns = array_ops.shape_internal(x, optimize=False)[1]
        ones = array_ops.ones(array_ops_stack.stack([columns, 1]), x.dtype)
        return array_ops.reshape(math_ops.matmul(x, ones), [-1])

    return sum_rows


def looked_up_once(original: Function) -> Function:
    """Up to 1.4 `embedding_lookup_sparse` with weights looks up all rows directly.

    Later releases look up each row once, and then by index.

    The gradient of that second lookup adds nothing to the count.
    """

    @functools.wraps(original)
    def gather(*args: Any, **kwargs: Any) -> Any:
        gathered = original(*args, **kwargs)
        if getattr(gathered, "graph", None) is None or gathered.op.type not in ("Gather", "GatherV2"):
            return gathered
        indices = gathered.op.inputs[1]
        second = indices.op.type == "Unique" and indices.value_index == 1
        return counter.mark(gathered) if second and _inside.get() == "embedding_lookup_sparse" else gathered

    return gather


_inside: ContextVar[str] = ContextVar("inside", default="")


def inside(original: Function) -> Function:
    """Returns the function, which tells the replacements above that it runs."""

    @functools.wraps(original)
    def call(*args: Any, **kwargs: Any) -> Any:
        token = _inside.set(original.__name__)
        try:
            return original(*args, **kwargs)
        finally:
            _inside.reset(token)

    return call


def running() -> str:
    """Returns the name of the innermost function of `inside` that runs, or ""."""
    return _inside.get()


_selections: ContextVar[int] = ContextVar("selections", default=0)


def selecting_moments(original: Function) -> Function:
    """Up to 1.4 a layer that is not fused selects its moments by `training`; later ones use `cond`.

    The first two selections of the layer are the mean and the variance.
    """

    @functools.wraps(original)
    def call(layer: Any, *args: Any, **kwargs: Any) -> Any:
        token = _selections.set(0 if layer.fused else 2)
        try:
            return original(layer, *args, **kwargs)
        finally:
            _selections.reset(token)

    return call


def selected(original: Function) -> Function:
    """Returns `smart_cond` that makes a selection inside the functions of `selecting_moments`."""

    @functools.wraps(original)
    def smart_cond(pred: Any, true_fn: Any = None, false_fn: Any = None, name: str | None = None) -> Any:
        from tf2bridge.internals.framework import tensor_util
        from tf2bridge.internals.ops import array_ops

        left = _selections.get()
        if not left or getattr(pred, "graph", None) is None or tensor_util.constant_value(pred) is not None:
            return original(pred, true_fn, false_fn, name)
        _selections.set(left - 1)
        values = array_ops.expand_dims(true_fn(), 0), array_ops.expand_dims(false_fn(), 0)
        chosen = array_ops.where(array_ops.reshape(pred, [1]), *values)
        return array_ops.squeeze(chosen, [0])

    return smart_cond


def as_matrices(original: Function) -> Function:
    """Up to 1.15 `tensordot` transposes and reshapes each static factor, even a matrix that needs neither."""
    bind = binder(original)

    @functools.wraps(original)
    def tensordot(*args: Any, **kwargs: Any) -> Any:
        from tf2bridge.internals.eager import context
        from tf2bridge.internals.framework import ops
        from tf2bridge.internals.ops import array_ops

        given = bind(args, kwargs)
        if given is None or context.executing_eagerly():
            return original(*args, **kwargs)
        with ops.name_scope(given["name"], "Tensordot", [given["a"], given["b"]]) as scope:
            a = ops.convert_to_tensor(given["a"], name="a")
            b = ops.convert_to_tensor(given["b"], name="b")
            first, second = _contracted(a, given["axes"])
            factors = _turned(a, first, ""), _turned(b, second, "_1")
            product = original(*factors, given["axes"], name=scope)
            return array_ops.reshape(product, product.shape, name=scope) if product.op.type == "MatMul" else product

    return tensordot


def _contracted(a: Any, axes: Any) -> tuple[list[Any], list[Any]]:
    """Returns the axes of both factors; empty if they are not known."""
    if isinstance(axes, int):
        rank = a.shape.ndims
        return ([], []) if rank is None else (list(range(rank - axes, rank)), list(range(axes)))
    if not isinstance(axes, (list, tuple)) or len(axes) != 2:
        return [], []
    first, second = (list(part) if isinstance(part, (list, tuple)) else [part] for part in axes)
    return first, second


def _turned(factor: Any, axes: Sequence[Any], number: str) -> Any:
    """Returns `factor` transposed and reshaped to itself, which this TensorFlow leaves out.

    `number` ends the names of its operations: "" for the first factor, whose contracted axes come last, "_1" for the
    other.
    """
    from tf2bridge.internals.ops import array_ops

    rank = factor.shape.ndims
    if not factor.shape.is_fully_defined() or not all(isinstance(axis, int) for axis in axes):
        return factor
    contracted = [axis % rank for axis in axes]
    free = [axis for axis in range(rank) if axis not in contracted]
    if (contracted + free if number else free + contracted) != list(range(rank)):
        return factor
    turned = array_ops.transpose(factor, list(range(rank)), name=f"transpose{number}")
    is_matrix = rank == 2 and len(contracted) == 1
    return array_ops.reshape(turned, factor.shape.as_list(), name=f"Reshape{number}") if is_matrix else turned


def zeros_by_value(original: Function) -> Function:
    """In 0.12 `zeros_like` is an operation on the tensor, even if the shape is known."""
    bind = binder(original)

    @functools.wraps(original)
    def zeros_like(*args: Any, **kwargs: Any) -> Any:
        from tf2bridge.internals.eager import context
        from tf2bridge.internals.framework import ops
        from tf2bridge.internals.ops import gen_array_ops

        given = bind(args, kwargs)
        if given is None or context.executing_eagerly():
            return original(*args, **kwargs)
        value = given["tensor"] if "tensor" in given else given["input"]  # as TensorFlow 2's own name has it
        with ops.name_scope(given["name"], "zeros_like", [value]) as scope:
            tensor = ops.convert_to_tensor(value, name="tensor")
            if given["dtype"] is None or given["dtype"] == tensor.dtype:
                return gen_array_ops.zeros_like(tensor, name=scope)
        return original(*args, **kwargs)

    return zeros_like


def axes_by_rank(original: Function) -> Function:
    """In 0.12 all axes of a variable are a range up to its rank, which the gradient does not evaluate."""

    @functools.wraps(original)
    def reduction_dims(x: Any, axis: Any) -> Any:
        from tf2bridge.internals.framework import tensor
        from tf2bridge.internals.ops import array_ops, math_ops

        variable = hasattr(x, "initializer") or hasattr(x, "_get_partitions")
        if axis is not None or isinstance(x, tensor.Tensor) or not variable:
            return original(x, axis)
        return math_ops.range(0, array_ops.rank(x))

    return reduction_dims


def debiased_from_one(_: Function) -> Function:
    """In 0.12 an average that begins at 0 counts its updates from 1, so it divides by more than later releases."""

    def zero_debias(_strategy: Any, average: Any, value: Any, decay: Any) -> Any:
        from tf2bridge.internals.framework import ops
        from tf2bridge.internals.ops import init_ops, math_ops, state_ops, variable_scope

        name = ops.get_name_scope()
        with variable_scope.variable_scope(average.op.name, values=[average, value, decay]) as scope:
            dtype, kept = average.dtype.base_dtype, {"trainable": False}
            with ops.colocate_with(average):
                zeros, ones = init_ops.zeros_initializer(), init_ops.ones_initializer()
                biased = variable_scope.get_variable("biased", average.get_shape(), dtype, zeros, **kept)
                updates = variable_scope.get_variable("local_step", [], dtype, ones, **kept)
            made = [state_ops.assign_sub(biased, (biased - value) * decay, name=scope.name), updates.assign_add(1)]
            with ops.control_dependencies(made):
                change = average - biased.read_value() / (1 - math_ops.pow(1.0 - decay, updates.read_value()))
        return state_ops.assign_sub(average, change, name=f"{name}/")

    return zero_debias


def rows_as_they_are(_: Function) -> Function:
    """Optimizers of 0.12 apply rows of a sparse gradient one by one; later ones first add rows of the same index.

    So if a batch looks up a row twice, 0.12 adds the squares of both gradients, not the square of their sum.
    """
    return lambda values, indices: (values, indices)


def one_empty_list(original: Function) -> Function:
    """Up to 1.15 an empty list becomes one constant of the required type; now a constant of float32 precedes it."""
    bind = binder(original)

    @functools.wraps(original)
    def extract(*args: Any, **kwargs: Any) -> Any:
        given = bind(args, kwargs)
        if given is not None:
            _give_types(given["keywords"], given["op_def"].input_arg, given["default_type_attr_map"])
        return original(*args, **kwargs)

    return extract


def _give_types(values: dict[str, Any], parameters: Any, defaults: dict[str, Any]) -> None:
    """Turns empty lists among `values` into arrays if no other parameter of the operation decides their type."""
    import numpy as np

    kinds = [parameter.type_attr for parameter in parameters]
    for parameter in parameters:
        value, default = values.get(parameter.name), defaults.get(parameter.type_attr)
        alone = kinds.count(parameter.type_attr) == 1 and not parameter.number_attr
        if isinstance(value, (list, tuple)) and not value and default is not None and alone:
            values[parameter.name] = np.zeros([0], default.as_numpy_dtype)
