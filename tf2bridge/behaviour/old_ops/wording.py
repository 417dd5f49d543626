"""Errors of TensorFlow in the words that 1.x used, where programs and their tests look for them.

`wording.toml` and `wording_of_data.toml` beside this file list them; `wording.toml` of `old_keras` lists those of
tf_keras. Only the text of an error changes: never its class, nor when it is raised.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import inspect
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tf2bridge import internals
from tf2bridge.behaviour.installed import tensorflow
from tf2bridge.patching import put, rebind

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

OF_TENSORFLOW = Path(__file__).with_name("wording.toml")
OF_DATA = Path(__file__).with_name("wording_of_data.toml")
OF_KERAS = Path(__file__).parents[1] / "old_keras" / "wording.toml"


def install() -> None:
    """Rewords them in this process."""
    for module in (internals.ops.init_ops, internals.ops.init_ops_v2):
        put(module, "_assert_float_dtype", assert_float_dtype)
    tensor: Any = internals.framework.tensor.Tensor
    put(tensor, "_disallow_bool_casting", disallow_bool_casting)
    put(tensor, "_disallow_iteration", disallow_iteration)
    symbolic: Any = internals.framework.ops.SymbolicTensor
    put(symbolic, "__name__", "Tensor")  # as errors, `print(type(x))` and `type(x).__name__` say it
    put(symbolic, "__qualname__", "Tensor")
    datasets: Any = internals.data.dataset_ops
    put(datasets, "get_type", type)  # 2.21 makes a tensor without a name for an error's text, and fails
    put(internals.data.readers, "_get_type", type)
    decorators: Any = internals.support.decorator_utils
    put(decorators, "add_notice_to_docstring", _with_warning(decorators.add_notice_to_docstring))
    install_table(OF_TENSORFLOW)
    install_table(OF_DATA)


def _with_warning(add_notice: Callable[..., str]) -> Callable[..., str]:
    """Returns the function that marks a docstring as deprecated, with "Warning:" instead of "Deprecated:"."""

    @functools.wraps(add_notice)
    def changed(*args: Any, **kwargs: Any) -> str:
        return add_notice(*args, **{**kwargs, "notice_type": "Warning"})

    return changed


def install_table(path: Path) -> None:
    """Rewords the errors that one file lists."""
    replaced = [replace(place, rows) for place, rows in texts(path).items()]
    rebind({id(old): (old, new) for old, new in filter(None, replaced)})


def texts(path: Path) -> dict[str, dict[str, str]]:
    """Returns "module:function" -> {pattern of the text now: text then}."""
    rows: dict[str, dict[str, str]] = tomllib.loads(path.read_text("utf-8"))
    return rows


def replace(place: str, rows: dict[str, str]) -> tuple[Any, Any] | None:
    """Replaces a function or method by one that rewords its errors. Returns both, or None if it is already replaced."""
    owner, name = _owner(place)
    attribute = inspect.getattr_static(owner, name)
    bound = isinstance(attribute, classmethod | staticmethod)
    function = attribute.__func__ if bound else attribute
    if isinstance(attribute, property):
        function = attribute.fget
    if hasattr(function, "as_1_x_says"):
        return None
    made = reworded(function, [(re.compile(pattern, re.DOTALL), then) for pattern, then in rows.items()])
    if isinstance(attribute, property):
        put(owner, name, property(made, attribute.fset, attribute.fdel, attribute.__doc__))
    else:
        put(owner, name, type(attribute)(made) if bound else made)
    return attribute, made


def _owner(place: str) -> tuple[Any, str]:
    """Returns the module or class that holds a function, and the function's name."""
    module, _, path = place.partition(":")
    *parts, name = path.split(".")
    return functools.reduce(getattr, parts, importlib.import_module(module)), name


def reworded(function: Callable[..., Any], rows: list[tuple[re.Pattern[str], str]]) -> Callable[..., Any]:
    """Returns a function with the same results, whose errors have the words of 1.x."""

    @functools.wraps(function)
    def called(*arguments: Any, **keywords: Any) -> Any:
        try:
            return function(*arguments, **keywords)
        except Exception as error:
            _reword(error, rows)
            raise

    changed: Any = called
    changed.as_1_x_says = True
    with contextlib.suppress(TypeError, ValueError):  # a function of C has no signature
        changed.__signature__ = inspect.signature(function)  # inspect.getfullargspec reads only this
    return called


def _reword(error: Exception, rows: list[tuple[re.Pattern[str], str]]) -> None:
    """Gives an error the words of 1.x. In an error of a kernel only the part that matches a pattern changes."""
    if isinstance(error, tensorflow().errors.OpError):
        for pattern, then in rows:
            error._message = pattern.sub(then, error.message)
    elif isinstance(error, AttributeError | OSError | RuntimeError | TypeError | ValueError):
        for pattern, then in rows:
            match = pattern.fullmatch(str(error))
            if match:
                error.args = (match.expand(then), *error.args[1:])


def disallow_bool_casting(tensor: Any) -> None:
    """Raises OperatorNotAllowedInGraphError: `if tensor:`."""
    del tensor
    _disallow("using a `tf.Tensor` as a Python `bool`")


def disallow_iteration(tensor: Any) -> None:
    """Raises OperatorNotAllowedInGraphError: `for value in tensor:`."""
    del tensor
    _disallow("iterating over `tf.Tensor`")


def _disallow(use: str) -> None:
    errors: Any = internals.framework.errors_impl
    autograph: Any = internals.framework.ag_ctx
    state = autograph.control_status_ctx().status.name
    reason = {
        "ENABLED": ": AutoGraph did not convert this function. Try decorating it directly with @tf.function.",
        "DISABLED": ": AutoGraph is disabled in this function. Try decorating it directly with @tf.function.",
    }.get(state, " in Graph execution. Use Eager execution or decorate this function with @tf.function.")
    raise errors.OperatorNotAllowedInGraphError(f"{use} is not allowed{reason}")


def assert_float_dtype(dtype: Any) -> Any:
    """Returns `dtype`. Raises ValueError if it is not one of floating point numbers."""
    dtype = internals.framework.dtypes.as_dtype(dtype)
    if not dtype.is_floating:
        raise ValueError(f"Expected floating point type, got {dtype}.")
    return dtype
