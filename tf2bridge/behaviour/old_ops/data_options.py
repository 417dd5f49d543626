"""Options of data sets that 1.12 to 1.15 had and TensorFlow 2 lacks or has elsewhere.

None of them changes an element. `autotune` and `autotune_cpu_budget` set those of `tf.data.Options.autotune`, and
`auto_shard` sets `auto_shard_policy`. The others are kept without effect: they asked for rewritings that TensorFlow 2
does not do. As in 1.x, two settings that contradict each other are an error, and the result of `Dataset.options()` may
be changed and used for another data set.
"""

from __future__ import annotations

import copy
import functools
from typing import Any

from tf2bridge import internals
from tf2bridge.internals.data import util_options as options_module
from tf2bridge.patching import put

_FLAGS = "autotune autotune_buffers filter_with_random_uniform_fusion hoist_random_uniform"
_OF_1_12 = """autotune filter_fusion hoist_random_uniform latency_all_edges map_and_batch_fusion map_and_filter_fusion
map_fusion map_parallelization map_vectorization noop_elimination numa_aware shuffle_and_repeat_fusion"""
_NUMBERS = "autotune_algorithm autotune_cpu_budget"
_OLD_NAMES = {"deterministic": "experimental_deterministic"}


def _option(name: str, kind: type, default: Any = lambda: None) -> Any:
    return options_module.create_option(name, kind, f"`{name}`, as in TensorFlow 1.15.", default)


class MapVectorizationOptions(options_module.OptionsBase):  # type: ignore[misc]  # TensorFlow has no types
    """`tf.data.experimental.MapVectorizationOptions`. TensorFlow 2 does not vectorize; the elements are the same."""

    enabled = _option("enabled", bool)
    use_choose_fastest = _option("use_choose_fastest", bool)


def install() -> None:
    """Adds the options in this process."""
    module: Any = internals.data.options
    optimization = module.OptimizationOptions
    for name in _FLAGS.split():
        put(optimization, name, _option(name, bool))
    for name in _NUMBERS.split():
        put(optimization, name, _option(name, int))
    vectorization = _option("map_vectorization", MapVectorizationOptions, MapVectorizationOptions)
    put(optimization, "map_vectorization", vectorization)
    for name in _OF_1_12.split():
        put(module.Options, f"experimental_{name}", _option(f"experimental_{name}", bool))
    put(module.Options, "experimental_stateful_whitelist", _option("experimental_stateful_whitelist", list))
    policies = module.AutoShardPolicy
    put(module.DistributeOptions, "auto_shard", _auto_shard(policies))
    put(module.Options, "_to_proto", _tuned(module.Options._to_proto))
    put(module.Options, "merge", _agreeing(module.Options.merge))
    dataset: Any = internals.data.dataset_ops.DatasetV2
    put(dataset, "options", _open(dataset.options))


def _agreeing(merge: Any) -> Any:
    """Returns `options.merge(others)` that refuses contradictions. In TensorFlow 2 `others` wins."""

    @functools.wraps(merge)
    def merged(self: Any, others: Any) -> Any:
        _compare(self, others)
        return merge(self, others)

    return merged


def _compare(own: Any, others: Any) -> None:
    """Raises ValueError if an option has different values in both, in the words of data/util/options.py of 1.15."""
    if type(own) is not type(others):
        return
    default = type(own)()
    for name in others._options:
        this, that, unset = (getattr(options, name) for options in (own, others, default))
        if isinstance(this, options_module.OptionsBase):
            _compare(this, that)
        elif this != that and unset not in (this, that) and name != "framework_type":
            raise ValueError(
                f"Cannot merge incompatible values ({this!r} and {that!r}) of option: {_OLD_NAMES.get(name, name)}"
            )


def _open(options: Any) -> Any:
    """Returns `dataset.options()` with a result that may be changed. That of TensorFlow 2 may not."""

    @functools.wraps(options)
    def opened(self: Any) -> Any:
        copied = copy.deepcopy(options(self))
        copied._set_mutable(True)
        return copied

    return opened


def _auto_shard(policies: Any) -> Any:
    """Returns the property `auto_shard` of 1.15, which reads and sets the policy."""

    def get(options: Any) -> bool:
        return bool(options.auto_shard_policy != policies.OFF)

    def set_(options: Any, value: bool) -> None:
        if not isinstance(value, bool):
            raise TypeError(f'Property "auto_shard" must be of type bool, got: {value} (type: {type(value)})')
        options.auto_shard_policy = policies.AUTO if value else policies.OFF

    return property(get, set_)


def _tuned(to_proto: Any) -> Any:
    """Returns the options for the kernels, with the autotune settings at the place that they had in 1.15."""

    @functools.wraps(to_proto)
    def changed(self: Any) -> Any:
        message, old = to_proto(self), self.experimental_optimization
        autotune = self.experimental_autotune if old.autotune is None else old.autotune
        if autotune is not None and self.autotune.enabled is None:
            message.autotune_options.enabled = autotune
        if old.autotune_cpu_budget is not None and self.autotune.cpu_budget is None:
            message.autotune_options.cpu_budget = old.autotune_cpu_budget
        return message

    return changed
