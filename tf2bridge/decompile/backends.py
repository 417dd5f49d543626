"""Which calls of a model need TensorFlow, and on which other backends of Keras it can run here."""

from __future__ import annotations

import ast
import importlib.util
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

_OTHERS = ("jax", "torch")
_NO_OPERATIONS = ("tf.TensorShape",)


@dataclass(frozen=True)
class Calls:
    """The calls in the code of a model.

    Attributes:
        total: How many calls of functions and layers there are.
        of_tensorflow: The name of each function of TensorFlow -> how often it is called.
        modules: The modules that the code names, such as "tf".
    """

    total: int
    of_tensorflow: Mapping[str, int]
    modules: Collection[str]


def calls_in(statements: Sequence[str]) -> Calls:
    """Returns the calls of layers, of `keras` and of `tf` in the statements of a model."""
    nodes = list(ast.walk(ast.parse("\n".join(statements))))
    called = [node.func for node in nodes if isinstance(node, ast.Call)]
    called += [decorator for node in nodes if isinstance(node, ast.FunctionDef) for decorator in node.decorator_list]
    paths = [path for path in map(ast.unparse, called) if path.startswith(("tf.", "keras.", "self."))]
    paths = [path for path in paths if path not in _NO_OPERATIONS]
    counts = Counter(path.rpartition(".")[2] for path in paths if path.startswith("tf."))
    modules = {node.id for node in nodes if isinstance(node, ast.Name)} & {"tf", "keras"}
    return Calls(len(paths), dict(counts.most_common()), modules)


def installed() -> list[str]:
    """Returns the backends of Keras beside TensorFlow that are installed here."""
    return [name for name in _OTHERS if importlib.util.find_spec(name) is not None]
