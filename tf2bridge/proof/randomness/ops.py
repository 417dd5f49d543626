"""TensorFlow's random ops in terms of its stateless ones, with seeds that are given to them.

The functions of `gen_random_ops` stand below everything that draws by `seed` and `seed2`: tf.random, initializers,
dropout and shuffles. Kernels of both kinds make the same numbers of the same generator (core/kernels/random_op.cc,
stateless_random_ops.cc); a shuffle is that of Keras 3, the order of as many uniform numbers.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from tf2bridge.patching import put
from tf2bridge.proof.randomness.keys import of_scope, seed_of

_KINDS = {
    "gen_stateless_random_ops_v2": {
        "stateless_random_uniform_v2": "uniform",
        "stateless_random_normal_v2": "normal",
        "stateless_truncated_normal_v2": "truncated normal",
        "stateless_random_uniform_int_v2": "integers",
        "stateless_random_uniform_full_int_v2": "integers",
        "stateless_random_gamma_v3": "gamma",
    },
    "gen_stateless_random_ops": {
        "stateless_multinomial": "categorical",
        "stateless_random_poisson": "poisson",
        "stateless_random_binomial": "binomial",
        "stateless_parameterized_truncated_normal": "truncated normal between bounds",
    },
}


def install(control: Any) -> None:
    """Has all that draws by TensorFlow's stateful ops draw by its stateless ones."""
    import tensorflow as tf

    from tf2bridge.internals.data import structured_function
    from tf2bridge.internals.ops import (
        Generator,
        gen_random_ops,
        gen_stateful_random_ops,
        gen_stateless_random_ops,
        gen_stateless_random_ops_v2,
    )

    stateless = (gen_stateless_random_ops, gen_stateless_random_ops_v2)
    for module in stateless:
        for name, kind in _KINDS[module.__name__.rpartition(".")[2]].items():
            put(module, name, _noted(control, kind, getattr(module, name)))
    for name, draw in _DRAWN.items():
        taking = _controlled(control, draw, getattr(gen_random_ops, name))
        put(gen_random_ops, name, taking)
        raw = "".join(part.title() for part in name.split("_"))
        for module in (tf.raw_ops, tf.compat.v1.raw_ops):
            put(module, raw, taking)
    put(Generator, "_prepare_key_counter", _of_generator(control))
    put(gen_stateful_random_ops, "stateful_random_binomial", _binomial(control))
    wrapper = structured_function.StructuredFunctionWrapper
    put(wrapper, "__init__", _apart(control, wrapper.__init__))


def _noted(control: Any, kind: str, original: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(original)
    def draw(*args: Any, **kwargs: Any) -> Any:
        value = original(*args, **kwargs)
        control.drew(kind, value)
        return value

    return draw


def _controlled(control: Any, draw: Callable[..., Any], original: Callable[..., Any]) -> Callable[..., Any]:
    data_draws = iter(range(1 << 62))

    @functools.wraps(original)
    def drawn(*args: Any, seed: int = 0, seed2: int = 0, name: str | None = None, **kwargs: Any) -> Any:
        del seed, seed2
        if control.in_data:
            first, second = seed_of(0, f"data {original.__name__} {next(data_draws)}")
            return original(*args, seed=first, seed2=second, name=name, **kwargs)
        scope = scope_in_force()
        return draw(control.seed(of_scope(scope), None, scope), *args, name=name or _NAMES[draw], **kwargs)

    return drawn


def scope_in_force() -> str:
    from tf2bridge.internals.eager import context
    from tf2bridge.internals.framework import ops

    if context.executing_eagerly():
        return str(context.context().scope_name).rstrip("/")
    return str(ops.get_default_graph().get_name_scope())


def _numbers(seed: Any) -> Any:
    from tf2bridge.internals.ops import random_ops_util

    return random_ops_util.get_key_counter_alg(seed, "auto_select")


def _uniform(seed: Any, shape: Any, dtype: Any, name: str | None) -> Any:
    from tf2bridge.internals.ops import gen_stateless_random_ops_v2 as gen

    return gen.stateless_random_uniform_v2(shape, *_numbers(seed), dtype=dtype, name=name)


def _normal(seed: Any, shape: Any, dtype: Any, name: str | None) -> Any:
    from tf2bridge.internals.ops import gen_stateless_random_ops_v2 as gen

    return gen.stateless_random_normal_v2(shape, *_numbers(seed), dtype=dtype, name=name)


def _truncated(seed: Any, shape: Any, dtype: Any, name: str | None) -> Any:
    from tf2bridge.internals.ops import gen_stateless_random_ops_v2 as gen

    return gen.stateless_truncated_normal_v2(shape, *_numbers(seed), dtype=dtype, name=name)


def _integers(seed: Any, shape: Any, minval: Any, maxval: Any, name: str | None) -> Any:
    from tf2bridge.internals.ops import gen_stateless_random_ops_v2 as gen

    return gen.stateless_random_uniform_int_v2(shape, *_numbers(seed), minval, maxval, name=name)


def _shuffled(seed: Any, value: Any, name: str | None) -> Any:
    import tensorflow as tf

    value = tf.convert_to_tensor(value)
    order = tf.argsort(_uniform(seed, tf.shape(value)[:1], tf.float32, None))
    result = tf.gather(value, order, name=name)
    result.set_shape(value.shape)
    return result


def _categorical(seed: Any, logits: Any, num_samples: Any, output_dtype: Any = "int64", name: str | None = None) -> Any:
    from tf2bridge.internals.framework import dtypes
    from tf2bridge.internals.ops import gen_stateless_random_ops as gen

    return gen.stateless_multinomial(logits, num_samples, seed, dtypes.as_dtype(output_dtype), name=name)


def _gamma(seed: Any, shape: Any, alpha: Any, name: str | None) -> Any:
    from tf2bridge.internals.ops import gen_stateless_random_ops_v2 as gen

    return gen.stateless_random_gamma_v3(_and_of(shape, alpha), *_numbers(seed), alpha, name=name)


def _poisson(seed: Any, shape: Any, rate: Any, dtype: Any = None, name: str | None = None) -> Any:
    import tensorflow as tf

    from tf2bridge.internals.ops import gen_stateless_random_ops as gen

    rate = tf.convert_to_tensor(rate)
    return gen.stateless_random_poisson(_and_of(shape, rate), seed, rate, dtype or rate.dtype, name=name)


def _bounded(
    seed: Any, shape: Any, means: Any, stdevs: Any, minvals: Any, maxvals: Any, name: str | None = None
) -> Any:
    from tf2bridge.internals.ops import gen_stateless_random_ops as gen

    return gen.stateless_parameterized_truncated_normal(shape, seed, means, stdevs, minvals, maxvals, name=name)


def _and_of(shape: Any, parameter: Any) -> Any:
    """Returns the shape of all numbers, which the stateful ops leave the parameter's own out of."""
    import tensorflow as tf

    shape = tf.convert_to_tensor(shape)
    return tf.concat([shape, tf.shape(parameter, shape.dtype)], 0)


_DRAWN: dict[str, Callable[..., Any]] = {
    "random_uniform": _uniform,
    "random_standard_normal": _normal,
    "truncated_normal": _truncated,
    "random_uniform_int": _integers,
    "random_shuffle": _shuffled,
    "multinomial": _categorical,
    "random_gamma": _gamma,
    "random_poisson": _poisson,
    "random_poisson_v2": _poisson,
    "parameterized_truncated_normal": _bounded,
}
STATEFUL = tuple(_DRAWN)
"""The functions of `gen_random_ops` that draw by `seed` and `seed2`."""
_NAMES = {draw: "".join(part.title() for part in name.split("_")) for name, draw in _DRAWN.items()}


def _of_generator(control: Any) -> Callable[..., Any]:
    def prepare(self: Any, shape: Any) -> tuple[Any, Any]:
        from tf2bridge.internals.ops import random_ops_util

        del shape
        scope = scope_in_force()
        seed = control.seed(of_scope(scope), self, scope)
        pending = control.pending
        key, counter, _ = random_ops_util.get_key_counter_alg(seed, int(self.algorithm))
        control.pending = pending  # to mix the seeds is no draw
        return key, counter

    return prepare


def _binomial(control: Any) -> Callable[..., Any]:
    def draw(resource: Any, algorithm: Any, shape: Any, counts: Any, probs: Any, dtype: Any, name: Any = None) -> Any:
        from tf2bridge.internals.ops import gen_stateless_random_ops as gen

        del algorithm
        scope = scope_in_force()
        seed = control.seed(of_scope(scope), resource, scope)
        return gen.stateless_random_binomial(shape, seed, counts, probs, dtype, name=name)

    return draw


def _apart(control: Any, original: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(original)
    def init(self: Any, *args: Any, **kwargs: Any) -> None:
        with control.within_data():
            original(self, *args, **kwargs)

    return init
