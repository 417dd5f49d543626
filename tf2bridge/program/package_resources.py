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

    def __init__(self, found: importlib.metadata.Distribution) -> None:
        self.project_name: str = found.metadata["Name"]
        self.key = self.project_name.lower()
        self.version = found.version
        self.parsed_version = Version(found.version)
        self.location = str(found.locate_file(""))


def get_distribution(dist: str) -> Distribution:
    """The installed distribution of a requirement ("numpy", "numpy>=1.0"). Raises as `require` does."""
    wanted = Requirement(dist)
    try:
        found = Distribution(importlib.metadata.distribution(wanted.name))
    except importlib.metadata.PackageNotFoundError:
        raise DistributionNotFound(f"The {dist!r} distribution was not found and is required here") from None
    if found.version not in wanted.specifier:
        raise VersionConflict(f"{found.project_name} {found.version} is installed but {dist} is required")
    return found


def require(*requirements: Any) -> list[Distribution]:
    """The distributions of these requirements. Raises DistributionNotFound or VersionConflict."""
    listed = [each for given in requirements for each in ([given] if isinstance(given, str) else given)]
    return [get_distribution(each) for each in listed]


def iter_entry_points(group: str, name: str | None = None) -> Iterator[Any]:
    """The entry points of a group, of one name or of all."""
    found = importlib.metadata.entry_points(group=group)
    return iter(found if name is None else found.select(name=name))


def resource_filename(package_or_requirement: str, resource_name: str) -> str:
    """The path of a file or folder that lies in a package or beside a module."""
    found: Any = importlib.import_module(package_or_requirement)
    folder = Path(found.__file__).parent if found.__file__ else Path(next(iter(found.__path__)))
    return str(folder / resource_name) if resource_name else str(folder)


def resource_string(package_or_requirement: str, resource_name: str) -> bytes:
    """The bytes of a file of a package."""
    return Path(resource_filename(package_or_requirement, resource_name)).read_bytes()


def resource_stream(package_or_requirement: str, resource_name: str) -> io.BytesIO:
    """A file of a package, open for reading bytes."""
    return io.BytesIO(resource_string(package_or_requirement, resource_name))


def resource_exists(package_or_requirement: str, resource_name: str) -> bool:
    """Whether a package has this file or folder."""
    return Path(resource_filename(package_or_requirement, resource_name)).exists()


def resource_isdir(package_or_requirement: str, resource_name: str) -> bool:
    """Whether a package has this folder."""
    return Path(resource_filename(package_or_requirement, resource_name)).is_dir()


def resource_listdir(package_or_requirement: str, resource_name: str) -> list[str]:
    """The names in a folder of a package."""
    return sorted(each.name for each in Path(resource_filename(package_or_requirement, resource_name)).iterdir())


def declare_namespace(packageName: str) -> None:  # noqa: N803  # its name there
    """Lets the packages of one name share it, which they do without."""


def module() -> ModuleType:
    """Returns the module."""
    made = ModuleType("pkg_resources", __doc__)
    listed = {name: value for name, value in globals().items() if getattr(value, "__module__", None) == __name__}
    made.__dict__.update(listed, parse_version=Version, ResolutionError=Exception)
    return made
