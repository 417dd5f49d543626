"""Where the gradients of a graph end: what `tf.gradients` computed, of which losses, for which variables.

`tf.gradients` puts its operations in a scope, such as "gradients". Those that compute the gradient of the operation
`a/b` are in "gradients/a/b_grad/", and the gradient of the loss is "gradients/Fill".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from tf2bridge.decompile.refusals import GradientCutError
from tf2bridge.decompile.training.train_op import APPLY, data_needs
from tf2bridge.formats.graphs.audit import fits
from tf2bridge.formats.graphs.nodes import HANDLES, data_inputs, endpoint, needed, node_of

_START = re.compile(r"(.+)/(?:Fill|grad_ys)(?:_\d+)?$")
_PASSING = ("Identity", "ReadVariableOp", "Enter", "RefEnter", "Switch", "RefSwitch", "RefIdentity", "Cast")
"""Types of nodes between a variable and the operation that uses it."""
_SHAPES = ("Shape", "Cast", "Const")
"""Types of nodes that give the shape of a sparse gradient."""
_ADDING = ("Add", "AddV2", "AddN", "Identity")
_SUMS = ("L2Loss", "Sum", "Mean", "Max", "Min", "Prod", "Pack")
"""Types of nodes between a tensor and its norm."""
DENSE, VALUES, INDICES, SHAPE = "dense", "values", "indices", "dense_shape"


@dataclass(frozen=True)
class Cut:
    """A tensor that leaves the gradients.

    Attributes:
        source: Its endpoint.
        loss: The number of the loss that it is a gradient of.
        variable: The node of the variable that it is a gradient with respect to.
        part: `DENSE` for the gradient; `VALUES`, `INDICES` or `SHAPE` for a part of a sparse one.
        with_all_rows: It is a sparse one in which a dense gradient, as that of a penalty, was put beside rows. A tape
            adds both up and gives a dense one.
    """

    source: str
    loss: int
    variable: str
    part: str
    with_all_rows: bool = False


@dataclass(frozen=True)
class Backward:
    """The gradients that a train op takes.

    Attributes:
        scopes: The scope of the gradients of each loss.
        losses: The endpoints that are added up to each loss.
        inside: The nodes in these scopes.
    """

    scopes: tuple[str, ...]
    losses: tuple[tuple[str, ...], ...]
    inside: frozenset[str]


def backward_of(nodes: Mapping[str, Any], train_op: str) -> Backward:
    """Returns the gradients that a train op takes, without those that are part of a loss."""
    used = needed(nodes, [train_op])
    starts = {match[1] for name in used if (match := _START.match(name))}
    losses = {scope: _losses(nodes, used, scope) for scope in sorted(starts)}
    losses = {scope: ends for scope, ends in losses.items() if ends}
    inner = {
        scope
        for scope in losses
        for other, ends in losses.items()
        if other != scope and _is_any_within(scope, needed(nodes, map(node_of, ends)))
    }
    scopes = tuple(scope for scope in losses if scope not in inner)
    inside = frozenset(name for name in used if any(name.startswith(f"{scope}/") for scope in scopes))
    return Backward(scopes, tuple(losses[scope] for scope in scopes), inside)


def _is_any_within(scope: str, names: Iterable[str]) -> bool:
    return any(name.startswith(f"{scope}/") for name in names)


def _losses(nodes: Mapping[str, Any], used: Collection[str], scope: str) -> tuple[str, ...]:
    """Returns the results whose gradients begin a scope: one, or several that are added up."""
    first = {name for name in used if (match := _START.match(name)) and match[1] == scope}
    ends: dict[str, None] = {}
    for name in used:
        if name.startswith(f"{scope}/") and name not in first and first & set(map(node_of, nodes[name].input)):
            forward = _forward(nodes, scope, name)
            if forward is not None:
                ends[f"{forward}:0"] = None
    total = _total(nodes, set(ends)) if len(ends) > 1 else None
    return tuple(sorted(ends)) if total is None else (total,)


def _total(nodes: Mapping[str, Any], parts: Collection[str]) -> str | None:
    """Returns the endpoint that adds up values, once each, and nothing else; None if there is none."""
    for name, node in nodes.items():
        if node.op in _ADDING:
            terms = [f"{name}:0"]
            while summed := next((term for term in terms if term not in parts and _adds(nodes, term)), None):
                terms.remove(summed)
                terms += data_inputs(nodes[node_of(summed)])
            if sorted(terms) == sorted(parts):
                return f"{name}:0"
    return None


def _adds(nodes: Mapping[str, Any], source: str) -> bool:
    return nodes[node_of(source)].op in _ADDING


def _forward(nodes: Mapping[str, Any], scope: str, name: str) -> str | None:
    """Returns the operation that a node of a scope computes the gradient of; None for a node between operations."""
    rest = name.removeprefix(f"{scope}/")
    for match in re.finditer("_grad/", rest):
        if rest[: match.start()] in nodes:
            return rest[: match.start()]
    return None


def start_that_is_not_one(nodes: Mapping[str, Any], backward: Backward) -> str | None:
    """Returns the node that gives what gradients begin with, if it is computed: no gradient of a loss is; or None."""
    starts = (name for name in backward.inside if (match := _START.match(name)) and match[1] in backward.scopes)
    return next((name for name in sorted(starts) if nodes[name].op not in ("Const", "Fill", "OnesLike")), None)


class Cuts:
    """Finds the tensors that leave the gradients, and the variables that they belong to."""

    def __init__(self, path: Any, nodes: Mapping[str, Any], train_op: str, backward: Backward) -> None:
        self._path = path
        self._nodes = nodes
        self._train_op = train_op
        self._backward = backward

    def all(self, users: Iterable[str], dtypes: Callable[[str], Any]) -> list[Cut]:
        """Returns the cuts.

        Args:
            users: The nodes that may take gradients.
            dtypes: Gives the `tf.DType` of an endpoint.

        Raises:
            GradientCutError: It is not clear which variable a gradient belongs to.
        """
        inside = self._backward.inside
        names = [name for name in users if name not in inside]
        taken = (source for name in names for source in data_inputs(self._nodes[name]))
        sources = dict.fromkeys(source for source in taken if node_of(source) in inside)
        updated = self._updated(names)
        placed = [(source, self._loss(source), self._variable(source, updated)) for source in sources]
        sparse = {(loss, variable) for source, loss, variable in placed if dtypes(source).is_integer}
        cuts = []
        for source, loss, variable in placed:
            if dtypes(source).is_integer:
                part = SHAPE if self._nodes[node_of(source)].op in _SHAPES else INDICES
            else:
                part = VALUES if (loss, variable) in sparse else DENSE
            cuts.append(Cut(source, loss, variable, part))
        self._check_unique(cuts)
        whole = {(cut.loss, cut.variable) for cut in cuts if cut.part == INDICES and self._has_all_rows(cut.source)}
        cuts = [replace(cut, with_all_rows=(cut.loss, cut.variable) in whole) for cut in cuts]
        self._check_norms(cuts, names)
        return cuts

    def _has_all_rows(self, source: str) -> bool:
        """Returns True if indices of rows are put together with those of all rows."""
        node = self._nodes[node_of(source)]
        return node.op == "ConcatV2" and any(self._nodes[node_of(part)].op == "Range" for part in data_inputs(node))

    def _check_norms(self, cuts: Iterable[Cut], names: Iterable[str]) -> None:
        """Refuses a norm that takes a dense gradient and rows one by one: of their sum, it is another number."""
        apart = {cut.source: cut for cut in cuts if cut.with_all_rows and cut.part == VALUES}
        for name in names:
            for source in data_inputs(self._nodes[name]):
                if source in apart and self._nodes[name].op in _SUMS:
                    self._refuse(
                        f"{name} takes two gradients of {apart[source].variable} one by one, a dense one and one of "
                        "rows, and a tape gives their sum"
                    )

    def _updated(self, names: Iterable[str]) -> dict[str, set[str]]:
        """Returns gradient -> the variables whose updates take it, and no other gradient of the same loss.

        What a sum over all gradients gives, such as a norm, counts as no gradient.
        """
        inside = self._backward.inside
        stops = inside.union(name for name in names if self._nodes[name].op in _SUMS)
        updated: dict[str, set[str]] = {}
        for name in names:
            if fits(self._nodes[name].op, APPLY):
                taken = data_needs(self._nodes, name, stops) & inside
                for scope in self._backward.scopes:
                    of_scope = [gradient for gradient in taken if gradient.startswith(f"{scope}/")]
                    if len(of_scope) == 1:
                        updated.setdefault(of_scope[0], set()).add(node_of(self._nodes[name].input[0]))
        return updated

    def _check_unique(self, cuts: Iterable[Cut]) -> None:
        sources: dict[tuple[int, str, str], str] = {}
        for cut in cuts:
            other = sources.setdefault((cut.loss, cut.variable, cut.part), cut.source)
            if other != cut.source:
                self._refuse(f"{other} and {cut.source} are both gradients of {cut.variable}")

    def _loss(self, source: str) -> int:
        scopes = self._backward.scopes
        return next(number for number, scope in enumerate(scopes) if source.startswith(f"{scope}/"))

    def _variable(self, source: str, updated: Mapping[str, set[str]]) -> str:
        scope = self._backward.scopes[self._loss(source)]
        variables = self._candidates(scope, source)
        takers = updated.get(node_of(source), set())
        if len(variables) != 1 and len(takers) == 1:
            variables = takers
        if len(variables) != 1:
            names = ", ".join(sorted(variables)) or "no variable"
            self._refuse(f"{source} may be the gradient of {names}")
        return variables.pop()

    def _candidates(self, scope: str, source: str) -> set[str]:
        """Returns the variables that a tensor of a scope may be the gradient of."""
        node = self._nodes[node_of(source)]
        forward = _forward(self._nodes, scope, node.name)
        if forward is not None:
            return self._inputs(node.name, forward)
        inner = (part for part in data_inputs(node) if part.startswith(f"{scope}/"))
        parts = [self._candidates(scope, part) for part in inner if not self._is_constant(part)]
        return set.intersection(*parts) if parts else set()

    def _is_constant(self, source: str) -> bool:
        """Returns True for an axis, and for the numbers of all rows of a known shape."""
        node = self._nodes[node_of(source)]
        return node.op == "Const" or (
            node.op in ("Range", "StridedSlice") and all(map(self._is_constant, data_inputs(node)))
        )

    def _inputs(self, name: str, forward: str) -> set[str]:
        """Returns the variables among the inputs of an operation; one if the name tells the number of the input."""
        inputs = [_variable_behind(self._nodes, source) for source in data_inputs(self._nodes[forward])]
        variables = {variable for variable in inputs if variable is not None}
        match = re.search(r"_grad/tuple/control_dependency(?:_(\d+))?$", name)
        if match and len(variables) > 1:
            prefix = name[: match.start()] + "_grad/tuple/control_dependency"
            count = sum(1 for other in self._nodes if re.fullmatch(re.escape(prefix) + r"(_\d+)?", other))
            chosen = inputs[int(match[1] or 0)] if count == len(inputs) else None
            return variables if chosen is None else {chosen}
        return variables

    def _refuse(self, why: str) -> None:
        raise GradientCutError(self._path, self._train_op, why)


def _variable_behind(nodes: Mapping[str, Any], source: str) -> str | None:
    """Returns the variable that an input reads, if nothing is computed from it before."""
    node = nodes[node_of(endpoint(source))]
    while node.op in _PASSING:
        node = nodes[node_of(node.input[0])]
    return str(node.name) if node.op in HANDLES else None
