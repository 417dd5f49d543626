"""Variables by scope, name and collection, as contrib.framework had them."""

from __future__ import annotations

import re
from typing import Any

import tensorflow as tf

v1 = tf.compat.v1


def get_variables(scope: Any = None, suffix: str | None = None, collection: str = "variables") -> list[Any]:
    """Returns the variables of `collection` in `scope` (a name or a VariableScope) whose op name ends in `suffix`."""
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


def get_variables_by_suffix(suffix: str, scope: Any = None) -> list[Any]:
    """Returns the variables in `scope` whose op name ends in `suffix`."""
    return get_variables(scope, suffix)


def get_variables_by_name(given_name: str, scope: Any = None) -> list[Any]:
    """Returns the variables in `scope` whose last name part is `given_name`, in creation order."""
    pattern = re.compile(rf"(.*/)?{re.escape(given_name)}:")
    return [variable for variable in get_variables(scope) if pattern.match(variable.name)]
