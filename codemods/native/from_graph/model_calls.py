"""The functions of the model, and the calls of them that stand for calls of sessions."""

from __future__ import annotations

import ast
import builtins
import keyword
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from codemods.native.from_graph.definitions import Function
from codemods.native.from_graph.fed_tensors import FedTensors
from codemods.native.from_graph.fetch_forms import names_of
from codemods.native.from_graph.recorded_sites import Site
from codemods.native.recorded_models import Form, ModelFunction
from codemods.native.refusals import NotNativeError
from codemods.native.source_text import SourceText
from codemods.tree import walk

RESERVED = frozenset(
    (
        "load",
        "from_checkpoint",
        "saved",
        "saved_names",
        "call",
        "name",
        "variables",
        "trainable_variables",
        "submodules",
    )
)
"""Names that no function of a model gets."""
_TAKEN = {*keyword.kwlist, *keyword.softkwlist, *dir(builtins), "tf", "np", "keras", "self", "training"}
"""Names that no parameter has, as what writes the functions has it."""


class ModelCalls:
    """Writes the calls of the model.

    Args:
        model: The name of the model in the program.
        fed: Finds the tensors that are fed.
        source: The text of the program.
        parents: Node -> its parent.

    Attributes:
        functions: The functions so far.
        objects: What makes objects -> for each of their attributes the functions that it is, in the order of making.
    """

    def __init__(self, model: str, fed: FedTensors, source: SourceText, parents: dict[ast.AST, ast.AST]) -> None:
        self.functions: dict[tuple[object, ...], ModelFunction] = {}
        self._model, self._fed, self._source, self._parents = model, fed, source, parents
        self._parameters: dict[str, str] = {}
        self.objects: dict[Function, dict[str, list[ModelFunction]]] = {}

    def add(self, site: Site) -> list[ModelFunction]:
        """Returns the function that stands for a call, or that of each object.

        Raises:
            NotNativeError: It is not clear which placeholders the call feeds.
        """
        if site.objects is None:
            first = self._add(site)
            return [first, *(self._add(replace(site, recorded=run), first.name) for run in site.fewer)]
        functions: list[ModelFunction] = []
        for runs in site.objects.runs:
            functions.append(self._add(replace(site, recorded=runs[0]), functions[0].name if functions else ""))
        self.objects.setdefault(site.objects.owner, {})[functions[0].name] = functions
        return functions

    def _add(self, site: Site, wished: str = "") -> ModelFunction:
        self._name_feeds(site)
        run = site.recorded
        result = self._taken(site)
        key = frozenset(run.feeds), run.leaves, repr(result)
        if key not in self.functions:
            feeds = {self._parameter(self._fed.first(tensor)): tensor for tensor in run.feeds}
            tensors = tuple(name for name in names_of(result) if name) if result is not None else run.tensors
            self.functions[key] = ModelFunction(self._name(site, wished), feeds, tensors, run.operations, result)
        return self.functions[key]

    def _taken(self, site: Site) -> Form:
        """Returns what is taken of a nested form: it may be unpacked, and the places of operations may be unused."""
        target = self._target(site)
        if target is None or not isinstance(site.form, (list, tuple)):
            return site.form
        pairs = zip(target.elts, site.form, strict=True)
        kept = tuple(part for name, part in pairs if part is not None or not self._is_unused(name))
        return kept[0] if len(kept) == 1 else kept

    def _target(self, site: Site) -> ast.Tuple | ast.List | None:
        """Returns the names that get the parts of what a call gives; None if it is not unpacked."""
        parent = self._parents[site.node]
        target = parent.targets[0] if isinstance(parent, ast.Assign) and len(parent.targets) == 1 else None
        number = len(site.form) if isinstance(site.form, (list, tuple)) else len(site.parts)
        is_unpacked = isinstance(target, (ast.Tuple, ast.List)) and len(target.elts) == number
        if not isinstance(target, (ast.Tuple, ast.List)) or not is_unpacked:
            return None
        return None if any(isinstance(name, ast.Starred) for name in target.elts) else target

    def name(self, keys: Iterable[ast.expr]) -> None:
        """Names parameters for the expressions that stand for them in dicts."""
        for key in keys:
            tensor = self._fed.tensor(key)
            if tensor is not None:
                self._parameters.setdefault(tensor, _identifier(_last(key)))

    def decide(self, keys: Iterable[ast.expr], sites: Iterable[Site]) -> None:
        """Decides what the only key is of which the source does not say it: the only tensor that is fed otherwise."""
        by_text = {ast.unparse(key): key for key in keys}
        known = {self._fed.tensor(key) for key in by_text.values()}
        unknown = [key for key in by_text.values() if self._fed.tensor(key) is None]
        fed = {self._fed.first(name) for site in sites for name in site.recorded.feeds}
        named = [key for site in sites if isinstance(site.feed, ast.Dict) for key in site.feed.keys if key is not None]
        left = fed - known - {self._fed.tensor(key) for key in named}
        if len(unknown) == len(left) == 1 and all(self._fed.tensor(key) is not None for key in named):
            self._fed.decide(unknown[0], left.pop())

    def _name_feeds(self, site: Site) -> None:
        """Names the parameters for the expressions that a call feeds."""
        if not isinstance(site.feed, ast.Dict):
            return
        keys = [key for key in site.feed.keys if key is not None]
        self.name(keys)
        unknown = [key for key in keys if self._fed.tensor(key) is None]
        fed = [self._fed.first(name) for name in site.recorded.feeds]
        left = [name for name in fed if name not in {self._fed.tensor(key) for key in keys}]
        if len(unknown) == 1 and len(left) == 1:
            self._fed.decide(unknown[0], left[0])
            self._parameters.setdefault(left[0], _identifier(_last(unknown[0])))
        elif unknown:
            message = f"it is not clear which placeholder {ast.unparse(unknown[0])} is; make each in a line of its own"
            raise NotNativeError(unknown[0], "NAT002", message)

    def _parameter(self, tensor: str) -> str:
        """Returns the name of the parameter for a tensor; no two have the same."""
        wished = self._parameters.get(tensor) or _identifier(tensor.partition(":")[0])
        others = {name for known, name in self._parameters.items() if known != tensor}
        self._parameters[tensor] = next(name for name in _numbered(wished) if name not in others)
        return self._parameters[tensor]

    def key(self, node: ast.expr) -> str | None:
        """Returns the text that stands for a placeholder as the key of a dict; None if it is not known which it is."""
        tensor = self._fed.tensor(node)
        return None if tensor is None else f'"{self._parameter(tensor)}"'

    def _name(self, site: Site, name: str) -> str:
        taken = {function.name for function in self.functions.values()} | RESERVED
        if site.objects is not None:  # attributes of an object have these names, too
            made = self._parents[site.objects.owner]
            taken |= {node.name for node in getattr(made, "body", ()) if isinstance(node, Function)}
        pairs = zip(site.parts, site.recorded.leaves, strict=False)  # a part that nothing takes may be a container
        of_parts = [_identifier(_last(part)) for part, leaf in sorted(pairs, key=lambda pair: ":" in pair[1])]
        wished = [name] if name else of_parts
        numbered = (name for number in range(2, 1000) for name in [f"{wished[0]}_{number}"])
        return next(name for name in [*wished, *numbered] if name not in taken)

    def write(self, site: Site, functions: Sequence[ModelFunction]) -> None:
        """Writes the call of a function in place of the call of a session."""
        function = functions[0]
        call = f"{self._called(site, functions)}({', '.join(self._arguments(site, function))})"
        leaves = site.recorded.leaves
        parent = self._parents[site.node]
        if site.shape == "unused":
            text = call
        elif site.shape == "nested":
            self._write_nested(site, parent, function.result, call)
            return
        elif site.shape == "one":
            text = f"{call}.numpy()" if ":" in leaves[0] else call
        elif self._unpack(site, parent, call):
            return
        else:
            text = _container(site, call)
        self._source.replace(self._source.span(site.node), text)

    def _called(self, site: Site, functions: Sequence[ModelFunction]) -> str:
        """Returns what a call calls: the function of its object, or the one for what it feeds."""
        called = f"{self._model if site.objects is None else site.objects.receiver}.{functions[0].name}"
        for run, function, less in zip(site.fewer, functions, functions[1:], strict=False):
            more = next(name for name, tensor in function.feeds.items() if tensor not in run.feeds)
            given = self._source.text_of(site.feed or site.node)
            called = f'({called} if "{more}" in {given} else {self._model}.{less.name})'
        return called

    def _arguments(self, site: Site, function: ModelFunction) -> Iterator[str]:
        if site.feed is None:
            return
        if not isinstance(site.feed, ast.Dict):
            yield f"**{self._source.text_of(site.feed)}"
            return
        given: list[tuple[str, str]] = []
        for key, value in zip(site.feed.keys, site.feed.values, strict=True):
            if key is None:
                yield f"**{self._source.text_of(value)}"
            else:
                given.append((self._parameter(self._fed.tensor(key) or ""), self._source.text_of(value)))
        in_order = [name for name, _ in given] == list(function.feeds)
        yield from (value if in_order else f"{name}={value}" for name, value in given)

    def _write_nested(self, site: Site, parent: ast.AST, result: Form, call: str) -> None:
        """Writes a call that gives lists within lists."""
        value = "value.numpy()" if "" not in names_of(result) else "value if value is None else value.numpy()"
        text = f"tf.nest.map_structure(lambda value: {value}, {call})"
        target = self._target(site)
        if target is None or not isinstance(site.form, (list, tuple)):
            self._source.replace(self._source.span(site.node), text)
            return
        pairs = zip(target.elts, site.form, strict=True)
        kept = [self._source.text_of(n) for n, part in pairs if part is not None or not self._is_unused(n)]
        self._source.replace(self._source.span(parent), f"{', '.join(kept)} = {text}")

    def _unpack(self, site: Site, parent: ast.AST, call: str) -> bool:
        """Writes `_, value = sess.run([step, loss])` without the places of operations. Returns whether it is one."""
        target = self._target(site)
        if target is None:
            return False
        pairs = list(zip(target.elts, site.recorded.leaves, strict=True))
        if any(":" not in leaf and not self._is_unused(part) for part, leaf in pairs):
            return False
        kept = [self._source.text_of(part) for part, leaf in pairs if ":" in leaf]
        if len(kept) == 1:
            text = f"{kept[0]} = {call}.numpy()"
        elif kept:
            text = f"{', '.join(kept)} = (value.numpy() for value in {call})"
        else:
            text = call
        self._source.replace(self._source.span(parent), text)
        return True

    def _is_unused(self, target: ast.expr) -> bool:
        """Returns whether a name that gets nothing is read nowhere."""
        tree = self._source.tree
        names = (node for node in walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load))
        return isinstance(target, ast.Name) and all(node.id != target.id for node in names)


def _container(site: Site, call: str) -> str:
    """Returns the list or tuple that a call of a session gave, with None for operations.

    Raises:
        NotNativeError: Operations stand between tensors.
    """
    leaves = site.recorded.leaves
    values = [":" in leaf for leaf in leaves]
    first = values.index(True) if any(values) else len(values)
    last = len(values) - values[::-1].index(True) if any(values) else len(values)
    if not all(values[first:last]):
        message = "operations stand between the tensors that it fetches; fetch the operations first"
        raise NotNativeError(site.node, "NAT002", message)
    if sum(values) == 1:
        inner = f"{call}.numpy()"
    elif all(values):
        return f"{'[' if site.shape == 'list' else 'tuple('}value.numpy() for value in {call}{_end(site)}"
    else:
        inner = f"*(value.numpy() for value in {call})" if any(values) else ""
    if not any(values):
        return f"{call} or {_brackets(site, ['None'] * len(values))}"
    return _brackets(site, [*["None"] * first, inner, *["None"] * (len(values) - last)])


def _end(site: Site) -> str:
    return "]" if site.shape == "list" else ")"


def _brackets(site: Site, parts: Sequence[str]) -> str:
    text = ", ".join(parts)
    return f"[{text}]" if site.shape == "list" else f"({text}{',' if len(parts) == 1 else ''})"


def _last(node: ast.expr) -> str:
    """Returns the last name of an expression."""
    if isinstance(node, ast.Attribute):
        return node.attr
    if isinstance(node, ast.Constant):
        return str(node.value).partition(":")[0]
    if isinstance(node, ast.Call):
        return _last(node.func)
    if isinstance(node, ast.Subscript):
        return _last(node.slice if isinstance(node.slice, ast.Constant) else node.value)
    return node.id if isinstance(node, ast.Name) else "run"


def _identifier(text: str) -> str:
    name = re.sub(r"\W+", "_", text).strip("_").lower() or "run"
    name = f"_{name}" if name[0].isdigit() else name
    return f"{name}_" if name in _TAKEN else name


def _numbered(name: str) -> Iterator[str]:
    yield name
    yield from (f"{name}_{number}" for number in range(2, 1000))
