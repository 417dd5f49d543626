"""Logs the calls of a program's tf.functions, each with what it gets and returns.

Only outermost calls in the main thread count: what a function calls is part of it. The class of tf.functions is asked
of one of them, since it has no public name.
"""

from __future__ import annotations

import functools
import inspect
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tf2bridge.patching import put
from tf2bridge.proof.recording.encoding import describe
from tf2bridge.proof.recording.places import Places

Given = Callable[[str, Sequence["np.ndarray[Any, Any] | None"]], Sequence["np.ndarray[Any, Any] | None"]]


@dataclass(frozen=True)
class Logged:
    """One call: what the function got and returned, flattened; None for what is no value.

    Attributes:
        function: "train:Model.step", by the file of the module.
        concrete: The traced function, or None if it failed.
        error: The error that it ended with, as one line.
    """

    function: str
    feeds: Sequence[np.ndarray[Any, Any] | None]
    results: Sequence[np.ndarray[Any, Any] | None]
    concrete: Any
    error: str | None


class FunctionLog:
    """Hooks tf.function.

    Args:
        places: Tells the program's files from others.
        begin: Called with the name of a function before it is traced or called.
        settle: Called when a function has been traced.
        ready: Called before a function runs.
        write: Gets each call.
        given: Gets the name of a function and its flattened arguments, and returns what it is called with instead;
            None leaves an argument as it is.
    """

    def __init__(
        self,
        places: Places,
        begin: Callable[[str], None],
        settle: Callable[[], None],
        ready: Callable[[], None],
        write: Callable[[Logged], None],
        given: Given | None = None,
    ) -> None:
        self._places, self._begin, self._settle = places, begin, settle
        self._ready, self._write, self._given = ready, write, given
        self._is_inside = False
        self.instances: dict[str, Any] = {}
        self.elsewhere = 0

    def install(self) -> None:
        """Replaces the methods of all tf.functions."""
        import tensorflow as tf

        kind = type(tf.function(_nothing))
        put(kind, "__get__", self._bound(kind.__get__))
        put(kind, "get_concrete_function", self._traced(kind.get_concrete_function))
        put(kind, "__call__", self._called(kind.__call__, kind.get_concrete_function))

    def _bound(self, original: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(original)
        def get(function: Any, instance: Any, owner: Any) -> Any:
            if instance is not None:
                name = self.name_of(function).partition(":")[0]
                self.instances.setdefault(f"{name}:{type(instance).__qualname__}", instance)
            return original(function, instance, owner)

        return get

    def _traced(self, original: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(original)
        def get_concrete_function(function: Any, *args: Any, **options: Any) -> Any:
            import tensorflow as tf

            if not tf.executing_eagerly():
                return original(function, *args, **options)
            self._begin(self.name_of(function))
            concrete = original(function, *args, **options)
            self._settle()
            return concrete

        return get_concrete_function

    def _called(self, original: Callable[..., Any], trace: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(original)
        def call(function: Any, *args: Any, **options: Any) -> Any:
            import tensorflow as tf

            name = "" if self._is_inside or not tf.executing_eagerly() else self.name_of(function)
            if threading.current_thread() is not threading.main_thread():
                self.elsewhere += bool(name)
                name = ""
            if not name:
                return original(function, *args, **options)
            self._is_inside = True
            try:
                return self._logged(name, function, args, options, original, trace)
            finally:
                self._is_inside = False

        return call

    def _logged(
        self,
        name: str,
        function: Any,
        args: Sequence[Any],
        options: Mapping[str, Any],
        original: Callable[..., Any],
        trace: Callable[..., Any],
    ) -> Any:
        values = _values(function, args, options)
        feeds = _arrays(values or [])
        if self._given is not None and values is not None:
            args, options = _replaced(values, self._given(name, feeds)), {}
            feeds = _arrays(args)
        self._begin(name)
        concrete = None
        try:
            concrete = trace(function, *args, **options)  # makes the variables, which must have their values first
            self._ready()
            outputs = original(function, *args, **options)
        except Exception as error:
            self._write(Logged(name, feeds, (), concrete, describe(error)))
            raise
        self._write(Logged(name, feeds, _arrays(outputs), concrete, None))
        return outputs

    def name_of(self, function: Any) -> str:
        """Returns "train:Model.step" of a tf.function of the program; "" for one of a library."""
        python = inspect.unwrap(function.python_function)
        python = getattr(python, "__func__", python)
        code = getattr(python, "__code__", None)
        file = self._places.relative(code.co_filename) if code is not None else ""
        return f"{module_of(file)}:{python.__qualname__}" if file else ""


def module_of(file: str) -> str:
    """Returns the module of a file relative to the program's directory: "pkg/train.py" -> "pkg.train"."""
    return file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def _values(function: Any, args: Sequence[Any], options: Mapping[str, Any]) -> list[Any] | None:
    """Returns the arguments in the order of the parameters; None if they do not fit."""
    try:
        bound = inspect.signature(inspect.unwrap(function.python_function)).bind(*args, **options)
    except TypeError:
        return None  # the call reports it
    bound.apply_defaults()
    values = list(bound.arguments.values())
    specs = list(function.input_signature or ())
    if len(specs) == len(values):
        values = [_one_tensor(value, spec) for value, spec in zip(values, specs, strict=True)]
    return values


def _replaced(values: Sequence[Any], given: Sequence[np.ndarray[Any, Any] | None]) -> list[Any]:
    """Returns arguments with other arrays in the places where some are given."""
    import tensorflow as tf

    leaves = tf.nest.flatten(list(values), expand_composites=True)
    new = [leaf if other is None else other for leaf, other in zip(leaves, given, strict=True)]
    packed: list[Any] = tf.nest.pack_sequence_as(list(values), new, expand_composites=True)
    return packed


def _one_tensor(value: Any, spec: Any) -> Any:
    """Returns what the function gets of an argument: of a list or an array an array of its type, all else as it is."""
    import tensorflow as tf

    if not isinstance(spec, tf.TensorSpec) or not isinstance(value, (list, tuple, np.ndarray)):
        return value
    try:
        return np.asarray(value, spec.dtype.as_numpy_dtype)
    except (TypeError, ValueError):
        return value  # it holds tensors, or the call reports it


def _arrays(structure: Any) -> list[np.ndarray[Any, Any] | None]:
    import tensorflow as tf

    return [_array(leaf) for leaf in tf.nest.flatten(structure, expand_composites=True)]


def _array(value: Any) -> np.ndarray[Any, Any] | None:
    import tensorflow as tf

    if getattr(value, "dtype", None) in (tf.resource, tf.variant):
        return None  # an iterator, or a dataset
    if hasattr(value, "numpy"):
        value = value.numpy()
    if isinstance(value, (bytes, str)):
        return np.asarray(value, object)
    return np.array(value) if isinstance(value, (bool, int, float, complex, np.ndarray, np.generic)) else None


def _nothing() -> None: ...
