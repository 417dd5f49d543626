"""A table of the operations of TensorFlow 2.21, to describe graphs without TensorFlow.

`operations.json` is operation -> its outputs, with "!" in front for a stateful operation. An output is "T", the type of
the attribute T; "T=3", the same with a default; ":3", a fixed type; "N*...", N such outputs; or "[T]", a list of types.
`python fixtures/operations.py` writes the file from the installed TensorFlow.
"""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

DATA = Path(__file__).with_name("operations.json")
RELEASE = "2.21"
"""The release of TensorFlow that the table describes."""

_MOST = 1 << 16
"""The limit of outputs of one type: a damaged number must not fill the memory."""

_OUTPUT = re.compile(r"((?P<count>\w+)\*)?(\[(?P<list>\w+)\]|:(?P<fixed>\d+)|(?P<attribute>\w+)(=(?P<default>\d+))?)")


def known(op: str) -> bool:
    """Returns whether TensorFlow has this operation."""
    return op in _table()


def stateful(op: str) -> bool:
    """Returns whether an operation is known and keeps state."""
    return _table().get(op, "").startswith("!")


def without_outputs(op: str) -> bool:
    """Returns whether an operation is known and has no outputs."""
    return _table().get(op, "unknown").removeprefix("!") == ""


def output_types(node: Any, functions: Mapping[str, Any]) -> list[int]:
    """Returns the DataType of each output of a NodeDef, 0 if the node does not state it; [] for an unknown operation.

    `functions` is name -> FunctionDef of the graph.
    """
    function = functions.get(node.op)
    line = _table().get(node.op, "") if function is None else described(function.signature)
    types: list[int] = []
    for text in line.removeprefix("!").split():
        output = _OUTPUT.fullmatch(text)
        assert output is not None, text
        types += _types(node, output)
    return types


def described(definition: Any) -> str:
    """Returns the entry of an OpDef in the table."""
    defaults = {attribute.name: attribute.default_value.type for attribute in definition.attr}
    outputs = " ".join(_described(argument, defaults) for argument in definition.output_arg)
    return ("!" if definition.is_stateful else "") + outputs


@functools.cache
def _table() -> dict[str, str]:
    table: dict[str, str] = json.loads(DATA.read_text("ascii"))
    return table


def _types(node: Any, output: re.Match[str]) -> list[int]:
    if output["list"]:
        return list(node.attr[output["list"]].list.type) if output["list"] in node.attr else []
    dtype = int(output["fixed"] or output["default"] or 0)
    if output["attribute"] and output["attribute"] in node.attr:
        dtype = node.attr[output["attribute"]].type
    if output["count"]:
        return [dtype] * min(node.attr[output["count"]].i if output["count"] in node.attr else 0, _MOST)
    return [dtype]


def _described(argument: Any, defaults: dict[str, int]) -> str:
    count = f"{argument.number_attr}*" if argument.number_attr else ""
    if argument.type_list_attr:
        return f"[{argument.type_list_attr}]"
    if not argument.type_attr:
        return f"{count}:{argument.type}"
    default = defaults[argument.type_attr]
    return f"{count}{argument.type_attr}{f'={default}' if default else ''}"
