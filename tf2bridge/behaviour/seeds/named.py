"""Functions whose results have other names in older releases, for programs that fetch by name.

Each function takes the original and returns its replacement, as in `rules`.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from contextvars import ContextVar
from typing import Any

from tf2bridge.behaviour.arguments import signature_of_today
from tf2bridge.behaviour.seeds import counter
from tf2bridge.behaviour.seeds.binding import binder
from tf2bridge.patching import Function


def called(name: str) -> Callable[[Function], Function]:
    """Returns a function that gives an operation its old default name."""

    def replace(original: Function) -> Function:
        bind, usual = binder(original), signature_of_today(original).parameters["name"].default

        @functools.wraps(original)
        def named(*args: Any, **kwargs: Any) -> Any:
            given = bind(args, kwargs)
            if given is None or given["name"] not in (None, usual):
                return original(*args, **kwargs)
            return original(**{**given, "name": name})

        return named

    return replace


def second(original: Function) -> Function:
    """Returns `MutableHashTable.lookup` with the name as second argument; since 2.3 that is the default values."""

    @functools.wraps(original)
    def lookup(self: Any, keys: Any, values_or_name: Any = None, *args: Any, **kwargs: Any) -> Any:
        if isinstance(values_or_name, str):
            return original(self, keys, *args, name=values_or_name, **kwargs)
        values = {} if values_or_name is None else {"dynamic_default_values": values_or_name}
        return original(self, keys, *args, **values, **kwargs)

    return lookup


_left_out: ContextVar[frozenset[str]] = ContextVar("left_out", default=frozenset())


def unscoped(*scopes: str) -> Callable[[Function], Function]:
    """Returns a function that runs another one without these name scopes, and without a scope of the given name."""

    def replace(original: Function) -> Function:
        @functools.wraps(original)
        def call(*args: Any, **kwargs: Any) -> Any:
            token = _left_out.set(_left_out.get() | {*scopes, kwargs.get("name") or scopes[0]})
            try:
                return original(*args, **kwargs)
            finally:
                _left_out.reset(token)

        return call

    return replace


def scoped(original: Function) -> Function:
    """Returns `Graph.name_scope` for the functions of `unscoped`."""

    @functools.wraps(original)
    def name_scope(graph: Any, name: str | None) -> Any:
        return nullcontext() if name is not None and name in _left_out.get() else original(graph, name)

    return name_scope


def without_default(original: Function) -> Function:
    """Returns the constructor of `name_scope` that ignores a default name beside a name, as up to 1.13.

    Programs passed their tensors in that place, `tf.name_scope(name, [x])`, which 1.14 and later refuse
    (python/framework/ops.py of 1.13.2 and 1.14.0).
    """

    @functools.wraps(original)
    def construct(scope: Any, name: Any, default_name: Any = None, values: Any = None) -> None:
        original(scope, name, default_name if name is None or isinstance(default_name, str) else None, values)

    return construct


def scaled_uniform(original: Function) -> Function:
    """Up to 1.15 uniform numbers are always scaled and moved; now this is left out for the bounds 0 and 1."""
    bind = binder(original)

    @functools.wraps(original)
    def random_uniform(*args: Any, **kwargs: Any) -> Any:
        from tf2bridge.internals.eager import context
        from tf2bridge.internals.framework import dtypes, ops, random_seed
        from tf2bridge.internals.ops import gen_random_ops, math_ops, shape_util

        given = bind(args, kwargs)
        if given is None or context.executing_eagerly() or not dtypes.as_dtype(given["dtype"]).is_floating:
            return original(*args, **kwargs)
        dtype, high = dtypes.as_dtype(given["dtype"]), 1 if given["maxval"] is None else given["maxval"]
        with ops.name_scope(given["name"], "random_uniform", [given["shape"], given["minval"], high]) as scope:
            shape = shape_util.shape_tensor(given["shape"])
            low = ops.convert_to_tensor(given["minval"], dtype=dtype, name="min")
            high = ops.convert_to_tensor(high, dtype=dtype, name="max")
            first, second = random_seed.get_seed(given["seed"])
            drawn = gen_random_ops.random_uniform(shape, dtype, seed=first, seed2=second)
            result = math_ops.add(drawn * (high - low), low, name=scope)
            shape_util.maybe_set_static_shape(result, shape)
            return result

    return random_uniform


def filled_ones(named: bool) -> Callable[[Function], Function]:
    """Returns the function that makes the first gradients: ones by `fill`. Since 1.12 the 1 has a name (`named`).

    Up to 1.4 the gradients that a program gives are used directly; later releases copy them.
    """

    def replace(original: Function) -> Function:
        @functools.wraps(original)
        def default_gradients(given: Sequence[Any], ys: Sequence[Any], colocated: bool, *more: Any) -> Any:
            from tf2bridge.internals.framework import constant_op, ops
            from tf2bridge.internals.ops import array_ops

            copied = [index for index, gradient in enumerate(given) if gradient is not None]
            if colocated or (copied and named) or any(y.dtype.is_complex for y in ys) or len(given) != len(ys):
                return original(given, ys, colocated, *more)
            begun: list[Any] = [None] * len(ys)
            if copied:
                with counter.uncounted(ops.get_default_graph()):
                    copies = original([given[index] for index in copied], [ys[index] for index in copied], False, *more)
                for index, copy in zip(copied, copies, strict=True):
                    begun[index] = copy
            for index in (index for index in range(len(ys)) if begun[index] is None):
                name = f"grad_ys_{index}" if named else "Const"
                unit = constant_op.constant(1, dtype=ys[index].dtype, name=name)
                begun[index] = array_ops.fill(array_ops.shape(ys[index]), unit)
            return begun

        return default_gradients

    return replace


def one_interval(original: Function) -> Function:
    """Up to 1.15 `linspace` was one operation on two numbers."""
    bind = binder(original)

    @functools.wraps(original)
    def linspace(*args: Any, **kwargs: Any) -> Any:
        from tf2bridge.internals.framework import ops
        from tf2bridge.internals.ops import gen_math_ops

        given = bind(args, kwargs)
        if given is None or given["axis"] != 0:
            return original(*args, **kwargs)
        start = ops.convert_to_tensor(given["start"], name="start")
        if not start.dtype.is_floating or start.shape.ndims != 0:
            return original(*args, **kwargs)
        return gen_math_ops.lin_space(start, given["stop"], given["num"], name=given["name"])

    return linspace


def parsed_at_once(original: Function) -> Function:
    """Up to 1.15 a vector of examples is parsed by the first version of the operation, without ragged features."""

    @functools.wraps(original)
    def parse_example_v2(*args: Any, **kwargs: Any) -> Any:
        from tf2bridge.internals.framework import ops
        from tf2bridge.internals.ops import gen_parsing_ops

        if args or kwargs.get("ragged_keys"):
            return original(*args, **kwargs)
        serialized = ops.convert_to_tensor(kwargs["serialized"], name="serialized")
        if serialized.shape.ndims != 1:
            return original(**kwargs)
        same = ("names", "dense_defaults", "sparse_types", "dense_shapes", "name")
        keys = {name: list(kwargs[name]) for name in ("sparse_keys", "dense_keys")}
        parsed = gen_parsing_ops.parse_example(serialized, **{name: kwargs[name] for name in same}, **keys)
        return (*parsed, [], [])

    return parse_example_v2


_OF_SEQUENCES = (
    "context_dense_defaults",
    "context_sparse_types",
    "context_dense_shapes",
    "feature_list_dense_types",
    "feature_list_sparse_types",
    "feature_list_dense_shapes",
    "name",
)
"""Arguments of the operations on sequence examples that all versions have."""


def sequences_at_once(original: Function) -> Function:
    """Up to 1.15 sequence examples are parsed by operations of their own, one for one and one for several."""

    @functools.wraps(original)
    def parse_sequence_example_v2(*args: Any, **kwargs: Any) -> Any:
        from tf2bridge.internals.framework import ops
        from tf2bridge.internals.ops import gen_parsing_ops

        if args or kwargs.get("context_ragged_keys") or kwargs.get("feature_list_ragged_keys"):
            return original(*args, **kwargs)
        serialized = ops.convert_to_tensor(kwargs["serialized"], name="serialized")
        same = {name: kwargs[name] for name in _OF_SEQUENCES}
        keys = ("context_sparse_keys", "context_dense_keys", "feature_list_sparse_keys", "feature_list_dense_keys")
        same |= {name: list(kwargs[name]) for name in keys}
        marks = zip(kwargs["feature_list_dense_keys"], kwargs["feature_list_dense_missing_assumed_empty"], strict=True)
        same["feature_list_dense_missing_assumed_empty"] = [key for key, may_lack in marks if may_lack]
        token = _left_out.set(frozenset())  # the operation may have the name of a scope that is left out
        try:
            if serialized.shape.ndims == 0:
                given = kwargs["debug_name"]  # [], the default of today's operation, would end the process here
                same["debug_name"] = "" if given is None or (isinstance(given, list) and not given) else given
                parsed = (*gen_parsing_ops.parse_single_sequence_example(serialized, **same), [])
            elif serialized.shape.ndims == 1:
                same |= {f"N{name.removesuffix('_keys')}": len(same[name]) for name in keys}
                same["debug_name"] = kwargs["debug_name"] if kwargs["debug_name"] is not None else []
                parsed = tuple(gen_parsing_ops.parse_sequence_example(serialized, **same))
            else:
                return original(**kwargs)
        finally:
            _left_out.reset(token)
        return (*parsed[:4], [], [], *parsed[4:], [], [], [])

    return parse_sequence_example_v2


def one_gather(original: Function) -> Function:
    """Up to 1.4 a lookup in one table was one operation."""
    bind = binder(original)

    @functools.wraps(original)
    def embedding_lookup_and_transform(*args: Any, **kwargs: Any) -> Any:
        from tf2bridge.internals.framework import ops
        from tf2bridge.internals.ops import array_ops

        given = bind(args, kwargs)
        if given is None or given["max_norm"] is not None or given["transform_fn"] is not None:
            return original(*args, **kwargs)
        params = given["params"]
        tables = list(params) if isinstance(params, (list, tuple)) else [params]
        if len(tables) != 1 or hasattr(tables[0], "handle") or hasattr(tables[0], "_get_partitions"):
            return original(*args, **kwargs)
        with ops.name_scope(given["name"], "embedding_lookup", [*tables, given["ids"]]) as scope:
            ids = ops.convert_to_tensor(given["ids"], name="ids")
            with ops.colocate_with(tables[0]):
                return array_ops.gather(tables[0], ids, name=scope)

    return embedding_lookup_and_transform
