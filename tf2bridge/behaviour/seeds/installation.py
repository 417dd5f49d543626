"""Replaces `random_seed.get_seed` and the measured functions, and puts them back."""

from __future__ import annotations

import functools
import importlib
import inspect
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any, Protocol

from tf2bridge.behaviour.seeds import backward, counter, doubt, gradients
from tf2bridge.behaviour.seeds.binding import binder
from tf2bridge.behaviour.seeds.counter import NO_DIFFERENCE, Row
from tf2bridge.behaviour.seeds.gradient_facts import facts
from tf2bridge.behaviour.seeds.hooks import HOOKS, Hook
from tf2bridge.behaviour.seeds.late import Watch
from tf2bridge.behaviour.seeds.replacements import RULES
from tf2bridge.behaviour.seeds.table import Rows
from tf2bridge.patching import Function, PatchSet, all_twins, on_undo, put, rebind

Wrap = Callable[[Function], Function]

GRADIENT = "gradient"
_GRADIENTS = "tensorflow.python.framework.ops:get_gradient_function"
_LATE = ("tf_keras", "tf2bridge.contrib", "tf2bridge.estimator")
"""Packages that are not imported for their measured functions: these are replaced when a program imports them."""


class Observer(Protocol):
    """Receives every measured call, to measure it."""

    def began(self, function: str, way: str, times: int) -> None: ...

    def ended(self, function: str, way: str, operations: int, subject: str) -> None:
        """Receives a call with the number of operations counted in it, without its own row.

        `subject` of a gradient is its op.
        """


@dataclass
class _Installed:
    release: str
    family: str
    patches: PatchSet = field(default_factory=lambda: PatchSet("op seeds"))


_installed: _Installed | None = None


def current() -> str | None:
    """Returns the release that is installed, or None."""
    return _installed.release if _installed else None


def family() -> str | None:
    """Returns the release whose rules are installed, or None: see `table.FAMILIES`."""
    return _installed.family if _installed else None


def install(release: str, family: str, rows: Rows, observer: Observer | None = None) -> None:
    """Replaces the functions by the rules of a family of releases. An observer receives every measured call."""
    global _installed
    state = _Installed(release, family)
    wanted: list[tuple[str, Wrap]] = [("tensorflow.python.framework.random_seed:get_seed", _seeded)]
    wanted += [(rule.where, rule.replace) for rule in RULES if rule.applies(release, family)]
    wanted.append(
        (_GRADIENTS, _counting_gradients(rows.setdefault(GRADIENT, {}), observer, backward.gradients(release, family)))
    )
    wanted += [
        (hook.where, _counting(hook, rows.setdefault(hook.name, {}), observer))
        for hook in HOOKS
        if observer is not None or _matters(rows.get(hook.name, {}))
    ]
    late = [place for place in wanted if place[0].startswith(_LATE) and _module(place[0]) not in sys.modules]
    with state.patches.collecting():
        _replace([place for place in wanted if place not in late])
        watch = Watch([_module(where) for where, _ in late], lambda module: _arrived(state, module, late))
        on_undo(watch.stop)
    _installed = state


def uninstall() -> None:
    """Restores everything, also in modules that were loaded later."""
    global _installed
    if _installed is not None:
        _installed.patches.undo()
        _installed = None


def _matters(rows: dict[str, Row]) -> bool:
    """Returns whether a function has to be watched. A function whose measured ways are all equal is not replaced."""
    return not rows or any(row is not NO_DIFFERENCE for row in rows.values())


def _module(where: str) -> str:
    return where.partition(":")[0]


def _arrived(state: _Installed, module: ModuleType, late: Sequence[tuple[str, Wrap]]) -> None:
    with state.patches.collecting():
        _replace([place for place in late if _module(place[0]) == module.__name__])


def _replace(places: Sequence[tuple[str, Wrap]]) -> None:
    """Puts wrapped functions in all modules, and wrapped methods in their classes."""
    functions: list[tuple[ModuleType, str, Wrap]] = []
    for where, wrap in places:
        module_name, _, path = where.partition(":")
        class_name, _, name = path.rpartition(".")
        module = importlib.import_module(module_name)
        if class_name:
            owner = next(base for base in getattr(module, class_name).__mro__ if name in base.__dict__)
            original = owner.__dict__[name]
            replacement = wrap(original)
            # Keras asks for the parameters of `call`, and gives a mask to a layer that takes any.
            vars(replacement)["__signature__"] = inspect.signature(original)
            put(owner, name, replacement)
        else:
            functions.append((module, name, wrap))
    pairs: dict[int, tuple[Function, Function]] = {}
    by_function = all_twins([(module, name) for module, name, _ in functions])
    for (_, _, wrap), originals in zip(functions, by_function, strict=True):
        for original in originals:
            pairs[id(original)] = (original, wrap(pairs.get(id(original), (original, original))[1]))
    rebind(pairs)


def _counting(hook: Hook, rows: dict[str, Row], observer: Observer | None) -> Wrap:
    """Returns a decorator that counts the row of a function on each call in graph mode."""
    from tf2bridge.internals.eager import context
    from tf2bridge.internals.framework import ops

    eager, default_graph, way_of, name = context.executing_eagerly, ops.get_default_graph, hook.way, hook.name

    def wrap(original: Function) -> Function:
        bind = binder(original)

        @functools.wraps(original)
        def counted(*args: Any, **kwargs: Any) -> Any:
            if eager():
                return original(*args, **kwargs)
            graph = default_graph()
            frames = counter.of(graph).frames
            if frames and frames[-1].function == name:
                return original(*args, **kwargs)  # one of two twins called the other
            arguments = bind(args, kwargs)
            if arguments is None:
                return original(*args, **kwargs)  # which says what is wrong with them
            way = way_of(arguments)
            times, call = hook.times(arguments), functools.partial(original, *args, **kwargs)
            if observer is not None:
                return _observed(graph, name, way, times, rows, call, observer)
            return call() if rows.get(way) is NO_DIFFERENCE else _one_call(graph, name, way, times, rows, call)

        return counted

    return wrap


def _one_call(graph: Any, function: str, way: str, times: int, rows: dict[str, Row], call: Callable[[], Any]) -> Any:
    """Makes one call and counts it. A call without a row is noted as unmeasured."""
    row = rows.get(way)
    if row is None:
        if times:
            counter.of(graph).unmeasured.add(f"{function} ({way})" if way else function)
        row = NO_DIFFERENCE
    return counter.call(graph, function, row.scaled(times), call)


def _observed(
    graph: Any,
    function: str,
    way: str,
    times: int,
    rows: dict[str, Row],
    call: Callable[[], Any],
    observer: Observer,
    subject: str = "",
) -> Any:
    """Makes one call, counts it and passes it to the observer."""
    observer.began(function, way, times)
    before = counter.virtual_count(graph)
    result = _one_call(graph, function, way, times, rows, call)
    own = rows.get(way, NO_DIFFERENCE).scaled(times).total
    observer.ended(function, way, counter.virtual_count(graph) - before - own, subject)
    return result


class Gradient(functools.partial[Any]):
    """A gradient function that is counted. It equals the original function, because programs compare them."""

    def __eq__(self, other: object) -> bool:
        return bool(self.args[0] == (other.args[0] if isinstance(other, Gradient) else other))

    def __hash__(self) -> int:
        return hash(self.args[0])


def _counting_gradients(rows: dict[str, Row], observer: Observer | None, older: dict[str, Function]) -> Wrap:
    """Returns a decorator of `ops.get_gradient_function`: each gradient is counted, or built as in the release."""
    from tf2bridge.internals.framework import ops

    def wrap(original: Function) -> Function:
        @functools.wraps(original)
        def get_gradient_function(op: Any) -> Any:
            function = original(op)
            if function is None:
                return None
            if counter.is_marked(op):
                return Gradient(uncounted, function)
            if op.type in older and function is ops.gradient_registry.lookup(op.type):
                return Gradient(rebuilt, function)  # but not where the program chose another (gradient_override_map)
            return Gradient(counted, function)

        def rebuilt(_: Function, op: Any, *given: Any) -> Any:
            return older[op.type](op, *given)

        def uncounted(function: Function, op: Any, *given: Any) -> Any:
            with counter.uncounted(op.graph):
                return function(op, *given)

        def counted(function: Function, op: Any, *given: Any) -> Any:
            way = gradients.way(facts(op, given))
            call = functools.partial(function, op, *given)
            if observer is not None:
                return _observed(op.graph, GRADIENT, way, 1, rows, call, observer, op.name)
            return call() if rows.get(way) is NO_DIFFERENCE else _one_call(op.graph, GRADIENT, way, 1, rows, call)

        return get_gradient_function

    return wrap


def _seeded(original: Function) -> Function:
    """Returns `random_seed.get_seed` with the older release's default op seed."""
    from tf2bridge.internals.eager import context
    from tf2bridge.internals.framework import ops

    @functools.wraps(original)
    def get_seed(op_seed: int | None) -> Any:
        if op_seed is not None or context.executing_eagerly():
            return original(op_seed)
        graph = ops.get_default_graph()
        if graph.seed is None:
            return original(None)
        if hasattr(graph, "_seed_used"):
            graph._seed_used = True
        doubt.tell(graph, current() or "")
        return original(counter.take_seed(graph))

    return get_seed
