"""Replaces `random_seed.get_seed` and the measured functions, and puts them back."""

from __future__ import annotations

import functools
import importlib
import inspect
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any, Protocol

from tf2bridge.v1.seeds import counter, doubt, gradients
from tf2bridge.v1.seeds.counter import NO_DIFFERENCE, Row
from tf2bridge.v1.seeds.gradient_facts import facts
from tf2bridge.v1.seeds.hooks import HOOKS, Hook
from tf2bridge.v1.seeds.late import Watch
from tf2bridge.v1.seeds.rebind import Function, rebind, twins
from tf2bridge.v1.seeds.rules import RULES
from tf2bridge.v1.seeds.table import Rows

Wrap = Callable[[Function], Function]

GRADIENT = "gradient"
_GRADIENTS = "tensorflow.python.framework.ops:get_gradient_function"
_LATE = ("tf_keras", "tf2bridge.contrib", "tf2bridge.estimator")
"""Packages that are not imported for their measured functions: these are replaced when a program imports them."""


class Observer(Protocol):
    """Is told of every measured call: for measuring."""

    def began(self, function: str, way: str, times: int) -> None: ...

    def ended(self, function: str, way: str, operations: int) -> None:
        """`operations` were counted inside, without the row of the call itself."""


@dataclass
class _Installed:
    release: str
    functions: list[tuple[Function, Function]] = field(default_factory=list)
    methods: list[tuple[type, str, Any]] = field(default_factory=list)
    watch: Watch | None = None


_installed: _Installed | None = None


def current() -> str | None:
    """Returns the release that is installed, or None."""
    return _installed.release if _installed else None


def install(release: str, rows: Rows, observer: Observer | None = None) -> None:
    """Replaces the functions; an observer is told of every measured call."""
    global _installed
    state = _Installed(release)
    wanted: list[tuple[str, Wrap]] = [("tensorflow.python.framework.random_seed:get_seed", _seeded)]
    wanted += [(rule.where, rule.replace) for rule in RULES if release in rule.releases]
    wanted.append((_GRADIENTS, _counting_gradients(rows.setdefault(GRADIENT, {}), observer)))
    wanted += [(hook.where, _counting(hook, rows.setdefault(hook.name, {}), observer)) for hook in HOOKS]
    late = [place for place in wanted if place[0].startswith(_LATE) and _module(place[0]) not in sys.modules]
    _replace(state, [place for place in wanted if place not in late])
    state.watch = Watch([_module(where) for where, _ in late], lambda module: _arrived(state, module, late))
    _installed = state


def uninstall() -> None:
    """Puts everything back, in modules loaded meanwhile too."""
    global _installed
    if _installed is None:
        return
    if _installed.watch is not None:
        _installed.watch.stop()
    rebind({id(new): (new, original) for original, new in _installed.functions})
    for owner, name, original in _installed.methods:
        setattr(owner, name, original)
    _installed = None


def _module(where: str) -> str:
    return where.partition(":")[0]


def _arrived(state: _Installed, module: ModuleType, late: Sequence[tuple[str, Wrap]]) -> None:
    _replace(state, [place for place in late if _module(place[0]) == module.__name__])


def _replace(state: _Installed, places: Sequence[tuple[str, Wrap]]) -> None:
    """Puts wrapped functions in all modules, and wrapped methods in their classes."""
    found: dict[int, tuple[Function, Function]] = {}
    for where, wrap in places:
        module, _, path = where.partition(":")
        owner_name, _, name = path.rpartition(".")
        owner: Any = importlib.import_module(module)
        if owner_name:
            owner = next(base for base in getattr(owner, owner_name).__mro__ if name in base.__dict__)
            state.methods.append((owner, name, owner.__dict__[name]))
            setattr(owner, name, wrap(owner.__dict__[name]))
        else:
            for original in twins(owner, name):
                found[id(original)] = (original, wrap(original))
    state.functions.extend(found.values())
    rebind(found)


def _counting(hook: Hook, rows: dict[str, Row], observer: Observer | None) -> Wrap:
    """Returns what wraps a function so that its row is counted on each call in graph mode."""
    from tensorflow.python.eager import context
    from tensorflow.python.framework import ops

    def wrap(original: Function) -> Function:
        signature = inspect.signature(original)

        @functools.wraps(original)
        def counted(*args: Any, **kwargs: Any) -> Any:
            if context.executing_eagerly():
                return original(*args, **kwargs)
            frames = counter.of(ops.get_default_graph()).frames
            if frames and frames[-1].function == hook.name:
                return original(*args, **kwargs)  # one of two twins called the other
            try:
                bound = signature.bind(*args, **kwargs)
            except TypeError:
                return original(*args, **kwargs)  # which says what is wrong with them
            bound.apply_defaults()
            way, times = hook.way(bound.arguments), hook.times(bound.arguments)
            with _one_call(hook.name, way, times, rows, observer):
                return original(*args, **kwargs)

        return counted

    return wrap


@contextmanager
def _one_call(function: str, way: str, times: int, rows: dict[str, Row], observer: Observer | None) -> Iterator[None]:
    """Counts one call; a call that no row is for is noted as unmeasured."""
    from tensorflow.python.framework import ops

    graph = ops.get_default_graph()
    row = rows.get(way)
    if row is None and times:
        counter.of(graph).unmeasured.add(f"{function} ({way})" if way else function)
    if observer is None:
        with counter.running(graph, function, (row or NO_DIFFERENCE).scaled(times)):
            yield
        return
    observer.began(function, way, times)
    before = counter.virtual_count(graph)
    scaled = (row or NO_DIFFERENCE).scaled(times)
    with counter.running(graph, function, scaled):
        yield
    observer.ended(function, way, counter.virtual_count(graph) - before - scaled.total)


def _counting_gradients(rows: dict[str, Row], observer: Observer | None) -> Wrap:
    """Returns what wraps `ops.get_gradient_function` so that each operation's gradient is counted."""

    def wrap(original: Function) -> Function:
        @functools.wraps(original)
        def get_gradient_function(op: Any) -> Any:
            function = original(op)
            return None if function is None else functools.partial(counted, function)

        def counted(function: Function, op: Any, *given: Any) -> Any:
            way = gradients.way(facts(op, given), counter.of(op.graph).gradients)
            with _one_call(GRADIENT, way, 1, rows, observer):
                return function(op, *given)

        return get_gradient_function

    return wrap


def _seeded(original: Function) -> Function:
    """Returns `random_seed.get_seed` with the older release's default op seed."""
    from tensorflow.python.eager import context
    from tensorflow.python.framework import ops

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
