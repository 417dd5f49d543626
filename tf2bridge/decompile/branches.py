"""Which branches of the old graph's conditions the examples reach, and further examples that reach more."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import tensorflow as tf

from tf2bridge.decompile.examples import UNFIT
from tf2bridge.decompile.ir import Kind, all_nodes
from tf2bridge.decompile.of_module import function_of_module, put_back, variables_of
from tf2bridge.decompile.simplify import assigned_variables
from tf2bridge.errors import BridgeError
from tf2bridge.graph.graph_module import GraphModule

_MOST = 3
"""Further examples."""
_SEED = 11
_FACTORS = (0.0, -1.0, 10.0, -10.0, 0.01, 1000.0)
_WHOLE = (0, 1, 2, 5, 10, 100, 1000, -1)

Branch = tuple[str, bool]
"""The name of a condition, and the value of its predicate that leads to the branch."""


class Branches:
    """The branches of the conditions of a module.

    Attributes:
        further: Inputs that reach branches that the first ones do not reach.
        unreached: The name of a condition -> which of its branches no inputs are known to reach. Nobody sees what a
            condition in a loop or a branch takes, if that is computed there.
        unreached_nodes: The names of these conditions, and of the nodes in these branches.
    """

    def __init__(self, module: GraphModule, inputs: Mapping[str, Any]) -> None:
        """Looks for inputs that reach more branches.

        Args:
            module: The loaded module.
            inputs: An array for each input: what it is run on first.
        """
        function = function_of_module(module)
        conditions = [node for node in all_nodes(function) if node.op == Kind.COND]
        outside = set(function.nodes())
        self._predicates = {
            node.name: module.ends.inputs.get(node.inputs[0].node.name)
            or f"{node.inputs[0].node.name}:{node.inputs[0].port}"
            for node in conditions
            if node.inputs[0].node in outside
        }
        self._module = module
        variables = variables_of(module)
        self._assigned = {name: variables[name] for name in assigned_variables(function)}
        self.further: list[Mapping[str, Any]] = []
        reached = self._reached(inputs)
        wanted = {(name, value) for name in self._predicates for value in (True, False)}
        for candidate in _candidates(inputs) if wanted - reached else ():
            new = self._reached(candidate) - reached
            if new and self._runs(candidate):
                self.further.append(candidate)
                reached |= new
            if wanted <= reached or len(self.further) == _MOST:
                break
        self.unreached: dict[str, str] = {}
        self.unreached_nodes: set[str] = set()
        for node in conditions:
            left = [value for value in (True, False) if (node.name, value) not in reached]
            if left:
                self.unreached[node.name] = " and ".join("true" if value else "false" for value in left)
                for value in left:
                    self.unreached_nodes |= {node.name, *(inner.name for inner in all_nodes(node.bodies[not value]))}

    def _reached(self, inputs: Mapping[str, Any]) -> set[Branch]:
        """Returns the branches that inputs reach; none if the predicates cannot be computed."""
        if not self._predicates:
            return set()
        try:
            sources = [self._module.ends.inputs[name] for name in inputs]
            predicates = self._module.function(sources, list(self._predicates.values()))
            values = predicates(*map(tf.convert_to_tensor, inputs.values()))
        except (*UNFIT, BridgeError):
            return set()
        return {(name, bool(np.asarray(value).all())) for name, value in zip(self._predicates, values, strict=True)}

    def _runs(self, inputs: Mapping[str, Any]) -> bool:
        """Returns True if the graph takes inputs. Its variables have afterwards the values that they had before."""
        try:
            with put_back(self._assigned):
                self._module.call(*map(tf.convert_to_tensor, inputs.values()))
        except UNFIT:
            return False
        return True


def _candidates(inputs: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yields other inputs of the same shapes: truth values both ways, numbers of other signs and sizes."""
    flags = {name: array for name, array in inputs.items() if array.dtype == bool}
    for value in (True, False):
        if flags:
            yield {**inputs, **{name: np.full_like(array, value) for name, array in flags.items()}}
    for name, array in flags.items():
        if len(flags) > 1:
            yield {**inputs, name: ~array}
    for name, array in inputs.items():
        yield from ({**inputs, name: changed} for changed in _changed(array))
    random = np.random.default_rng(_SEED)
    for factor in _FACTORS:
        numbers = {name: array for name, array in inputs.items() if array.dtype.kind == "f"}
        drawn = {name: random.standard_normal(array.shape).astype(array.dtype) for name, array in numbers.items()}
        if numbers:
            yield {**inputs, **{name: array * array.dtype.type(factor or 1) for name, array in drawn.items()}}


def _changed(array: Any) -> Iterator[Any]:
    if array.dtype.kind == "f":
        yield np.abs(array)
        yield from ((array * factor).astype(array.dtype) for factor in _FACTORS)
        if not array.ndim:
            yield from (np.asarray(number, array.dtype) for number in (0.0, 0.5, 1.0, -1.0, 100.0))
    elif array.dtype.kind in "iu":
        least = np.iinfo(array.dtype).min
        yield from (np.full_like(array, number) for number in _WHOLE if number >= least)
