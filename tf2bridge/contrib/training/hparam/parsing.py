"""Hyperparameters written as text: "rate=0.1,layers=[3,4],sizes[1]=5"."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

_ASSIGNMENT = re.compile(
    r"""(?P<name>[a-zA-Z][\w.]*)
        (\[\s*(?P<index>\d+)\s*\])?
        \s*=\s*
        (?:(?P<one>[^,\[]*)|\[(?P<several>[^\]]*)\])
        (?:$|,\s*)""",
    re.VERBOSE,
)


def parse_values(values: str, type_map: Mapping[str, type], ignore_unknown: bool = False) -> dict[str, Any]:
    """Returns {name: value, list of values, or {index: value}} of the assignments in `values`.

    Raises:
        ValueError: the text is not a list of assignments, `type_map` lacks a name (unless `ignore_unknown`), a value
            has another type, or a name is assigned twice.
    """
    values_by_name: dict[str, Any] = {}
    position = 0
    while position < len(values):
        match = _ASSIGNMENT.match(values, position)
        if match is None:
            raise ValueError(f"Malformed hyperparameter value: {values[position:]}")
        position = match.end()
        name = match["name"]
        if name in type_map:
            _assign(values_by_name, match, type_map[name], values)
        elif not ignore_unknown:
            raise ValueError(f"Unknown hyperparameter type for {name}; known are {', '.join(sorted(type_map))}")
    return values_by_name


def _assign(values_by_name: dict[str, Any], match: re.Match[str], kind: type, text: str) -> None:
    name, index = match["name"], match["index"]
    read = _boolean if kind is bool else kind
    if match["several"] is not None:
        if index is not None:
            raise ValueError(f"Assignment of a list to a list index. {name}[{index}] in {text}")
        _refuse_twice(name, name in values_by_name, text)
        parts = [part for part in re.split("[ ,]", match["several"]) if part]
        values_by_name[name] = [_read(name, kind, read, part, text) for part in parts]
        return
    value = _read(name, kind, read, match["one"], text)
    if index is None:
        _refuse_twice(name, name in values_by_name, text)
        values_by_name[name] = value
        return
    places = values_by_name.setdefault(name, {})
    _refuse_twice(name, not isinstance(places, dict), text)
    _refuse_twice(f"{name}[{index}]", int(index) in places, text)
    places[int(index)] = value


def _read(name: str, kind: type, read: Callable[[str], Any], value: str, text: str) -> Any:
    try:
        return read(value)
    except ValueError:
        raise ValueError(
            f"Could not parse hparam {name!r} of type {kind.__name__!r} with value {value!r} in {text}"
        ) from None


def _refuse_twice(name: str, twice: bool, text: str) -> None:
    if twice:
        raise ValueError(f"Multiple assignments to variable {name!r} in {text}")


def _boolean(value: str) -> bool:
    known = {"true": True, "True": True, "false": False, "False": False}
    return known[value] if value in known else bool(int(value))
