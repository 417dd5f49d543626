"""Data sets whose functions have effects do not run ahead of the program, as in 1.x.

TensorFlow 2 puts a `prefetch` at the end of a data set that has none, and makes a `map` without state a parallel one.
Then a function that counts in a variable, or a generator that reads what the program has learned so far, runs some
elements before the program asks for them. Other data sets keep both: their elements are the same.
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
"""How ops begin whose state is a seed of their own: it does not matter when they run."""


def install() -> None:
    """Leaves both out in this process."""
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
    """Whether a function of the data set, or of one it is made of, reads or changes more than its arguments."""
    return any(map(_acts, functions_of(dataset)))


def _acts(wrapped: Any) -> bool:
    graph = getattr(wrapped.function, "graph", None)
    operations = graph.get_operations() if graph is not None else ()
    return any(op.op_def.is_stateful and not op.type.startswith(_RANDOM) for op in operations)
