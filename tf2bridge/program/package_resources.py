"""`pkg_resources` as programs used it; setuptools 82 removed it (its notes name the modules used here)."""

from __future__ import annotations

import importlib
import importlib.metadata
import io
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

from packaging.requirements import Requirement
from packaging.version import Version


class DistributionNotFound(Exception):  # noqa: N818  # its name there
    """A requested distribution is not installed."""


class VersionConflict(Exception):  # noqa: N818  # its name there
    """An installed distribution is of another version than requested."""


class Distribution:
    """An installed distribution, by the name of its project."""

    def __init__(self, metadata: importlib.metadata.Distribution) -> None:
        self.project_name: str = metadata.metadata["Name"]
        self.key = self.project_name.lower()
        self.version = metadata.version
        self.parsed_version = Version(metadata.version)
        self.location = str(metadata.locate_file(""))


def get_distribution(dist: str) -> Distribution:
    """Returns the installed distribution of a requirement ("numpy", "numpy>=1.0"). Raises as `require` does."""
    wanted = Requirement(dist)
    try:
        distribution = Distribution(importlib.metadata.distribution(wanted.name))
    except importlib.metadata.PackageNotFoundError:
        raise DistributionNotFound(f"The {dist!r} distribution was not found and is required here") from None
    if distribution.version not in wanted.specifier:
        raise VersionConflict(f"{distribution.project_name} {distribution.version} is installed but {dist} is required")
    return distribution


def require(*requirements: Any) -> list[Distribution]:
    """Returns the distributions of the requirements. Raises DistributionNotFound or VersionConflict."""
    listed = [text for given in requirements for text in ([given] if isinstance(given, str) else given)]
    return [get_distribution(text) for text in listed]


def iter_entry_points(group: str, name: str | None = None) -> Iterator[Any]:
    """Returns the entry points of a group, with one name or all."""
    entry_points = importlib.metadata.entry_points(group=group)
    return iter(entry_points if name is None else entry_points.select(name=name))


def resource_filename(package_or_requirement: str, resource_name: str) -> str:
    """Returns the path of a file or folder in a package or beside a module."""
    module: Any = importlib.import_module(package_or_requirement)
    folder = Path(module.__file__).parent if module.__file__ else Path(next(iter(module.__path__)))
    return str(folder / resource_name) if resource_name else str(folder)


def resource_string(package_or_requirement: str, resource_name: str) -> bytes:
    """Returns the bytes of a file of a package."""
    return Path(resource_filename(package_or_requirement, resource_name)).read_bytes()


def resource_stream(package_or_requirement: str, resource_name: str) -> io.BytesIO:
    """Returns a file of a package, open for reading bytes."""
    return io.BytesIO(resource_string(package_or_requirement, resource_name))


def resource_exists(package_or_requirement: str, resource_name: str) -> bool:
    """Returns whether a package has this file or folder."""
    return Path(resource_filename(package_or_requirement, resource_name)).exists()


def resource_isdir(package_or_requirement: str, resource_name: str) -> bool:
    """Returns whether a package has this folder."""
    return Path(resource_filename(package_or_requirement, resource_name)).is_dir()


def resource_listdir(package_or_requirement: str, resource_name: str) -> list[str]:
    """Returns the names in a folder of a package."""
    return sorted(path.name for path in Path(resource_filename(package_or_requirement, resource_name)).iterdir())


def declare_namespace(packageName: str) -> None:  # noqa: N803  # its name there
    """Does nothing: Python 3 joins packages of one name without a declaration."""


def module() -> ModuleType:
    """Returns a new module `pkg_resources`."""
    made = ModuleType("pkg_resources", __doc__)
    listed = {name: value for name, value in globals().items() if getattr(value, "__module__", None) == __name__}
    made.__dict__.update(listed, parse_version=Version, ResolutionError=Exception)
    return made
