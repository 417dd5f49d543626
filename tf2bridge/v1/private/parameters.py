"""Private functions of TensorFlow whose parameters have other names now: each takes both the old and the new ones.

Found by comparing the parameters of every function of `tensorflow.python` of 1.15.5 and 2.21.
"""

from __future__ import annotations

import functools
from typing import Any

from tf2bridge.internals.framework import function
from tf2bridge.internals.ops import control_flow_ops
from tf2bridge.internals.saving import freeze_graph as freezing
from tf2bridge.internals.sessions import debug_utils, framework
from tf2bridge.internals.support import nest

_WATCHED = {f"{kind}_regex_whitelist": f"{kind}_regex_allowlist" for kind in ("node_name", "op_type", "tensor_dtype")}
_UNWATCHED = {f"{kind}_regex_blacklist": f"{kind}_regex_denylist" for kind in ("node_name", "op_type", "tensor_dtype")}


def _with_old_names(original: Any, **today: str) -> Any:
    """Returns the function `original`, taking keywords by their old names, too; `today` is old name -> new name."""

    @functools.wraps(original)
    def call(*args: Any, **kwargs: Any) -> Any:
        return original(*args, **{today.get(name, name): value for name, value in kwargs.items()})

    return call


def _with_lengths_checked(original: Any) -> Any:
    """Returns the function `original` of nest, taking `check_subtrees_length`, but not False: TensorFlow 2 has no such
    mode.
    """

    @functools.wraps(original)
    def call(*args: Any, check_subtrees_length: bool = True, **kwargs: Any) -> Any:
        if not check_subtrees_length:
            raise NotImplementedError(
                f"{original.__name__}(check_subtrees_length=False) dropped parts of a structure without a word; "
                "TensorFlow 2 has no such mode: take the parts out of the structure first"
            )
        return original(*args, **kwargs)

    return call


freeze_graph = _with_old_names(freezing.freeze_graph, variable_names_blacklist="variable_names_denylist")
freeze_graph_with_def_protos = _with_old_names(
    freezing.freeze_graph_with_def_protos, variable_names_blacklist="variable_names_denylist"
)
func_graph_from_py_func = _with_old_names(
    function.func_graph_from_py_func, whitelisted_stateful_ops="allowlisted_stateful_ops"
)
watch_graph = _with_old_names(debug_utils.watch_graph, **_WATCHED)
watch_graph_with_blacklists = _with_old_names(debug_utils.watch_graph_with_denylists, **_UNWATCHED)
exit = _with_old_names(control_flow_ops.exit, data="tensor")  # noqa: A001  # TensorFlow's name
assert_shallow_structure = _with_lengths_checked(nest.assert_shallow_structure)
flatten_up_to = _with_lengths_checked(nest.flatten_up_to)


class Defun(function.Defun):  # type: ignore[misc]  # TensorFlow has no types
    """`Defun` of 2.21, which also takes `whitelisted_stateful_ops`."""

    def __init__(self, *input_types: Any, **kwargs: Any) -> None:
        if "whitelisted_stateful_ops" in kwargs:
            kwargs["allowlisted_stateful_ops"] = kwargs.pop("whitelisted_stateful_ops")
        super().__init__(*input_types, **kwargs)


class WatchOptions(framework.WatchOptions):  # type: ignore[misc]  # as above
    """`WatchOptions` of the debugger of 2.21, which also takes and has the names that end in `_whitelist`."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{_WATCHED.get(name, name): value for name, value in kwargs.items()})
        for old, new in _WATCHED.items():
            setattr(self, old, getattr(self, new))
