"""Converts the frames of TF 1.x loops into `While` operations, inner loops first."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from tf2bridge.formats.graphs.nodes import Nodes, data_inputs, endpoint, is_control, needed, node_of, op_of
from tf2bridge.graph.new_nodes import constant, identity, integers
from tf2bridge.graph.passes.conditions import functional_conditions
from tf2bridge.graph.passes.frames import ENTER, EXIT, MERGE, NEXT, SWITCH, Frame, frames
from tf2bridge.graph.passes.function_library import Library
from tf2bridge.graph.passes.iteration_limits import limit
from tf2bridge.graph.refusals import UnsupportedOpsError
from tf2bridge.internals.protos import node_def_pb2, types_pb2

_COUNTER, _LIMIT = "loop_counter", "maximum_iterations"


def functional_loops(nodes: Nodes, library: Library) -> Nodes:
    """Returns the nodes with a `While` or `StatelessWhile` for each frame; each `Exit` becomes an `Identity`.

    The functions first take and return a counter and a limit, which TensorFlow's gradient of `While` needs
    (python/ops/while_v2.py). Raises UnsupportedOpsError for frames that `tf.while_loop` does not make.
    """
    frames_by_name = frames(nodes)
    for frame in sorted(frames_by_name.values(), key=lambda frame: -frame.depth):
        if frame.name:
            frames_by_name[frame.parent].nodes.update(_While(frame, library).nodes())
    return frames_by_name[""].nodes


@dataclass(frozen=True)
class _Variable:
    """A loop variable: its `Enter`, `Merge` and `NextIteration`, and its `Switch` or None."""

    enter: Any
    merge: Any
    following: Any
    switch: Any


class _While:
    """One frame; its inner frames are `While` operations already."""

    def __init__(self, frame: Frame, library: Library) -> None:
        self._frame = frame
        self._library = library
        self._nodes = frame.nodes
        self._variables = self._loop_variables()
        varying = {variable.enter.name for variable in self._variables}
        read = {node_of(source) for node in self._nodes.values() for source in node.input}
        constants = read - varying  # nothing reads the handles of arrays that became lists
        self._constants = [node for node in self._nodes.values() if node.op in ENTER and node.name in constants]

    def nodes(self) -> Nodes:
        """Returns the nodes that replace the frame in its parent: the loop, its counter and limit, and its exits."""
        name = f"{self._frame.name}/functional"
        counter = integers(f"{name}/counter", 0)
        limits = limit(f"{name}/limit", self._nodes, _data(self._loop_condition()), self._counted())
        loop = node_def_pb2.NodeDef(name=name)
        enters = [variable.enter for variable in self._variables] + self._constants
        loop.input.extend([counter.name, limits[0].name, *(_data(enter) for enter in enters)])
        loop.input.extend(dict.fromkeys(source for enter in enters for source in enter.input if is_control(source)))
        self._describe(loop, enters)
        exits = [_exit(self._nodes[exit_name], loop, place) for exit_name, place in self._exits().items()]
        return {node.name: node for node in (counter, *limits, loop, *exits)}

    def _counted(self) -> dict[str, tuple[Any, Any, Any]]:
        return {
            f"{variable.merge.name}:0": (variable.enter, variable.following, variable.switch)
            for variable in self._variables
        }

    def _describe(self, loop: Any, enters: list[Any]) -> None:
        types = [types_pb2.DT_INT32] * 2 + [enter.attr["T"].type for enter in enters]
        body, condition = self._body(types), self._condition(types)
        functions = [self._library.functions[function_name] for function_name in (body, condition)]
        loop.op = "While" if any(function.signature.is_stateful for function in functions) else "StatelessWhile"
        loop.attr["T"].list.type.extend(types)
        loop.attr["body"].func.name, loop.attr["cond"].func.name = body, condition
        loop.attr["parallel_iterations"].i = enters[0].attr["parallel_iterations"].i or 10
        loop.attr["_num_original_outputs"].i = len(types)
        loop.attr["_lower_using_switch_merge"].b = True
        loop.attr["output_shapes"].list.SetInParent()

    def _body(self, types: list[int]) -> str:
        arguments, names = self._arguments(types)
        nodes = dict(self._nodes)
        one, further = integers(f"{_COUNTER}/one", 1), node_def_pb2.NodeDef(name=f"{_COUNTER}/next", op="AddV2")
        further.attr["T"].type = types_pb2.DT_INT32
        further.input.extend([_COUNTER, one.name])
        nodes |= {one.name: one, further.name: further}
        going = self._loop_condition()
        nodes[going.name] = constant(going.name, np.array(True))  # the condition is true inside of the body
        results = [f"{further.name}:0", f"{_LIMIT}:0"]
        nodes |= {value.name: value for value in map(_awaited, self._variables)}
        results += [f"{_awaited(variable).name}:0" for variable in self._variables]
        results += [f"{enter.name}:0" for enter in self._constants]
        return self._function("body", nodes, arguments, names, results)

    def _condition(self, types: list[int]) -> str:
        arguments, names = self._arguments(types)
        return self._function("condition", dict(self._nodes), arguments, names, [_data(self._loop_condition())])

    def _function(
        self,
        role: str,
        nodes: Nodes,
        arguments: dict[str, str],
        types: dict[str, int],
        results: list[str],
    ) -> str:
        outside = {node_of(source) for source in arguments}
        inner = {name: node for name, node in nodes.items() if name not in outside}
        wanted = needed(inner, map(node_of, results))
        inner = {name: node for name, node in inner.items() if name in wanted and not _is_structure(node)}
        known = {source: types[name] for source, name in arguments.items()}
        inner = functional_conditions(inner, results, self._library, known)
        return self._library.add(f"{self._frame.name}_{role}", inner, arguments, types, results)

    def _arguments(self, types: list[int]) -> tuple[dict[str, str], dict[str, int]]:
        """Returns endpoint of the frame -> argument, and argument -> dtype."""
        names = [_COUNTER, _LIMIT]
        arguments = {f"{_COUNTER}:0": _COUNTER, f"{_LIMIT}:0": _LIMIT}
        for place, variable in enumerate(self._variables):
            names.append(f"variable_{place}")
            arguments[f"{variable.merge.name}:0"] = names[-1]
            if variable.switch is not None:
                arguments[f"{variable.switch.name}:1"] = names[-1]
        for place, enter in enumerate(self._constants):
            names.append(f"constant_{place}")
            arguments[f"{enter.name}:0"] = names[-1]
        return arguments, dict(zip(names, types, strict=True))

    def _loop_variables(self) -> list[_Variable]:
        switches = {
            node_of(node.input[0]): node
            for node in self._nodes.values()
            if node.op in SWITCH and op_of(self._nodes, node.input[1]) == "LoopCond"
        }
        variables = []
        for merge in self._nodes.values():
            parts = {op_of(self._nodes, source): self._nodes.get(node_of(source)) for source in data_inputs(merge)}
            if merge.op in MERGE and any(op in NEXT for op in parts):
                enter, following = _one_of(parts, ENTER), _one_of(parts, NEXT)
                if enter is None or following is None:
                    raise UnsupportedOpsError(
                        [f"{merge.name} ({merge.op}) joins a loop in a way tf.while_loop does not"]
                    )
                variables.append(_Variable(enter, merge, following, switches.get(merge.name)))
        return variables

    def _loop_condition(self) -> Any:
        for node in self._nodes.values():
            if node.op == "LoopCond":
                return node
        raise UnsupportedOpsError([f"the loop {self._frame.name!r} has no condition (LoopCond)"])

    def _exits(self) -> dict[str, int]:
        """Returns name of an `Exit` -> index of its value among the loop's results."""
        places = {
            variable.switch.name: place
            for place, variable in enumerate(self._variables, 2)
            if variable.switch is not None
        }
        return {node.name: places[self._switch(node)] for node in self._nodes.values() if node.op in EXIT}

    def _switch(self, left: Any) -> str:
        """Returns the `Switch` of an `Exit`; a gradient's tuple has an `Identity` between them."""
        source = node_of(left.input[0])
        while self._nodes[source].op == "Identity":
            source = node_of(self._nodes[source].input[0])
        return source


def _is_structure(node: Any) -> bool:
    return node.op in (*ENTER, *EXIT, *NEXT)


def _one_of(parts: Mapping[str, Any], ops: tuple[str, ...]) -> Any:
    return next((node for op, node in parts.items() if op in ops), None)


def _data(node: Any) -> str:
    return endpoint(node.input[0])


def _awaited(variable: _Variable) -> Any:
    """Returns the next value of a variable, which waits for all that the next iteration waits for, such as pushes."""
    following = variable.following
    return identity(f"{following.name}/value", following.input, following.attr["T"].type)


def _exit(node: Any, loop: Any, place: int) -> Any:
    return identity(node.name, [f"{loop.name}:{place}"], node.attr["T"].type)
