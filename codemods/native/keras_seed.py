"""The seed of a graph, in programs whose first values Keras draws: Keras takes its seeds from Python's `random`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemods import scopes
from codemods.names import Names
from codemods.native.source_text import SourceText
from codemods.tree import walk

_LARGEST = 2**32 - 1
"""The largest seed of NumPy, which `keras.utils.set_random_seed` sets too."""
_SEEDING = ("seed", "set_state", "setstate")
_INITIALIZERS = ("Glorot", "He", "Random", "TruncatedNormal", "VarianceScaling", "Orthogonal")
_DRAWING = ("keras.layers.", *(f"keras.initializers.{name}" for name in _INITIALIZERS))


def with_seed_of_keras(text: str) -> str:
    """Returns a text that seeds Keras too where it seeds TensorFlow, so that its first values are those of each run.

    That seeds Python and NumPy with it. So it is done once, by a statement of the module, and not where the program
    seeds them itself.
    """
    if "set_seed(" not in text or "keras." not in text:
        return text
    tree = ast.parse(text)
    names, source = scopes.resolve(tree), SourceText(text, tree)
    called = list(_called(tree, names))
    seeds = [call for name, call in called if name == "tensorflow.random.set_seed"]
    if len(seeds) != 1 or not any(isinstance(s, ast.Expr) and s.value is seeds[0] for s in tree.body):
        return text
    if any(name.startswith(("numpy.random.", "random.")) and name.split(".")[-1] in _SEEDING for name, _ in called):
        return text
    if not any(name.startswith(_DRAWING) for name, _ in called) or not _is_small(seeds[0]):
        return text
    source.replace(source.span(seeds[0].func), "keras.utils.set_random_seed")
    return source.result()


def _called(tree: ast.Module, names: Names) -> Iterator[tuple[str, ast.Call]]:
    for node in walk(tree):
        if isinstance(node, ast.Call):
            yield names.qualified(node.func) or "", node


def _is_small(call: ast.Call) -> bool:
    """Returns whether a seed is a number that NumPy takes."""
    value = call.args[0] if len(call.args) == 1 and not call.keywords else None
    number = value.value if isinstance(value, ast.Constant) else None
    return type(number) is int and 0 <= number <= _LARGEST
