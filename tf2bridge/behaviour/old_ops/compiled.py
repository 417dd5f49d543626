"""Functions traced once for each kind of arguments, as `tf.contrib.eager.defun` and the functions of data sets were.

If a function makes variables, `tf.function` traces it twice, lifts the variables out of it and leaves them out of the
collections of the graph. Here a function makes plain variables at each trace, as in 1.x.
"""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

from tf2bridge.internals.data import structured_function
from tf2bridge.internals.eager import context, polymorphic_function, tracing_compilation
from tf2bridge.internals.support import tf_decorator
from tf2bridge.patching import put


def install() -> None:
    """Makes data sets trace their functions once in the graphs of this process.

    At a second trace, `tf.get_variable` in a function of `map` would fail, because its variable exists.
    """
    module = structured_function.def_function
    put(structured_function, "def_function", types.SimpleNamespace(**{**vars(module), "Function": _of_data_sets}))


def _of_data_sets(*args: Any, **kwargs: Any) -> Any:
    made = polymorphic_function.Function if context.executing_eagerly() else Compiled
    return made(*args, **kwargs)


class Compiled(polymorphic_function.Function):  # type: ignore[misc]  # TensorFlow has no types
    """A Python function that runs as a graph. As an attribute of a class it binds like a method."""

    _options: Any = None

    def _call(self, *args: Any, **kwds: Any) -> Any:
        utils = polymorphic_function.function_type_utils
        bound = utils.canonicalize_function_inputs(args, kwds, self._function_type, self._default_values, self._is_pure)
        return tracing_compilation.call_function(bound.args, bound.kwargs, self._traced_plainly())

    def _get_concrete_function_garbage_collected(self, *args: Any, **kwargs: Any) -> Any:
        return tracing_compilation.trace_function(args, kwargs, self._traced_plainly())

    def _traced_plainly(self) -> Any:
        if self._options is None:
            no_scope = tracing_compilation.ScopeType.NO_SCOPE
            self._options = self._generate_tracing_options(self._python_function, no_scope)
        return self._options


def compiled(function: Callable[..., Any], **options: Any) -> Any:
    """Returns `function` compiled, with the options of `tf.function`."""
    made = Compiled(function, getattr(function, "__name__", "function"), **options)
    return tf_decorator.make_decorator(function, decorator_name="defun", decorator_func=made)
