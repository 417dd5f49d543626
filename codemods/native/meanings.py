"""Works out what each expression of a program is, by evaluating its kinds in the order of the text."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from codemods.names import Names
from codemods.native.batch_norm import is_update_ops
from codemods.native.combined_kinds import TENSORS, WHOLE, chosen, container, element, joined
from codemods.native.datasets import OF_DATA, kind_of_attribute, kind_of_data, kind_of_method, require_no_print
from codemods.native.effects import Effects
from codemods.native.first_values import first_values_in, is_draw
from codemods.native.grouped_assignments import require_named_assignments
from codemods.native.iterations import pairs_of
from codemods.native.kinds import ASSIGNING, COLLECTIONS, DRAWS, OF_VARIABLES, Kind, calls_of, kind_of_call, v1_name
from codemods.native.layers import VariableScopes, is_scope, layer_call, waits_for
from codemods.native.missing_names import message_of
from codemods.native.places import changed_by, place_of
from codemods.native.recurrent import WRAPPERS, cell_class, function_of
from codemods.native.refusals import NotNativeError
from codemods.native.variable_store import STORED, kind_of_stored
from codemods.tree import walk

_ASSIGNED = (Kind.VARIABLE, Kind.COLLECTED, Kind.TENSOR)
"""What may be a variable: a tensor may be one of the store."""
_METHODS: Mapping[tuple[Kind, str], Kind] = {
    (Kind.OPTIMIZER, "minimize"): Kind.TRAIN,
    (Kind.OPTIMIZER, "apply_gradients"): Kind.TRAIN,
    (Kind.OPTIMIZER, "compute_gradients"): Kind.GRADIENTS,
    **{(kind, name): Kind.ASSIGN for kind in _ASSIGNED for name in ASSIGNING},
    (Kind.SESSION, "run"): Kind.PYTHON,
    (Kind.SESSION, "close"): Kind.SESSION,
    (Kind.SESSION, "as_default"): Kind.SESSION,
    (Kind.GRAPH, "as_default"): Kind.GRAPH,
    (Kind.GRAPH, "finalize"): Kind.GRAPH,
    (Kind.INIT, "run"): Kind.INIT,
    (Kind.WRITER, "add_graph"): Kind.GRAPH,
}
_STATIC = frozenset(("name", "shape", "dtype", "get_shape", "state_size", "output_size"))
_DEEPEST = 30


class Meanings:
    """The kinds of places, and of expressions over them."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self.places: dict[str, Kind] = {}
        self.drawn: set[str] = set()
        self.functions: dict[str, ast.FunctionDef] = {}
        self.effects = Effects()
        self.sites: dict[ast.Call, dict[str, Kind]] = {}
        self.scopes = VariableScopes()
        self.savers: dict[ast.Call, None] = {}
        self._running: list[ast.FunctionDef] = []
        self._recursive: set[ast.FunctionDef] = set()

    def at(self, places: Mapping[str, Kind] | None = None) -> Meanings:
        """Returns the meanings where places hold these kinds, or those that they hold now.

        To ask them for kinds adds nothing to the effects here.
        """
        other = Meanings(self.names)
        other.places, other.functions = dict(self.places if places is None else places), dict(self.functions)
        return other

    def kind(self, node: ast.AST | None) -> Kind:
        """Returns the kind of an expression, and adds to the effects."""
        place = place_of(node) if node is not None else None
        if place is not None and place in self.places:
            return self.places[place]
        if node is None or isinstance(node, (ast.Constant, ast.JoinedStr, ast.Name)):
            return Kind.PYTHON
        evaluate = self._by_class.get(type(node))
        if evaluate is not None:
            return evaluate(node)
        return joined(self.kind(child) for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr))

    @property
    def _by_class(self) -> Mapping[type[ast.AST], Callable[[Any], Kind]]:
        return {
            ast.Call: self._call,
            ast.Attribute: self._attribute,
            ast.Subscript: self._subscript,
            ast.List: self._container,
            ast.Tuple: self._container,
            ast.Set: self._container,
            ast.Dict: lambda node: container(self.kind(part) for part in node.values),
            ast.Starred: lambda node: self.kind(node.value),
            ast.IfExp: lambda node: chosen(*(self.kind(part) for part in (node.test, node.body, node.orelse))),
            ast.ListComp: self._comprehension,
            ast.SetComp: self._comprehension,
            ast.GeneratorExp: self._comprehension,
            ast.DictComp: self._comprehension,
            ast.Lambda: lambda node: self._inside([ast.Return(value=node.body)], node.args, []),
        }

    def _container(self, node: ast.List | ast.Tuple | ast.Set) -> Kind:
        return container(self.kind(part) for part in node.elts)

    def _attribute(self, node: ast.Attribute) -> Kind:
        if v1_name(self.names, node) is not None:
            return Kind.PYTHON
        of = self.kind(node.value)
        if (of in OF_VARIABLES and node.attr in _STATIC) or (of is Kind.CONSTANT and node.attr in _STATIC):
            return Kind.PYTHON
        return kind_of_attribute(self, node, of) if of in OF_DATA else of

    def _subscript(self, node: ast.Subscript) -> Kind:
        of, index = self.kind(node.value), self.kind(node.slice)
        if of is Kind.PYTHON and index is Kind.PLACEHOLDER:
            return of  # of all Python values, only a dict has tensors as keys
        if of is Kind.VARIABLES and index is Kind.PYTHON:
            return Kind.VARIABLES if isinstance(node.slice, ast.Slice) else Kind.VARIABLE
        return joined((of, index)) if of in (Kind.PYTHON, Kind.CONSTANT, Kind.VARIABLE, Kind.VARIABLES) else of

    def _comprehension(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp) -> Kind:
        kinds = [self.kind(generator.iter) for generator in node.generators]
        before = dict(self.places)
        for generator, kind in zip(node.generators, kinds, strict=True):
            self.bind(generator.target, element(kind))
        parts = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        made = container(self.kind(part) for part in parts)
        tests = [self.kind(test) for generator in node.generators for test in generator.ifs]
        self.places = before
        if made in OF_VARIABLES and Kind.COLLECTED in kinds:
            return Kind.COLLECTED
        return made if made in WHOLE or made in OF_VARIABLES else joined((made, *kinds, *tests))

    def _call(self, node: ast.Call) -> Kind:
        given = [*node.args, *(keyword.value for keyword in node.keywords)]
        name = v1_name(self.names, node.func)
        if is_update_ops(node, self.names):
            return Kind.UPDATES
        if name in ("add_to_collection", "get_collection") and isinstance((*node.args, None)[0], ast.Constant):
            return self._of_collection(node, name, [self.kind(part) for part in given])
        if name is not None:
            return self._of_tensorflow(node, name, [self.kind(part) for part in given])
        if isinstance(node.func, ast.Attribute):
            of = self.kind(node.func.value)
            if of in OF_DATA:
                return kind_of_method(self, node, of, [self.kind(part) for part in given])
            if of is not Kind.PYTHON:
                return self._method(node, of, [self.kind(part) for part in given])
        place = place_of(node.func) or ""
        function = self.functions.get(place)
        kinds = [self.kind(part) for part in given]
        if function is not None:
            return self.called(function, node, kinds, bound=place.startswith("self."))
        require_no_print(node, kinds)
        if isinstance(node.func, ast.Name) and node.func.id in ("len", "isinstance", "type", "id", "print", "super"):
            return Kind.PYTHON if not any(kind in TENSORS for kind in kinds) else joined(kinds)
        called = self.kind(node.func)
        if called is Kind.VARIABLE:
            self.scopes.add_variable(node)
        return joined([*kinds, called])

    def _of_tensorflow(self, node: ast.Call, name: str, kinds: Sequence[Kind]) -> Kind:
        if name.startswith(STORED):
            return kind_of_stored(node, name, self.effects, self.scopes.is_in_store)
        layer = layer_call(node, self.names)
        if layer is not None:
            if layer.has_variables:
                self.effects.layers.append(node)
                self.scopes.add(node, layer.name, layer.default_name)
            return Kind.TENSOR
        if name.startswith("data."):
            return kind_of_data(self, node, name, kinds)
        kind = Kind.COLLECTED if name in COLLECTIONS else kind_of_call(name)
        if kind is None:
            raise NotNativeError(node, "NAT001", message_of(node, name))
        if kind is Kind.VARIABLE:
            return self._of_variable(node, name, kinds)
        if function_of(name):
            self.scopes.add_variable(node)
        if name in DRAWS:
            self.effects.draws = True
        if kind is Kind.SUMMARY:
            self.effects.summaries = True
        return self._of_operation(node, name, kinds) if kind is Kind.CONSTANT else kind

    def _of_variable(self, node: ast.Call, name: str, kinds: Sequence[Kind]) -> Kind:
        """Returns the kind of a call that makes a variable, or a cell."""
        cell = cell_class(name)
        if cell in WRAPPERS and {Kind.TENSOR, Kind.PLACEHOLDER} & {*kinds}:
            return Kind.TENSOR  # a function makes it anew, with its own keep_prob
        self.effects.variables.append(node)
        self.scopes.require_known()
        if name == "get_variable":
            self.scopes.add_variable(node)
        of_cells = OF_VARIABLES if cell else frozenset()
        if {Kind.TENSOR, Kind.PLACEHOLDER, *OF_VARIABLES} & ({*kinds} - of_cells):
            self._require_drawn(node)
        return Kind.VARIABLE

    def _of_collection(self, node: ast.Call, name: str, kinds: Sequence[Kind]) -> Kind:
        """Returns the kind of a call that adds to, or reads, a collection with a name of the program."""
        if name == "add_to_collection":
            self.effects.collects = True
            if kinds[-1] is not Kind.TENSOR:
                raise NotNativeError(node, "NAT008", f"the collection has {kinds[-1].value}; put tensors there")
        return Kind.TENSOR

    def _of_operation(self, node: ast.Call, name: str, kinds: Sequence[Kind]) -> Kind:
        """Returns the kind of an op of the graph for arguments of these kinds."""
        operations = [argument for argument in kinds if argument in WHOLE]
        if operations and name != "group":
            raise NotNativeError(node, "NAT001", f"tf.{name} of {operations[0].value} has no counterpart")
        if operations:
            require_named_assignments(node, operations, self.names)
            return joined(operations)
        if any(calls_of(walk(node), self.names, ("gradients",))):  # the statement takes them, and needs a tape
            return Kind.GRADIENTS
        return Kind.TENSOR if any(argument in TENSORS for argument in kinds) else Kind.CONSTANT

    def _require_drawn(self, node: ast.Call) -> None:
        """Refuses a variable whose first value depends on the graph. A draw alone is made when the variable is."""
        place = self._dependence(node)
        if place is not None:
            message = f"depends on {place}, {self.places[place].value}; make it a Python value"
            raise NotNativeError(node, "NAT008", f"the first value of this variable {message}")

    def _dependence(self, node: ast.AST) -> str | None:
        """Returns a place that an expression depends on, and that has other values when the program runs."""
        first = set() if self.sites else first_values_in(node)  # a run may have changed a variable since it was made
        for below in walk(node):
            place = place_of(below) if isinstance(below, (ast.Name, ast.Attribute)) and below not in first else None
            kind = self.places.get(place) if place else None
            if kind in (Kind.PLACEHOLDER, Kind.VARIABLE, Kind.VARIABLES, Kind.TENSOR) and place not in self.drawn:
                return place
        return None

    def _method(self, node: ast.Call, of: Kind, kinds: Sequence[Kind]) -> Kind:
        assert isinstance(node.func, ast.Attribute)
        name = node.func.attr
        if (of, name) in _METHODS:
            if (of, name) == (Kind.SESSION, "run") or of is Kind.INIT:
                self._site(node)
            return _METHODS[of, name]
        if name in ("eval", "run") and of not in (Kind.PYTHON, Kind.SAVER, Kind.WRITER):
            self._site(node)
            return Kind.PYTHON
        if of in (Kind.SAVER, Kind.WRITER):
            self.effects.runs = True
            if of is Kind.SAVER:
                self.savers.setdefault(node)
            return Kind.PYTHON
        if of in OF_VARIABLES and name in _STATIC:
            return Kind.PYTHON
        if of in OF_VARIABLES and name in ("items", "values", "keys", "get"):
            return of
        if of in OF_VARIABLES and name in ("append", "extend"):
            return container((of, *kinds))
        if of is Kind.OPTIMIZER:
            raise NotNativeError(node, "NAT001", f"the method {name} of an optimizer has no counterpart")
        draws = name == "sample" and of in (Kind.CONSTANT, Kind.TENSOR)  # of a distribution
        self.effects.draws |= draws
        return Kind.TENSOR if draws else joined([of, *kinds])

    def _site(self, node: ast.Call) -> None:
        self.effects.runs = True
        self.sites.setdefault(node, dict(self.places))

    def evaluate(self, function: ast.FunctionDef) -> None:
        """Evaluates a function whose arguments are Python values, for what it does."""
        self._inside(function.body, function.args, [])

    def called(self, function: ast.FunctionDef, node: ast.Call, kinds: Sequence[Kind], bound: bool = False) -> Kind:
        """Returns the kind of what a function of the program returns for arguments of these kinds."""
        if function in self._running:
            self._recursive.add(function)
        if function in self._running or len(self._running) > _DEEPEST:
            return joined(kinds)
        positional = [*([Kind.PYTHON] if bound else []), *kinds[: len(node.args)]]
        named = {keyword.arg: kind for keyword, kind in zip(node.keywords, kinds[len(node.args) :], strict=True)}
        made = len(self.effects.variables + self.effects.layers)
        self._running.append(function)
        kind = self._inside(function.body, function.args, positional, named)
        self._running.pop()
        if function in self._recursive and len(self.effects.variables + self.effects.layers) > made:
            raise NotNativeError(node, "NAT005", f"{function.name} calls itself, and makes variables")
        return kind

    def _inside(
        self,
        body: Sequence[ast.stmt],
        arguments: ast.arguments,
        positional: Sequence[Kind],
        named: Mapping[str | None, Kind] | None = None,
    ) -> Kind:
        before, drawn = dict(self.places), set(self.drawn)
        parameters = [*arguments.posonlyargs, *arguments.args]
        for parameter in [*parameters, *arguments.kwonlyargs]:
            self.places[parameter.arg] = (named or {}).get(parameter.arg, Kind.PYTHON)
        for parameter, kind in zip(parameters, positional, strict=False):
            self.places[parameter.arg] = kind
        self.drawn -= {parameter.arg for parameter in [*parameters, *arguments.kwonlyargs]}
        returned = self._statements(body)
        self.places, self.drawn = before, drawn
        return joined(returned) if len(returned) != 1 else returned[0]

    def _statements(self, body: Iterable[ast.stmt]) -> list[Kind]:
        returned: list[Kind] = []
        for statement in body:
            if isinstance(statement, ast.Return):
                returned.append(self.kind(statement.value))
            elif isinstance(statement, ast.FunctionDef):
                self.functions.setdefault(statement.name, statement)
            else:
                self.take(statement)
                opened = self.scopes.open(statement, self.names)
                for block in ("body", "orelse", "finalbody"):
                    returned += self._statements(getattr(statement, block, []))
                for handler in getattr(statement, "handlers", []):
                    returned += self._statements(handler.body)
                self.scopes.close(opened)
        return returned

    def take(self, statement: ast.stmt) -> Kind:
        """Binds what a statement assigns, without its blocks. Returns the kind of its value."""
        if isinstance(statement, ast.Assign):
            kind = self.kind(statement.value)
            drawn = kind is Kind.TENSOR and self._dependence(statement.value) is None
            drawn = drawn and is_draw(statement.value, self.names)
            for target in statement.targets:
                self._assign(target, statement.value, kind)
                if drawn and isinstance(target, ast.Name):
                    self.drawn.add(target.id)
            return kind
        if isinstance(statement, ast.AugAssign):
            kind = joined((self.kind(statement.value), self.kind(statement.target)))
            self.bind(statement.target, kind)
            return kind
        if isinstance(statement, (ast.For, ast.AsyncFor)):
            kind = self.kind(statement.iter)
            self._bind_elements(statement.target, statement.iter)
            return kind
        if isinstance(statement, (ast.With, ast.AsyncWith)):
            return self._with(statement)
        if isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
            return Kind.PYTHON
        if changed_by(statement) is not None:
            return self._change(statement)
        parts = (child for child in ast.iter_child_nodes(statement) if isinstance(child, ast.expr))
        return joined(self.kind(part) for part in parts)

    def _with(self, statement: ast.With | ast.AsyncWith) -> Kind:
        for item in statement.items:
            if is_scope(item.context_expr, self.names):
                continue
            if waits_for(item.context_expr, self.names) is not None:
                self.kind(waits_for(item.context_expr, self.names))
                continue
            kind = self.kind(item.context_expr)
            if item.optional_vars is not None:
                self.bind(item.optional_vars, kind)
        return Kind.PYTHON

    def _bind_elements(self, target: ast.expr, iterated: ast.expr) -> None:
        for part, values in pairs_of(target, iterated, self.functions.keys()):
            self.bind(part, element(self.kind(values)) if values is not None else Kind.PYTHON)

    def _change(self, statement: ast.stmt) -> Kind:
        """Notes what `place.append(value)` puts into a container."""
        place = changed_by(statement)
        assert place is not None and isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call)
        added = [self.kind(part) for part in statement.value.args]
        self.places[place] = container((self.places.get(place, Kind.PYTHON), *added))
        return self.places[place]

    def _assign(self, target: ast.expr, value: ast.expr, kind: Kind) -> None:
        pairs = isinstance(target, (ast.Tuple, ast.List)) and isinstance(value, (ast.Tuple, ast.List))
        if pairs and len(target.elts) == len(value.elts):  # type: ignore[attr-defined]
            for part, own in zip(target.elts, value.elts, strict=True):  # type: ignore[attr-defined]
                self.bind(part, self.kind(own))
        else:
            self.bind(target, kind)

    def bind(self, target: ast.expr, kind: Kind) -> None:
        """Gives the places of a target a kind."""
        if isinstance(target, (ast.Tuple, ast.List)):
            for part in target.elts:
                self.bind(part, element(kind))
            return
        if isinstance(target, ast.Starred):
            self.bind(target.value, kind)
            return
        if isinstance(target, ast.Subscript):
            place = place_of(target.value)
            if place is not None:
                self.places[place] = container((self.places.get(place, Kind.PYTHON), kind))
            return
        place = place_of(target)
        if place is not None:
            self.places[place] = kind
            self.drawn.discard(place)
