"""`[tool.codemods]` of the nearest pyproject.toml: what the command line does not say."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from codemods import registry
from codemods.errors import ConfigurationError, IdiomaticWithoutNativeError
from codemods.limits import limited
from codemods.regular import read_regular
from codemods.settings import MAX_MEGABYTES, MOST_CONFIGURED_MEGABYTES, TARGETS, Settings

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


def _codes(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _patterns(value: object) -> bool:
    return isinstance(value, dict) and all(_codes(listed) for listed in value.values())


_KEYS: dict[str, tuple[str, Callable[[Any], bool]]] = {
    "select": ("a list of codes", _codes),
    "extend-select": ("a list of codes", _codes),
    "ignore": ("a list of codes", _codes),
    "per-file-ignores": ('a table of patterns, such as "tests/*" = ["TFG"]', _patterns),
    "target": (f"one of {', '.join(TARGETS)}", lambda value: value in TARGETS),
    "from-version": ('a release in quotes, such as "0.12", or "auto"', lambda value: isinstance(value, str)),
    "unsafe-fixes": ("true or false", lambda value: isinstance(value, bool)),
    "max-size": (
        f"a number of megabytes up to {MOST_CONFIGURED_MEGABYTES:g}",
        lambda value: isinstance(value, int | float) and 0 < value <= MOST_CONFIGURED_MEGABYTES,
    ),
}
_BYTES = 1_000_000


def settings(start: Path, given: Mapping[str, Any]) -> Settings:
    """Returns the settings: given options override the nearest `[tool.codemods]`, which overrides the defaults.

    `given` holds options by their names with underscores; None, "" and () stand for one that was not given.

    Raises ConfigurationError, and UnknownCodeError for a rule that does not exist.
    """
    place = find(start if start.is_dir() else start.absolute().parent)
    table = load(place) if place else {}

    def chosen(name: str, default: Any) -> Any:
        value = given.get(name)
        return table.get(name.replace("_", "-"), default) if value in (None, "", ()) else value

    configured = Settings(
        target=chosen("target", Settings.target),
        from_version=chosen("from_version", Settings.from_version),
        select=_upper(chosen("select", ())),
        ignore=_upper(chosen("ignore", ())),
        extend_select=_upper(chosen("extend_select", ())),
        per_file_ignores=tuple(
            (pattern, _upper(listed)) for pattern, listed in table.get("per-file-ignores", {}).items()
        ),
        root=str(place.parent) if place else "",
        unsafe_fixes=bool(chosen("unsafe_fixes", False)),
        idiomatic=bool(given.get("idiomatic")),
        max_bytes=int(chosen("max_size", MAX_MEGABYTES) * 1_000_000),
    )
    if configured.idiomatic and configured.target != "native":
        raise IdiomaticWithoutNativeError(configured.target)
    listed = (code for _, listed in configured.per_file_ignores for code in listed)
    registry.check_codes((*configured.select, *configured.extend_select, *configured.ignore, *listed))
    return configured


def _upper(listed: Iterable[str]) -> tuple[str, ...]:
    return tuple(code.upper() for code in listed)


def find(start: Path) -> Path | None:
    """Returns the nearest pyproject.toml at or above a path that has a `[tool.codemods]` table."""
    start = start.resolve()
    for folder in [start, *start.parents]:
        path = folder / "pyproject.toml"
        if path.is_file() and b"tool.codemods" in _read(path):
            return path
    return None


def _read(path: Path) -> bytes:
    try:
        return read_regular(path, _BYTES)
    except OSError as error:
        raise ConfigurationError(path, f"cannot be read ({error.strerror})") from error


def load(path: Path) -> dict[str, Any]:
    """Returns the table, checked. Raises ConfigurationError for a wrong key or value."""
    table: Any
    try:
        with limited(path, _BYTES):
            table = tomllib.loads(_read(path).decode())
    except (ValueError, RecursionError) as error:
        raise ConfigurationError(path, f"cannot be read ({error})") from error
    for name in ("tool", "codemods"):
        table = table.get(name, {})
        if not isinstance(table, dict):
            raise ConfigurationError(path, f"{name} must be a table, not {table!r}")
    for key, value in table.items():
        if key not in _KEYS:
            raise ConfigurationError(path, f"unknown key {key!r}; known are {', '.join(_KEYS)}")
        expected, fits = _KEYS[key]
        if not fits(value):
            raise ConfigurationError(path, f"{key} must be {expected}, not {value!r}")
    return dict(table)
