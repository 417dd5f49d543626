"""Functions compiled as `tf.contrib.eager.defun` compiled them: traced once for each kind of arguments.

`tf.function` traces twice where variables are made, lifts them out of the function and leaves them out of the graph's
collections; here a function makes plain variables, at each trace, as in 1.x.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tensorflow.python.eager.polymorphic_function import polymorphic_function, tracing_compilation
from tensorflow.python.util import tf_decorator


class Compiled(polymorphic_function.Function):  # type: ignore[misc]  # TensorFlow has no types
    """A Python function that runs as a graph; of a class, it binds like a method."""

    _options: Any = None

    def _call(self, *args: Any, **kwds: Any) -> Any:
        return tracing_compilation.call_function(args, kwds, self._traced_plainly())

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
