"""Variables by scope, name and collection, as contrib.framework had them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import tensorflow as tf

v1 = tf.compat.v1


def get_variables(scope: Any = None, suffix: str | None = None, collection: str = "variables") -> list[Any]:
    """Returns the variables of `collection` in `scope` (a name or a VariableScope) whose op name ends in `suffix`.

    Both are regular expressions, the first from the start of the name.
    """
    name = scope.name if isinstance(scope, v1.VariableScope) else scope
    if suffix is not None:
        if ":" not in suffix:
            suffix += ":"
        name = f"{name or ''}.*{suffix}"
    return list(v1.get_collection(collection, name))


def get_model_variables(scope: Any = None, suffix: str | None = None) -> list[Any]:
    """Returns the variables that layers made, in `scope`, whose op name ends in `suffix`."""
    return get_variables(scope, suffix, v1.GraphKeys.MODEL_VARIABLES)


def get_local_variables(scope: Any = None, suffix: str | None = None) -> list[Any]:
    """Returns the local variables in `scope` whose op name ends in `suffix`."""
    return get_variables(scope, suffix, v1.GraphKeys.LOCAL_VARIABLES)


def get_trainable_variables(scope: Any = None, suffix: str | None = None) -> list[Any]:
    """Returns the trainable variables in `scope` whose op name ends in `suffix`."""
    return get_variables(scope, suffix, v1.GraphKeys.TRAINABLE_VARIABLES)


def get_variables_by_suffix(suffix: str, scope: Any = None) -> list[Any]:
    """Returns the variables in `scope` whose op name ends in `suffix`."""
    return get_variables(scope, suffix)


def get_variables_by_name(given_name: str, scope: Any = None) -> list[Any]:
    """Returns the variables in `scope` whose last name part is `given_name`, and the one of that name in no scope."""
    return get_variables(scope, f"/{given_name}:|^{given_name}:")


def get_unique_variable(var_op_name: str) -> Any:
    """Returns the variable of this full name. Raises ValueError if there is none."""
    candidates = get_variables(var_op_name)
    if not candidates:
        raise ValueError(f"there is no variable {var_op_name}")
    for variable in candidates:
        if variable.op.name == var_op_name:
            return variable
    names = ", ".join(variable.op.name for variable in candidates[:5])
    raise ValueError(f"{var_op_name} names no one variable; there are {names}")


def get_variables_to_restore(include: Sequence[str] | None = None, exclude: Sequence[str] | None = None) -> list[Any]:
    """Returns the variables in the scopes `include` (None: all) that are not in the scopes `exclude`.

    Raises:
        TypeError: an argument is not a list or tuple.
    """
    for name, given in (("include", include), ("exclude", exclude)):
        if given is not None and not isinstance(given, list | tuple):
            raise TypeError(f"{name} is a {type(given).__name__}; give a list of scopes")
    wanted = [variable for scope in include for variable in get_variables(scope)] if include is not None else None
    dropped = {id(variable) for scope in exclude or () for variable in get_variables(scope)}
    return [variable for variable in (get_variables() if wanted is None else wanted) if id(variable) not in dropped]


def filter_variables(
    var_list: Sequence[Any],
    include_patterns: Sequence[str] | None = None,
    exclude_patterns: Sequence[str] | None = None,
    reg_search: bool = True,
) -> list[Any]:
    """Returns the variables whose name one of `include_patterns` (None: any) matches and none of `exclude_patterns`.

    With `reg_search` a pattern may match anywhere in the name, otherwise only at its start.
    """
    matches = re.search if reg_search else re.match

    def any_of(patterns: Sequence[str], variable: Any) -> bool:
        return any(matches(pattern, variable.name) for pattern in patterns)

    kept = [variable for variable in var_list if include_patterns is None or any_of(include_patterns, variable)]
    return [variable for variable in kept if not any_of(exclude_patterns or (), variable)]


def get_variable_full_name(var: Any) -> str:
    """Returns the name of a variable in a checkpoint. A part has the name of the partitioned variable."""
    part = var._save_slice_info
    return str(part.full_name if part else var.op.name)
