"""Variables filled from a checkpoint or from values, by ops that are run in a session."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import tensorflow as tf

from tf2bridge.behaviour.messages import logging
from tf2bridge.contrib.framework.variables.selection import get_variable_full_name, get_variables

v1 = tf.compat.v1
Variables = Sequence[Any] | Mapping[str, Any]


def assign_from_values(var_names_to_values: Mapping[str, Any]) -> tuple[Any, dict[Any, Any]]:
    """Returns an op that assigns each value to the variable of its name, and the feed dict of the op.

    The values are not stored in the graph.

    Raises:
        ValueError: no variable has this name.
    """
    ops, feeds = [], {}
    for name, value in var_names_to_values.items():
        variable = _named(name)
        placeholder = _placeholder(variable)
        ops.append(variable.assign(placeholder))
        feeds[placeholder] = value.reshape(variable.get_shape())
    return v1.group(*ops), feeds


def assign_from_values_fn(var_names_to_values: Mapping[str, Any]) -> Callable[[Any], Any]:
    """Returns a function of a session that runs `assign_from_values`. Raises ValueError as that does."""
    op, feeds = assign_from_values(var_names_to_values)
    return lambda session: session.run(op, feeds)


def assign_from_checkpoint(
    model_path: str, var_list: Variables, ignore_missing_vars: bool = False
) -> tuple[Any, dict[Any, Any]]:
    """Returns an op that assigns a checkpoint's tensors, and the feed dict of the op.

    `var_list` is a list of variables, or maps names in the checkpoint to a variable or to the list of its parts.

    Raises:
        ValueError: a shape differs, or a tensor is missing and `ignore_missing_vars` is false.
    """
    reader = v1.train.NewCheckpointReader(model_path)
    ops, feeds = [], {}
    for name, group in _by_checkpoint_name(var_list).items():
        if not reader.has_tensor(name):
            if not ignore_missing_vars:
                raise ValueError(f"{model_path} has no variable {name}")
            logging.warning("Checkpoint is missing variable [%s]", name)
            continue
        value = reader.get_tensor(name)
        for variable in group:
            placeholder = _placeholder(variable)
            ops.append(variable.assign(placeholder))
            feeds[placeholder] = _share(name, variable, value)
    return v1.group(*ops), feeds


def assign_from_checkpoint_fn(
    model_path: str, var_list: Variables, ignore_missing_vars: bool = False, reshape_variables: bool = False
) -> Callable[[Any], None] | None:
    """Returns a function of a session that restores `var_list`, or None if the checkpoint has none of the variables.

    The restore op raises an error for missing tensors, unless `ignore_missing_vars` is true.

    Raises:
        ValueError: the list is empty.
    """
    if not var_list:
        raise ValueError("var_list is empty: there is nothing to assign from the checkpoint")
    if ignore_missing_vars:
        var_list = _present(model_path, var_list)
    if not var_list:
        logging.warning("No Variables to restore")
        return None
    saver = v1.train.Saver(var_list, reshape=reshape_variables, write_version=v1.train.SaverDef.V1)
    return lambda session: saver.restore(session, model_path)


def _named(name: str) -> Any:
    candidates = get_variables(name)
    if len(candidates) == 1:
        return candidates[0]
    exact = [variable for variable in candidates if variable.op.name == name]
    if not exact:
        raise ValueError(f"there is no variable {name}" + (": several begin so" if candidates else ""))
    return exact[0]


def _placeholder(variable: Any) -> Any:
    return v1.placeholder(
        dtype=variable.dtype.base_dtype, shape=variable.get_shape(), name=f"placeholder/{variable.op.name}"
    )


def _by_checkpoint_name(var_list: Variables) -> dict[str, list[Any]]:
    if isinstance(var_list, Mapping):
        return {name: list(v) if isinstance(v, list | tuple) else [v] for name, v in var_list.items()}
    groups: dict[str, list[Any]] = {}
    for variable in var_list:
        groups.setdefault(get_variable_full_name(variable), []).append(variable)
    return groups


def _share(name: str, variable: Any, value: Any) -> Any:
    """Returns the part of a checkpoint's value that `variable` holds."""
    part = variable._save_slice_info
    if part:
        slices = tuple(slice(at, at + size) for at, size in zip(part.var_offset, part.var_shape, strict=True))
        return value[slices].reshape(part.var_shape)
    if variable.get_shape().as_list() != list(value.shape):
        raise ValueError(
            f"{name} has the shape {list(value.shape)} in the checkpoint, its variable {variable.op.name} has "
            f"{variable.get_shape()}: leave it out, or use assign_from_checkpoint_fn(..., reshape_variables=True)"
        )
    return value


def _present(model_path: str, var_list: Variables) -> dict[str, Any]:
    reader = v1.train.NewCheckpointReader(model_path)
    named = var_list if isinstance(var_list, Mapping) else {variable.op.name: variable for variable in var_list}
    for name in named:
        if not reader.has_tensor(name):
            logging.warning("Variable %s missing in checkpoint %s", name, model_path)
    return {name: variable for name, variable in named.items() if reader.has_tensor(name)}
