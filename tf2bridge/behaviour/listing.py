"""Functions with which the parts of the catalog list names."""

from __future__ import annotations


def names(path: str, module: str, listed: str) -> dict[str, str]:
    """Returns {"path.name": "module:name"} for each of the `listed` names, which are separated by spaces.

    `path` is "" for the root of the namespace; dots within a name are written as "_" in the module.
    """
    dots = f"{path}." if path else ""
    return {f"{dots}{name}": f"{module}:{name.replace('.', '_')}" for name in listed.split()}


def same(path: str, target: str, listed: str) -> dict[str, str]:
    """Returns {"path.name": "target.name"} for each of the `listed` names: aliases into another namespace."""
    dots = f"{target}." if target else ""
    return {f"{path}.{name}": f"{dots}{name}" for name in listed.split()}
