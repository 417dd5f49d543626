"""Names and scopes of copies and placeholders, and finding by name what a copy is a copy of."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.contrib.graph_editor.util.trees import transform_tree

PREFIX = "geph"
"""The names of placeholders that the graph editor makes begin with it ("graph editor placeholder")."""


def scope_finalize(scope: str) -> str:
    """Returns the scope with a "/" at its end; "" stays."""
    return scope if not scope or scope.endswith("/") else f"{scope}/"


def scope_dirname(scope: str) -> str:
    """Returns the part of a name up to its last "/"."""
    return "".join(scope.rpartition("/")[:2])


def scope_basename(scope: str) -> str:
    """Returns the part of a name after its last "/"."""
    return scope.rpartition("/")[2]


def placeholder_name(t: Any = None, scope: str | None = None, prefix: str = PREFIX) -> str:
    """Returns the name of a placeholder that stands for a tensor, such as "scope/geph__name_0".

    Args:
        t: the tensor, or None: the name is then the prefix alone.
        scope: the scope of the placeholder, "" for the root; None means the scope of `t`.
        prefix: what the name begins with.

    Raises TypeError if `t` is neither a tensor nor None.
    """
    if t is None:
        return f"{scope_finalize(scope or '')}{prefix}"
    if not isinstance(t, tf.Tensor):
        raise TypeError(f"Expected a tf.Tensor, got: {type(t)}")
    base = scope_basename(t.op.name)
    directory = scope_dirname(t.op.name) if scope is None else scope_finalize(scope)
    return directory + (base if base.startswith(f"{prefix}__") else f"{prefix}__{base}_{t.value_index}")


def make_placeholder_from_tensor(t: Any, scope: str | None = None, prefix: str = PREFIX) -> Any:
    """Returns a new placeholder of the dtype and shape of the tensor `t`, in the default graph.

    The name is that of `placeholder_name`. Raises TypeError if `t` is no tensor.
    """
    name = placeholder_name(t, scope=scope, prefix=prefix)
    return tf.compat.v1.placeholder(t.dtype, shape=t.get_shape(), name=name)


def make_placeholder_from_dtype_and_shape(
    dtype: Any, shape: Any = None, scope: str | None = None, prefix: str = PREFIX
) -> Any:
    """Returns a new placeholder in the default graph, with the name of `placeholder_name`."""
    return tf.compat.v1.placeholder(dtype, shape=shape, name=placeholder_name(scope=scope, prefix=prefix))


def get_predefined_collection_names() -> list[Any]:
    """Returns the value of every attribute of tf.GraphKeys: the names of the collections that TensorFlow uses."""
    keys = tf.compat.v1.GraphKeys
    return [getattr(keys, key) for key in dir(keys) if not (key.startswith("__") and key.endswith("__"))]


def find_corresponding_elem(target: Any, dst_graph: Any, dst_scope: str = "", src_scope: str = "") -> Any:
    """Returns the operation or tensor of another graph that has the name of `target`.

    Args:
        target: an operation or a tensor.
        dst_graph: the graph that is searched.
        dst_scope: what the name has before it there.
        src_scope: what the name of `target` has before it.

    Raises ValueError if `target` is not in `src_scope`, TypeError if it is neither an operation nor a tensor, KeyError
    if the other graph has no such name.
    """
    if not isinstance(target, (tf.Tensor, tf.Operation)):
        raise TypeError(f"Expected tf.Tensor or tf.Operation, got: {type(target)}")
    source = scope_finalize(src_scope)
    if not target.name.startswith(source):
        raise ValueError(f"{target.name} does not start with {source}")
    name = scope_finalize(dst_scope) + target.name[len(source) :]
    is_tensor = isinstance(target, tf.Tensor)
    return dst_graph.get_tensor_by_name(name) if is_tensor else dst_graph.get_operation_by_name(name)


def find_corresponding(targets: Any, dst_graph: Any, dst_scope: str = "", src_scope: str = "") -> Any:
    """Returns the nest `targets` with `find_corresponding_elem` of each leaf."""
    return transform_tree(targets, lambda target: find_corresponding_elem(target, dst_graph, dst_scope, src_scope))
