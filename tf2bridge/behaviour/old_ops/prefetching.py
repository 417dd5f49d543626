"""Data sets whose functions have effects do not run ahead of the program, as in 1.x.

TensorFlow 2 adds a `prefetch` at the end of a data set that has none, and makes a stateless `map` parallel. Then a
function that counts in a variable, or a generator that reads the current weights, runs some elements ahead of the
program. Data sets without effects keep `prefetch` and the parallel `map`, because their elements are the same.
"""

from __future__ import annotations

import functools
from typing import Any

from tf2bridge import internals
from tf2bridge.behaviour.installed import tensorflow
from tf2bridge.behaviour.seeds import counter
from tf2bridge.behaviour.seeds.datasets import functions_of
from tf2bridge.patching import put

_RUNNING_AHEAD = ("inject_prefetch", "map_parallelization")

_RANDOM = ("Random", "Stateless", "Multinomial", "ParameterizedTruncatedNormal", "TruncatedNormal")
"""Beginnings of the names of ops whose only state is their seed: it does not matter when they run."""


def install() -> None:
    """Leaves out both for data sets with effects, in this process."""
    module: Any = internals.data.dataset_ops
    original = module.DatasetV2._apply_debug_options  # which all iterators call, and `reduce`

    @functools.wraps(original)
    def applied(dataset: Any) -> Any:
        tf, dataset = tensorflow(), original(dataset)
        given = dataset.options().experimental_optimization
        unsaid = [name for name in _RUNNING_AHEAD if getattr(given, name) is None]
        if not unsaid or not _has_effects(dataset):
            return dataset
        options = tf.data.Options()
        for name in unsaid:
            setattr(options.experimental_optimization, name, False)
        if tf.executing_eagerly():
            return dataset.with_options(options)
        with counter.uncounted(tf.compat.v1.get_default_graph()):
            return dataset.with_options(options)

    put(module.DatasetV2, "_apply_debug_options", applied)


def _has_effects(dataset: Any) -> bool:
    """Returns whether a function of the data set, or of its inputs, reads or changes anything except its arguments."""
    return any(map(_acts, functions_of(dataset)))


def _acts(wrapped: Any) -> bool:
    graph = getattr(wrapped.function, "graph", None)
    operations = graph.get_operations() if graph is not None else ()
    return any(op.op_def.is_stateful and not op.type.startswith(_RANDOM) for op in operations)
