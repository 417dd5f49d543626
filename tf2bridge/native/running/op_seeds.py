"""Gives the random ops of a native program's functions the seeds, or the draws, that the trace holds.

An op that is made under the name of a recorded one stands for that one. Without such a name, the n-th op of a kind that
a function makes stands for the n-th random op of that kind, in the order of making, that the recorded call of this
function ran. Kernels make the same numbers of the same seeds as in TensorFlow 1.x. An op
without a recorded seed drew other numbers in every run; it gets its recorded results, call by call.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from tf2bridge.formats.graphs.nodes import by_name, needed, node_of
from tf2bridge.formats.messages import own
from tf2bridge.native.counterparts import Counterparts
from tf2bridge.native.wanted import GIVING
from tf2bridge.patching import put
from tf2bridge.proof.randomness.ops import STATEFUL
from tf2bridge.proof.traces.reader import Array, Trace
from tf2bridge.proof.traces.records import CallRecord, RandomOp

_SAMPLERS = (
    "uniform_candidate_sampler",
    "log_uniform_candidate_sampler",
    "learned_unigram_candidate_sampler",
    "fixed_unigram_candidate_sampler",
    "thread_unsafe_unigram_candidate_sampler",
    "all_candidate_sampler",
)
"""The functions that choose the classes of a sampled loss, by `seed` and `seed2`."""
GOING_ON = "drawn_going_on"
"""The name of an op whose numbers are those of its seeds, from where another function stopped."""
_OF_A_SHAPE = ("RandomUniform", "RandomStandardNormal", "TruncatedNormal")
"""Ops whose numbers follow from their shape and seeds."""


class OpSeeds:
    """The seeds of a trace, for the functions that stand for its calls.

    Args:
        trace: The trace.
        known: What stands for its calls.

    Attributes:
        agree, unseeded, taken: Numbers of ops with the recorded seeds, without a seed in both, and with taken ones.
        others: [(recorded name, recorded seeds, own seeds)] of ops with other seeds of their own.
        unmatched: The kinds of ops that the recorded calls did not run.
        draws: The recorded ops whose results were given.
        made: [(recorded name, graph of the function, name there)] of the ops.
    """

    def __init__(self, trace: Trace, known: Counterparts) -> None:
        self._trace = trace
        self._calls = {name: [call for call, _ in calls] for name, calls in known.by_function.items()}
        self._ops: dict[str, dict[str, list[RandomOp]]] = {}
        self._function = ""
        self._first = first_draws(trace)
        self._streams: dict[str, Any] = {}
        self._made: Counter[tuple[Any, str]] = Counter()
        self._called: Counter[str] = Counter()
        self.agree = self.unseeded = self.taken = 0
        self.others: list[tuple[str, tuple[int, int], tuple[int, int]]] = []
        self.unmatched: list[str] = []
        self.draws: set[str] = set()
        self.made: list[tuple[str, Any, str]] = []

    def install(self) -> None:
        """Replaces the functions that make random ops."""
        import tensorflow as tf

        from tf2bridge.internals.ops import gen_candidate_sampling_ops, gen_random_ops

        for module, names in ((gen_random_ops, STATEFUL), (gen_candidate_sampling_ops, _SAMPLERS)):
            for name in names:
                put(module, name, self._seeded(getattr(module, name)))
                put(tf.raw_ops, _type_of(name), getattr(module, name))  # else it holds the one from before

    def begin(self, function: str) -> None:
        """Says which function of the map is traced or called next; "" for one that the map does not name."""
        self._function = function
        self._made.clear()

    def ended(self, function: str) -> None:
        """Says that a call of a function has ended."""
        self._called[function] += 1
        self._function = ""

    def _seeded(self, original: Callable[..., Any]) -> Callable[..., Any]:
        kind = _type_of(original.__name__)

        @functools.wraps(original)
        def draw(*args: Any, seed: int = 0, seed2: int = 0, **options: Any) -> Any:
            recorded = self._next(kind, options.get("name"))
            if recorded is None:
                first = self._of_a_first_value(kind, args)
                if first is not None:
                    self._note(first, (seed or 0, seed2 or 0))
                    seed, seed2 = first.seed, first.seed2
                return original(*args, seed=seed, seed2=seed2, **options)
            drawn = original(*args, seed=recorded.seed, seed2=recorded.seed2, **options)
            one = drawn[0] if isinstance(drawn, tuple) else drawn
            self.made.append((recorded.name, one.graph, one.op.name))
            if not recorded.seed and not recorded.seed2:
                return self._recorded_result(recorded, drawn)
            self._note(recorded, (seed or 0, seed2 or 0))
            return self._seeded_result(recorded, original, drawn)

        return draw

    def _next(self, kind: str, name: str | None) -> RandomOp | None:
        """Returns the recorded op that the op of this kind stands for which is made next; None outside of traces.

        Args:
            kind: The type of the op.
            name: The name that the program gives it.
        """
        import tensorflow as tf

        if not self._calls.get(self._function) or tf.executing_eagerly():
            return None
        ops = self._run_by(self._function).get(kind, [])
        named = next((op for op in ops if op.name == name), None)
        if named is not None:
            return named
        key = _trace_of(tf.compat.v1.get_default_graph()), kind
        place = self._made[key]
        self._made[key] += 1
        if place < len(ops):
            return ops[place]
        self.unmatched.append(f"{kind} of {self._function}")
        return None

    def _of_a_first_value(self, kind: str, args: Sequence[Any]) -> RandomOp | None:
        """Returns the next recorded op of this kind and shape that gave a variable its first value; None for none.

        If the program makes its variables in another order, their values differ and their distributions are compared.
        """
        import tensorflow as tf

        if kind not in _OF_A_SHAPE or not args or not tf.executing_eagerly():
            return None
        waiting = self._first.get((kind, tuple(np.asarray(args[0]).tolist())))
        return waiting.pop(0) if waiting else None

    def _note(self, recorded: RandomOp, seeds: tuple[int, int]) -> None:
        if seeds == (recorded.seed, recorded.seed2):
            self.agree += 1
        else:
            self.taken += 1
            self.others.append((recorded.name, (recorded.seed, recorded.seed2), seeds))

    def _recorded_result(self, recorded: RandomOp, drawn: Any) -> Any:
        """Returns tensors that have the recorded results of an op, call by call; `drawn` if none were recorded."""
        function = self._function
        self.unseeded += 1
        if not any(_value_of(call, recorded.name) is not None for call in self._calls[function]):
            return drawn
        self.draws.add(recorded.name)

        def value(new: Array, port: int) -> Array:
            calls, place = self._calls[function], self._called[function]
            ref = _value_of(calls[place], recorded.name, port) if place < len(calls) else None
            given = None if ref is None else self._trace.value(ref)
            return new if given is None or given.shape != new.shape else given.astype(new.dtype)

        if isinstance(drawn, tuple):
            parts = (_instead(part, functools.partial(value, port=port)) for port, part in enumerate(drawn))
            return type(drawn)(*parts)
        return _instead(drawn, functools.partial(value, port=0))

    def _seeded_result(self, recorded: RandomOp, original: Callable[..., Any], drawn: Any) -> Any:
        """Returns a tensor that goes on where the op stopped, whichever function ran it: `drawn` if one alone does."""
        import tensorflow as tf

        if recorded.type not in _OF_A_SHAPE or not self._is_shared(recorded):
            return drawn
        if recorded.name not in self._streams:

            def draw(shape: Any) -> Any:
                return original(shape, drawn.dtype, seed=recorded.seed, seed2=recorded.seed2)

            self._streams[recorded.name] = tf.function(draw, input_signature=[tf.TensorSpec([None], tf.int32)])
        stream = self._streams[recorded.name]
        return _instead(drawn, lambda new: stream(np.array(new.shape, np.int32)).numpy(), GOING_ON)

    def _is_shared(self, recorded: RandomOp) -> bool:
        """Returns whether several functions, or one that is traced several times, stand for calls that ran an op.

        Each trace of a function has a kernel of its own, which begins anew.
        """
        runners = [name for name in self._calls if self._calls[name] and _has(self._run_by(name), recorded)]
        return len(runners) > 1 or any(self._shapes(name) > 1 for name in runners)

    def _shapes(self, function: str) -> int:
        """Returns how many different shapes of feeds the recorded calls of a function have."""
        values = self._trace.manifest["values"]
        return len(
            {
                tuple(tuple(values[leaf.value]["shape"]) for leaf in call.feeds if leaf.value is not None)
                for call in self._calls[function]
            }
        )

    def _run_by(self, function: str) -> Mapping[str, Sequence[RandomOp]]:
        """Returns kind -> the random ops that the recorded calls of a function run, in the order of making."""
        if function not in self._ops:
            first = self._calls[function][0]
            nodes = by_name(own("GraphDef").FromString(self._trace.graph_def(first.graph)).node)
            leaves = (*first.fetches, *first.intermediate)  # metrics are fetched later than drawn
            run = needed(nodes, [node_of(leaf.name) for leaf in leaves], [node_of(feed.name) for feed in first.feeds])
            kinds: dict[str, list[RandomOp]] = {}
            for op in self._trace.graphs[first.graph].random_ops:
                if op.name in run:
                    kinds.setdefault(op.type, []).append(op)
            self._ops[function] = kinds
        return self._ops[function]


def _type_of(function: str) -> str:
    """Returns the type of the op that a function makes: "RandomUniform" for "random_uniform"."""
    return "".join(part.title() for part in function.split("_"))


def first_draws(trace: Trace) -> dict[tuple[str, tuple[int, ...]], list[RandomOp]]:
    """Returns kind and shape -> the seeded random ops that alone gave variables first values, in their order."""
    draws: dict[tuple[str, tuple[int, ...]], list[RandomOp]] = {}
    for number, graph in enumerate(trace.graphs):
        nodes = by_name(own("GraphDef").FromString(trace.graph_def(number)).node)
        ops = {op.name: op for op in graph.random_ops}
        giving = {node_of(node.input[0]): node for node in reversed(nodes.values()) if node.op in GIVING}
        for variable in graph.variables:
            if variable.name in giving and variable.initial is not None:
                behind = [name for name in needed(nodes, [node_of(giving[variable.name].input[1])]) if name in ops]
                if len(behind) == 1 and ops[behind[0]].seed | ops[behind[0]].seed2:
                    op = ops[behind[0]]
                    draws.setdefault((op.type, trace.value(variable.initial).shape), []).append(op)
    return draws


def _trace_of(graph: Any) -> Any:
    """Returns the graph of the function that is traced, for a graph in it, such as the body of a loop.

    TensorFlow traces a function twice, if that makes variables.
    """
    while hasattr(outer := getattr(graph, "outer_graph", None), "outer_graph"):
        graph = outer
    return graph


def _value_of(call: CallRecord, op: str, port: int = 0) -> int | None:
    leaves = (*call.intermediate, *call.fetches)  # a draw may be what is fetched
    return next((leaf.value for leaf in leaves if leaf.name == f"{op}:{port}"), None)


def _has(kinds: Mapping[str, Sequence[RandomOp]], op: RandomOp) -> bool:
    return op in kinds.get(op.type, ())


def _instead(drawn: Any, value: Callable[[Array], Array], name: str | None = None) -> Any:
    """Returns a tensor that has another value than a drawn one, made of it when the function runs."""
    import tensorflow as tf

    result = tf.numpy_function(value, [drawn], drawn.dtype, name=name)
    result.set_shape(drawn.shape)
    return result
