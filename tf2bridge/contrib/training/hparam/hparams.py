"""`HParams`: hyperparameters with fixed names and types."""

from __future__ import annotations

import json
import numbers
from collections.abc import Mapping
from typing import Any

from tf2bridge.contrib.training.hparam import message
from tf2bridge.contrib.training.hparam.parsing import parse_values


class HParams:
    """Hyperparameters as attributes. A list or tuple makes a parameter with several values of one type.

    Raises:
        ValueError: a name is in use, a list is empty, or both a proto and values are given.
    """

    _HAS_DYNAMIC_ATTRIBUTES = True  # type checkers of that time read this

    def __init__(self, hparam_def: Any = None, model_structure: Any = None, **kwargs: Any) -> None:
        self._hparam_types: dict[str, tuple[type, bool]] = {}
        self._model_structure = model_structure
        if hparam_def and kwargs:
            raise ValueError("hparam_def and initialization values are mutually exclusive")
        for name, value in (message.values(hparam_def) if hparam_def else kwargs).items():
            self.add_hparam(name, value)

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def add_hparam(self, name: str, value: Any) -> None:
        """Adds a parameter of the type of `value`. Raises ValueError if the name is in use, or the list is empty."""
        if getattr(self, name, None) is not None:
            raise ValueError(f"Hyperparameter name is reserved: {name}")
        if isinstance(value, (list, tuple)):
            if not value:
                raise ValueError(f"Multi-valued hyperparameters cannot be empty: {name}")
            self._hparam_types[name] = (type(value[0]), True)
        else:
            self._hparam_types[name] = (type(value), False)
        setattr(self, name, value)

    def set_hparam(self, name: str, value: Any) -> None:
        """Sets a parameter. Raises KeyError for an unknown name, and ValueError for a value of another type."""
        kind, several = self._hparam_types[name]
        if isinstance(value, list):
            if not several:
                raise ValueError(f"Must not pass a list for single-valued parameter: {name}")
            setattr(self, name, [_cast(name, kind, element) for element in value])
        elif several:
            raise ValueError(f"Must pass a list for multi-valued parameter: {name}.")
        else:
            setattr(self, name, _cast(name, kind, value))

    def del_hparam(self, name: str) -> None:
        """Removes a parameter if it exists."""
        if hasattr(self, name):
            delattr(self, name)
            del self._hparam_types[name]

    def parse(self, values: str) -> HParams:
        """Sets parameters from a text such as "rate=0.1,layers=[3,4]" (see `parse_values`), and returns `self`."""
        return self.override_from_dict(parse_values(values, {n: kind for n, (kind, _) in self._hparam_types.items()}))

    def override_from_dict(self, values_dict: Mapping[str, Any]) -> HParams:
        """Sets the parameters of `values_dict`, and returns `self`."""
        for name, value in values_dict.items():
            self.set_hparam(name, value)
        return self

    def set_from_map(self, values_map: Mapping[str, Any]) -> HParams:
        """Does the same as `override_from_dict`: this is its older name."""
        return self.override_from_dict(values_dict=values_map)

    def set_model_structure(self, model_structure: Any) -> None:
        """Stores a model structure."""
        self._model_structure = model_structure

    def get_model_structure(self) -> Any:
        """Returns the stored model structure."""
        return self._model_structure

    def to_json(self, indent: Any = None, separators: Any = None, sort_keys: bool = False) -> str:
        """Returns the parameters as a JSON object."""
        return json.dumps(self.values(), indent=indent, separators=separators, sort_keys=sort_keys)

    def parse_json(self, values_json: str) -> HParams:
        """Sets parameters from a JSON object, and returns `self`."""
        return self.override_from_dict(json.loads(values_json))

    def values(self) -> dict[str, Any]:
        """Returns {name: value}."""
        return {name: getattr(self, name) for name in self._hparam_types}

    def get(self, key: str, default: Any = None) -> Any:
        """Returns a parameter, or `default` for an unknown name. Raises ValueError for a default of another type."""
        if key not in self._hparam_types:
            return default
        if default is not None:
            self._check_default(key, default)
        return getattr(self, key)

    def _check_default(self, key: str, default: Any) -> None:
        kind, several = self._hparam_types[key]
        message = (
            f"Hparam {key!r} of type {f'list<{kind}>' if several else kind} is incompatible with default={default}"
        )
        if several != isinstance(default, list):
            raise ValueError(message)
        try:
            for value in default if several else [default]:
                _cast(key, kind, value)
        except ValueError as error:
            raise ValueError(f"{message}. {error}") from None

    def __contains__(self, key: str) -> bool:
        return key in self._hparam_types

    def __str__(self) -> str:
        return ",".join(f"{name}={value}" for name, value in self.values().items())

    def __repr__(self) -> str:
        return f"{type(self).__name__}({sorted(self.values().items())})"

    def to_proto(self, export_scope: str | None = None) -> Any:  # noqa: ARG002  # what collections call it with
        """Returns the parameters as a HParamDef message. Raises ValueError for a type that the message cannot hold."""
        return message.message(self.values(), self._hparam_types)

    @staticmethod
    def from_proto(hparam_def: Any, import_scope: str | None = None) -> HParams:  # noqa: ARG004  # as above
        """Returns the parameters of a HParamDef message."""
        return HParams(hparam_def=hparam_def)


def _cast(name: str, kind: type, value: Any) -> Any:
    """Returns `value` as `kind`. Only numbers are converted to other kinds of numbers, and never floats to integers."""
    if type(value) is kind or issubclass(kind, type(None)):
        return value
    texts = (str, bytes)
    refused = (
        (issubclass(kind, texts) and not isinstance(value, texts))
        or issubclass(kind, bool) != isinstance(value, bool)
        or (issubclass(kind, numbers.Integral) and not isinstance(value, numbers.Integral))
        or (issubclass(kind, numbers.Number) and not isinstance(value, numbers.Number))
    )
    if refused:
        raise ValueError(f"Could not cast hparam {name!r} of type {kind} from value {value!r}")
    made: Any = kind
    return made(value)
