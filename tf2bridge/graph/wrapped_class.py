"""`wrap_class`: turn a class whose methods build a TF 1.x graph into one whose instances are live modules."""

from __future__ import annotations

import contextlib
import inspect
import types
from collections.abc import Callable, Collection, Sequence
from typing import Any

import tensorflow as tf

from tf2bridge.formats.graphs.nodes import lookup, variable_nodes
from tf2bridge.graph import variable_values
from tf2bridge.graph.code_graph import Built, build, legacy_graph
from tf2bridge.graph.graph_function import GraphFunction
from tf2bridge.graph.graph_module import GraphModule
from tf2bridge.graph.live_session import make_live
from tf2bridge.graph.load import live_variables
from tf2bridge.graph.tf1_behaviour import tf1_ways
from tf2bridge.graph.wrap import module_of

v1 = tf.compat.v1

_SAVERS = ("Save*", "Restore*", "MergeV2Checkpoints", "Sharded*")
"""Operations of `tf.train.Saver`. They are permitted, since the methods of the class name the files."""


def wrap_class(
    cls: type | None = None,
    *,
    outputs: Sequence[str] | None = None,
    build: Sequence[str] = (),
    allow_ops: Collection[str] = (),
) -> Any:
    """Returns a class whose instances are live modules: `wrap_class(Model)(config)`. It is a decorator, too.

    An instance is the module of `wrap(lambda: Model(config))`. Its inputs and outputs are named by the attributes that
    hold them. Constructor arguments that are `tf.TensorSpec`s become placeholders, named as the parameters.

    The module also has the attributes and methods of the program's object, such as `module.predict(x)`, unless it has
    the name itself; `module.program` is the object. A `tf.Session` that the object keeps runs on the live variables, so
    `self.sess.run(self.y, {self.x: x})` in a method reads and changes these. Random operations start at their seeds for
    each new combination of feeds and fetches; a session of TF 1.x continues its sequence.

    Args:
        cls: the class; None makes a decorator.
        outputs: see `wrap`.
        build: names of methods without arguments to call after the constructor, in order.
        allow_ops: see `wrap`.

    A call of the returned class raises what `wrap` raises.
    """
    if cls is None:
        return lambda decorated: WrappedClass(decorated, outputs, tuple(build), tuple(allow_ops))
    return WrappedClass(cls, outputs, tuple(build), tuple(allow_ops))


class WrappedClass:
    """Wraps a class: a call makes an instance and returns its live module; attributes are those of the class."""

    def __init__(
        self, cls: type, outputs: Sequence[str] | None, build: Sequence[str], allow_ops: Collection[str]
    ) -> None:
        self.__wrapped__ = cls
        self._outputs, self._build, self._allow_ops = outputs, build, allow_ops
        self.__doc__, self.__name__ = cls.__doc__, cls.__name__

    def __call__(self, *args: Any, **kwargs: Any) -> Program:
        """Returns the live module of a new instance."""
        bound = inspect.signature(self.__wrapped__).bind(*args, **kwargs)
        specs = {name: value for name, value in bound.arguments.items() if isinstance(value, tf.TensorSpec)}

        def make(**placeholders: Any) -> Any:
            bound.arguments.update(placeholders)
            instance = self.__wrapped__(*bound.args, **bound.kwargs)
            for name in self._build:
                getattr(instance, name)()
            return instance

        return _program(make, specs, self)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.__dict__["__wrapped__"], name)

    def __instancecheck__(self, instance: Any) -> bool:
        return isinstance(instance.program if isinstance(instance, Program) else instance, self.__wrapped__)

    def __mro_entries__(self, _bases: Any) -> tuple[type]:
        return (self.__wrapped__,)


class Program(GraphModule):
    """The live module of the object `program`, whose sessions run on the module's variables."""

    program: Any = None
    """The object, None until it is built."""

    def adopt(self, built: Built) -> None:
        """Takes over the object that was built, and its sessions."""
        self.program, self._built_in, self._version = built.result, built.graph, built.graph.version
        interactive = [session for session in built.sessions if isinstance(session, v1.InteractiveSession)]
        self._default_session = interactive[-1] if interactive else None
        make_live(built.sessions, self.run_by, built.graph)

    def run_by(self, feeds: Sequence[str], fetches: Sequence[str]) -> GraphFunction:
        """Returns the function from feeds to fetches, also for operations that methods of the object added later."""
        if self._built_in.version != self._version:
            self._grow()
        return self._function({endpoint: endpoint for endpoint in feeds}, fetches)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or self.program is None:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        attribute = getattr(self.program, name)
        if isinstance(attribute, types.MethodType) and attribute.__self__ is self.program:
            return self._inside(attribute)
        return attribute

    def __setattr__(self, name: str, value: Any) -> None:
        is_programs = not name.startswith("_") and name not in self.__dict__ and hasattr(self.program, name)
        if is_programs and not hasattr(type(self), name):
            setattr(self.program, name, value)
        else:
            super().__setattr__(name, value)

    def _inside(self, method: Callable[..., Any]) -> Callable[..., Any]:
        """Returns the method so that it runs with the graph as the default one, as in TF 1.x."""

        def run(*args: Any, **kwargs: Any) -> Any:
            with self._built_in.as_default(), tf1_ways(), self._as_default():
                try:
                    return method(*args, **kwargs)
                finally:
                    make_live(vars(self.program).values(), self.run_by, self._built_in)

        return run

    def _as_default(self) -> Any:
        """Makes the object's `InteractiveSession` the default session, which `self.y.eval()` uses."""
        return self._default_session.as_default() if self._default_session else contextlib.nullcontext()

    def _grow(self) -> None:
        self.graph, self._version = legacy_graph(self._built_in), self._built_in.version
        self._nodes = lookup(self.graph.graph_def.node)
        new = [name for name in variable_nodes(self.graph.graph_def) if name not in self._live]
        self._live |= (
            live_variables(self.graph, variable_values.from_initializers(self.graph.graph_def, new)) if new else {}
        )


def _program(make: Callable[..., Any], specs: dict[str, tf.TensorSpec], wrapped: WrappedClass) -> Program:
    built = build(make, specs)
    module = module_of(built, wrapped._outputs, (*_SAVERS, *wrapped._allow_ops), wrapped.__name__, Program)
    assert isinstance(module, Program)
    module.adopt(built)
    return module
