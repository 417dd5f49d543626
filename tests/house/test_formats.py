"""tf2bridge.formats needs no TensorFlow, and imports nothing of tf2bridge that stands above it."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.house.test_circles import ROOT, modules

FLOOR = "tf2bridge.formats"
BELOW = (
    "tf2bridge.errors",
    "tf2bridge.first_use",
    "tf2bridge.printing",
    "tf2bridge.regular_files",
    "tf2bridge.systems",
    "tf2bridge.whole_file",
)
"""What its modules may import of tf2bridge, besides each other."""
FOREIGN = ("keras", "tensorflow", "tf_keras")


def is_part(module: str, packages: tuple[str, ...]) -> bool:
    """Whether a module is one of the packages, or in one."""
    return any(module == package or module.startswith(f"{package}.") for package in packages)


def imports(tree: ast.AST) -> Iterator[str]:
    """The modules that a file imports, wherever in it, by a statement or a text; types under TYPE_CHECKING apart."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING"):
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield str(node.module)
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith("import_module"):
            yield from (str(text.value) for text in ast.walk(node) if isinstance(text, ast.Constant))
        yield from imports(node)


def imported_by(path: Path) -> set[str]:
    """The modules that a file imports."""
    return set(imports(ast.parse(path.read_text(encoding="utf-8"))))


def test_it_imports_only_what_is_below_it() -> None:
    known = modules()
    own = {name: path for name, path in known.items() if is_part(name, (FLOOR,))}
    assert len(own) > 50
    above = {
        (name, module)
        for name, path in own.items()
        for module in imported_by(path) & known.keys()
        if module.startswith("tf2bridge.") and not is_part(module, (FLOOR, *BELOW))
    }
    assert above == set()


def test_nothing_that_it_reaches_imports_tensorflow() -> None:
    known = modules()
    pending = [name for name in known if is_part(name, (FLOOR,))]
    reached: set[str] = set()
    while pending:
        name = pending.pop()
        if name not in reached:
            reached.add(name)
            pending += imported_by(known[name]) & known.keys()
    assert "codemods.printable" in reached
    users = {(name, module) for name in reached for module in imported_by(known[name]) if is_part(module, FOREIGN)}
    assert users == set()


def test_an_import_in_a_function_is_seen() -> None:
    text = "if TYPE_CHECKING:\n    import keras\ndef f():\n    from tensorflow import nn\n    import_module('tf_keras')"
    assert list(imports(ast.parse(text))) == ["tensorflow", "tensorflow.nn", "tf_keras"]


READING = """
import importlib, pkgutil, sys

class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("keras", "tensorflow", "tf_keras"):
            raise ModuleNotFoundError(name)

sys.meta_path.insert(0, Absent())
from tf2bridge import formats

for module in pkgutil.walk_packages(formats.__path__, "tf2bridge.formats."):
    importlib.import_module(module.name)

from tf2bridge.formats import checkpoints, graphs

path = "fixtures/legacy/generator_freeze/genuine/run/model.ckpt-12"
graph = graphs.reader.read(path)
facts = graphs.described.described(graph)
page = graphs.picture.as_html(graph, graphs.described.ends_of(graph, None, None))
with checkpoints.opening.open(path) as checkpoint:
    rows = checkpoints.described.described(checkpoint, True)
print(len(facts["variables"]) > 0, len(graphs.audit.audit(graph.graph_def)) > 0, len(page) > 0, len(rows) > 0)
print("tensorflow" in sys.modules)
"""


def test_a_graph_and_a_checkpoint_are_read_where_there_is_no_tensorflow() -> None:
    done = subprocess.run([sys.executable, "-c", READING], capture_output=True, text=True, check=False, cwd=ROOT)
    assert (done.stdout.split(), done.stderr) == (["True"] * 4 + ["False"], "")
