"""What became of TensorFlow's private modules (`tensorflow.python...`, `tensorflow.contrib.AREA.python...`).

Runs by hand, as part of the build: reads the sources of the genuine releases and of TensorFlow 2.21, importing neither,
and asks tf2bridge.v1 for what 2.21 has no longer. A row is one module: `in` says that 2.21 has a module of that name,
`has` lists its names there, `bridge` those that only tf2bridge.v1 supplies, at the same path.
"""

from __future__ import annotations

import ast
import contextlib
import importlib
import warnings
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

from codemods.symbols import is_private

# Other packages whose names a module takes over by a star (`python.platform.flags` those of absl.flags).
_PACKAGES = ("absl",)
# TensorFlow 2's copy of Keras for its own use is not the one that `tf.keras` is: their layers and models do not mix.
_ANOTHER_KERAS = "python.keras."
_KERAS_OF_1_4 = "python.keras._impl.keras."
# Test code, and parts that no program imports.
_UNWANTED = ("_test", "_pb2", "_pb2_grpc", "setup", "__main__")


def names_of(
    module: str, files: dict[str, Path], imported: bool = True, seen: frozenset[str] = frozenset()
) -> set[str]:
    """What a module binds at its top level, in `if` and `try` too, with what star imports bring it.

    `imported`: the modules and names that it imports as well. `files` are the modules there are.
    """
    try:
        tree = ast.parse(files[module].read_bytes())
    except (KeyError, OSError, SyntaxError, ValueError):
        return set()
    found: set[str] = set()
    waiting: list[ast.stmt] = list(tree.body)
    while waiting:
        statement = waiting.pop()
        star = _star(statement)
        if star and star.split(".")[0] in _PACKAGES:
            found |= {name for name in dir(importlib.import_module(star)) if not name.startswith("_")}
        elif star and star not in seen:
            inner = names_of(star, files, imported, seen | {module})
            found |= {name for name in inner if not name.startswith("_")}
        elif imported or not isinstance(statement, ast.Import | ast.ImportFrom):
            found |= set(_bound(statement))
        for field in ("body", "orelse", "handlers", "finalbody"):
            if not isinstance(statement, ast.FunctionDef | ast.ClassDef):
                waiting += getattr(statement, field, [])
    return {name for name in found if not name.startswith("__")}


def _star(statement: ast.stmt) -> str:
    """The module, below `tensorflow`, whose names a statement imports all; "" if it does not."""
    if not isinstance(statement, ast.ImportFrom) or statement.names[0].name != "*":
        return ""
    return (statement.module or "").removeprefix("tensorflow_core.").removeprefix("tensorflow.")


def _bound(statement: ast.stmt) -> Iterator[str]:
    if isinstance(statement, ast.FunctionDef | ast.ClassDef):
        yield statement.name
    elif isinstance(statement, ast.Import | ast.ImportFrom):
        if getattr(statement, "module", "") != "__future__":
            yield from (alias.asname or alias.name.split(".")[0] for alias in statement.names if alias.name != "*")
    elif isinstance(statement, ast.Assign | ast.AnnAssign):
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        yield from (node.id for target in targets for node in ast.walk(target) if isinstance(node, ast.Name))


def _files(root: Path) -> Iterator[tuple[str, Path]]:
    """The modules below a package `tensorflow`, by their dotted path in it."""
    for top in ("python", "contrib", "examples", "models"):
        for path in sorted((root / top).rglob("*.py")):
            parts = path.relative_to(root).with_suffix("").parts
            parts = parts[:-1] if parts[-1] == "__init__" else parts
            if not parts[-1].endswith(_UNWANTED):
                yield ".".join(parts), path


def package(environment: Path) -> Path:
    """The directory of the package `tensorflow` in a virtual environment; 1.15 names it `tensorflow_core`."""
    site = next((environment / "lib").glob("python3*/site-packages"))
    core = site / "tensorflow_core"
    return core if core.is_dir() else site / "tensorflow"


def rows(old: list[Path], today: Path) -> dict[str, dict[str, str]]:
    """The rows of private.json; `old` and `today` are directories of the package `tensorflow`."""
    now = {module: path for module, path in _files(today) if not f"{module}.".startswith(_ANOTHER_KERAS)}
    before: dict[str, set[str]] = {}
    for root in old:
        files = dict(_files(root))
        for module, path in files.items():
            before.setdefault(module, set()).update(names_of(module, files, _shows_imports(module, path)))
    _add_keras_package(before)
    found: dict[str, dict[str, str]] = {}
    for module in sorted(now.keys() | before.keys()):
        row = {"in": "2" if module in now else ""}
        if module in before:
            has = names_of(module, now)
            row["has"] = " ".join(sorted(has))
            row["bridge"] = " ".join(sorted(_bridged(module, before[module] - has)))
        found[module] = {key: value for key, value in row.items() if value or (key == "has" and row["in"])}
    return {module: row for module, row in found.items() if row}


def _add_keras_package(before: dict[str, set[str]]) -> None:
    """Adds what `import keras` finds in tf2bridge.v1.python.keras: modules as in 1.4, and names of keras alone."""
    for module in [module for module in before if module.startswith(_KERAS_OF_1_4)]:
        before.setdefault(_ANOTHER_KERAS + module.removeprefix(_KERAS_OF_1_4), set()).update(before[module])
    part = importlib.import_module("tf2bridge.v1.catalog.keras_package")
    for name in (*part.OWN, *part.ALIASES, *part.MOVED):
        module, _, last = name.rpartition(".")
        before.setdefault(module, set()).add(last)


def _shows_imports(module: str, path: Path) -> bool:
    """Whether programs take from a module what it imports itself: a package, or `contrib.slim.nets`."""
    return path.name == "__init__.py" or (module.startswith("contrib.") and not is_private(module))


def _bridged(module: str, names: set[str]) -> set[str]:
    tree = importlib.import_module("tf2bridge.v1.catalog").TREE
    resolve = importlib.import_module("tf2bridge.v1.namespace").resolve
    found = set()
    # What a refusal would suggest instead takes longer to find than the name itself.
    with warnings.catch_warnings(), mock.patch("difflib.get_close_matches", return_value=[]):
        warnings.simplefilter("ignore")
        for name in names:
            with contextlib.suppress(Exception):  # the namespace refuses with errors of its own
                resolve(tree, f"{module}.{name}")
                found.add(name)
    return found
