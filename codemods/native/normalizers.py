"""Layers of tf.contrib with a normalizer, as calls in calls: `tf.nn.relu(slim.batch_norm(slim.conv2d(x, 8, 3)))`.

`normalizer_fn` runs inside the scope of its layer, which then has no biases, and before the activation (`layers.py` of
1.15.5). So its variables are `conv1/BatchNorm/beta` and others.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from codemods import scopes
from codemods.names import Names
from codemods.native.batch_norm import NAMES as NORMALIZATIONS
from codemods.native.contrib_layers import NAMES as LAYERS
from codemods.native.contrib_layers import default_scope, parameters_of
from codemods.native.kinds import v1_name
from codemods.native.places import is_none, named_arguments
from codemods.native.scope_options import ScopeReader
from codemods.native.source_text import SourceText
from codemods.native.steady import Steady
from codemods.tree import walk

_OPTIONS = ("normalizer_fn", "normalizer_params", "activation_fn", "biases_initializer", "biases_regularizer")
_DEFAULT = "BatchNorm"
_UNSURE = (ast.For, ast.AsyncFor, ast.While, ast.If, ast.IfExp, ast.Try, ast.Lambda, ast.ListComp, ast.GeneratorExp)


def with_normalizers_outside(text: str) -> str | None:
    """Returns a text whose layers have no normalizers, with as many lines; None if that is so already."""
    if "normalizer_" not in text:
        return None
    tree = ast.parse(text)
    names = scopes.resolve(tree)
    source = SourceText(text, tree)
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    reader = ScopeReader(names, Steady(names), functions)
    stated = _default_names(tree, names)
    calls = [node for node in walk(tree) if isinstance(node, ast.Call) and v1_name(names, node.func) in LAYERS]
    calls.sort(key=lambda call: source.span(call)[1] - source.span(call)[0])  # inner calls first
    for call in calls:
        _rewrite(call, stated, reader, source)
    result = source.result()
    return result if result != text else None


def _rewrite(call: ast.Call, stated: dict[ast.Call, str], reader: ScopeReader, source: SourceText) -> None:
    """Writes a layer with a normalizer as calls in calls, if the source says all of it."""
    names = reader.names
    parameters = parameters_of(v1_name(names, call.func) or "")
    given = named_arguments(call, parameters)
    normalizer = given.get("normalizer_fn")
    if "**" in given or len(call.args) > len(parameters):
        return
    if normalizer is None or is_none(normalizer):
        _drop_parameters(call, source)
        return
    if v1_name(names, normalizer) not in NORMALIZATIONS or any(isinstance(part, ast.Starred) for part in call.args):
        return
    params = given.get("normalizer_params")
    held = {} if params is None or is_none(params) else reader.dictionary(params)
    scope = given.get("scope")
    name = scope.value if isinstance(scope, ast.Constant) else stated.get(call) if scope is None else None
    own = held.pop("scope", ast.Constant(_DEFAULT)) if held is not None else None
    inner = own.value if isinstance(own, ast.Constant) else None
    if held is None or not isinstance(name, str) or not isinstance(inner, str) or "inputs" in held:
        return
    activation = given.get("activation_fn")
    around = _around(activation, names)
    if around is None or "inputs" not in given:
        return
    kept = {key: value for key, value in given.items() if key not in (*_OPTIONS, "scope")}
    parts = [source.text_of(kept.pop("inputs"))]
    parts += [f"{key}={source.text_of(value)}" for key, value in kept.items()]
    parts += ["activation_fn=None", "biases_initializer=None", f"scope={name!r}"]
    layer = f"{source.plain(call.func)}({', '.join(parts)})"
    options = {**({"reuse": given["reuse"]} if "reuse" in given else {}), **held}
    of_norm = "".join(f", {key}={ast.unparse(value)}" for key, value in options.items())
    normalized = f"{ast.unparse(normalizer)}({layer}{of_norm}, scope={f'{name}/{inner}'!r})"
    made = f"{around}({normalized})" if around else normalized
    lines = source.plain(call).count("\n") - made.count("\n")
    source.replace(source.span(call), made[:-1] + "\n" * max(lines, 0) + ")")


def _drop_parameters(call: ast.Call, source: SourceText) -> None:
    """Removes the parameters of a normalizer from a layer that has none."""
    for keyword in call.keywords:
        parts: list[ast.expr | ast.keyword] = [*call.args, *call.keywords]
        before = [part for part in parts if source.span(part) < source.span(keyword)]
        if keyword.arg == "normalizer_params" and before:
            start = max(source.span(part)[1] for part in before)
            end = source.span(keyword)[1]
            source.replace((start, end), "\n" * source.data[start:end].count(b"\n"))


def _around(activation: ast.expr | None, names: Names) -> str | None:
    """Returns the function that a layer ends with, "" for none; None if the source does not say it."""
    if activation is None:
        alias = names.alias_of("tensorflow")
        return f"{alias}.nn.relu" if alias else None
    if is_none(activation):
        return ""
    return ast.unparse(activation) if isinstance(activation, (ast.Name, ast.Attribute)) else None


def _default_names(tree: ast.Module, names: Names) -> dict[ast.Call, str]:
    """Returns the names that layers without one get: Conv, Conv_1, counted anew in each scope.

    It is empty where the source does not say them: layers in loops, in branches, or of several functions.
    """
    blocks = [node for node in walk(tree) if isinstance(node, (ast.Module, ast.FunctionDef))]
    unnamed = [block for block in blocks if any(_is_unnamed(call, names) for call in _calls(block))]
    if len(unnamed) != 1:
        return {}
    counter = _Counter(names, {})
    return counter.made if counter.count(unnamed[0].body) else {}


def _calls(block: ast.AST) -> Iterator[ast.Call]:
    """Yields the calls of a function, or of the module, outside functions in it, in the order of the text."""
    for child in ast.iter_child_nodes(block):
        if not isinstance(child, (ast.FunctionDef, ast.ClassDef)):
            yield from _calls(child)
            if isinstance(child, ast.Call):
                yield child


def _is_unnamed(call: ast.Call, names: Names) -> bool:
    name = v1_name(names, call.func) or ""
    return bool(default_scope(name)) and "scope" not in named_arguments(call, parameters_of(name))


@dataclass
class _Counter:
    """Counts the names of layers in each scope."""

    names: Names
    made: dict[ast.Call, str]
    counts: dict[str, int] = field(default_factory=dict)

    def count(self, body: Sequence[ast.stmt], prefix: str = "") -> bool:
        """Counts the names of the layers in statements. Returns whether the source says all of them."""
        for statement in body:
            if isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
                continue
            if isinstance(statement, ast.With):
                opened = self._opened(statement, prefix)
                if opened is None and any(_is_unnamed(call, self.names) for call in _calls(statement)):
                    return False
                if opened is not None and not self.count(statement.body, opened):
                    return False
            elif not self._count_layers(statement, prefix):
                return False
        return True

    def _opened(self, statement: ast.With, prefix: str) -> str | None:
        """Returns what names begin with in a block; None if the source does not say it."""
        for item in statement.items:
            call = item.context_expr
            if not isinstance(call, ast.Call) or v1_name(self.names, call.func) != "variable_scope":
                continue
            first = call.args[0] if call.args else None
            if not isinstance(first, ast.Constant) or not isinstance(first.value, str):
                return None
            prefix += f"{first.value}/"
            for key in [key for key in self.counts if key.startswith(prefix)]:
                del self.counts[key]
        return prefix

    def _count_layers(self, statement: ast.stmt, prefix: str) -> bool:
        calls = [call for call in _calls(statement) if default_scope(v1_name(self.names, call.func) or "")]
        if calls and any(isinstance(node, _UNSURE) for node in walk(statement)):
            return False
        for call in calls:
            name = v1_name(self.names, call.func) or ""
            given = named_arguments(call, parameters_of(name)).get("scope")
            if given is not None:
                stated = given.value if isinstance(given, ast.Constant) else None
                if not isinstance(stated, str):
                    return False
                self.counts[prefix + stated] = self.counts.get(prefix + stated, 0) + 1
                continue
            base, number = prefix + default_scope(name), 0
            full = base
            while self.counts.get(full):
                number += 1
                full = f"{base}_{number}"
            self.counts[full] = 1
            self.made[call] = full.removeprefix(prefix)
        return True
