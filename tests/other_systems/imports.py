"""Imports every module of codemods and tf2bridge, and prints those that could not be, each with why; run as a program.

With the argument "tensorflow", TensorFlow is imported first. Without, it cannot be: then the modules that need it are
passed over.
"""

from __future__ import annotations

import importlib
import pkgutil
import sys

_NEEDED = ("tensorflow", "keras", "tf_keras")
_PROGRAMS = ("__main__", "sitecustomize", "surface")
"""Modules that do something when they are imported, or are for the interpreters of old releases."""


def main() -> None:
    if sys.argv[1:] == ["tensorflow"]:
        importlib.import_module("tensorflow")
    else:
        sys.modules.update(dict.fromkeys(_NEEDED))  # type: ignore[arg-type]
    tried = 0
    for package in ("codemods", "tf2bridge"):
        path = importlib.import_module(package).__path__
        for module in pkgutil.walk_packages(path, f"{package}.", onerror=lambda _: None):
            if module.name.rpartition(".")[2] in _PROGRAMS:
                continue
            tried += 1
            try:
                importlib.import_module(module.name)
            except ImportError as error:
                if str(error.name).partition(".")[0] not in _NEEDED:
                    print(f"{module.name}: {error!r}")
            except Exception as error:
                if type(error).__name__ == "MissingExtraError":
                    continue
                print(f"{module.name}: {error!r}")
    print(f"{tried} modules")


if __name__ == "__main__":
    main()
