"""What TensorFlow 2.21 knows of each kind of operation, so that a graph can be told about without TensorFlow.

`operations.json` is operation -> its outputs, with "!" before them where it keeps state. An output is "T", the type
that attribute T says; "T=3", the same where the attribute may be left out; ":3", always that type; "N*..." N of them;
"[T]" a list of types. `python fixtures/operations.py` writes it from the TensorFlow that is installed.
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
"""The TensorFlow whose operations they are."""

_MOST = 1 << 16
"""No operation has more outputs of one type; a damaged number must not fill the memory."""

_OUTPUT = re.compile(r"((?P<count>\w+)\*)?(\[(?P<list>\w+)\]|:(?P<fixed>\d+)|(?P<attribute>\w+)(=(?P<default>\d+))?)")


def known(op: str) -> bool:
    """Whether TensorFlow has this operation."""
    return op in _table()


def stateful(op: str) -> bool:
    """Whether it keeps state, as far as it is known."""
    return _table().get(op, "").startswith("!")


def without_outputs(op: str) -> bool:
    """Whether it is known, and gives nothing."""
    return _table().get(op, "unknown").removeprefix("!") == ""


def output_types(node: Any, functions: Mapping[str, Any]) -> list[int]:
    """Returns the DataType of each output of a NodeDef, 0 where the node does not say it; none for an unknown op.

    `functions`: name -> FunctionDef, of the graph.
    """
    function = functions.get(node.op)
    line = _table().get(node.op, "") if function is None else described(function.signature)
    found: list[int] = []
    for said in line.removeprefix("!").split():
        output = _OUTPUT.fullmatch(said)
        assert output is not None, said
        found += _types(node, output)
    return found


def described(definition: Any) -> str:
    """Returns the line of an OpDef."""
    defaults = {each.name: each.default_value.type for each in definition.attr}
    outputs = " ".join(_described(argument, defaults) for argument in definition.output_arg)
    return ("!" if definition.is_stateful else "") + outputs


@functools.cache
def _table() -> dict[str, str]:
    found: dict[str, str] = json.loads(DATA.read_text("ascii"))
    return found


def _types(node: Any, output: re.Match[str]) -> list[int]:
    if output["list"]:
        return list(node.attr[output["list"]].list.type) if output["list"] in node.attr else []
    one = int(output["fixed"] or output["default"] or 0)
    if output["attribute"] and output["attribute"] in node.attr:
        one = node.attr[output["attribute"]].type
    if output["count"]:
        return [one] * min(node.attr[output["count"]].i if output["count"] in node.attr else 0, _MOST)
    return [one]


def _described(argument: Any, defaults: dict[str, int]) -> str:
    count = f"{argument.number_attr}*" if argument.number_attr else ""
    if argument.type_list_attr:
        return f"[{argument.type_list_attr}]"
    if not argument.type_attr:
        return f"{count}:{argument.type}"
    default = defaults[argument.type_attr]
    return f"{count}{argument.type_attr}{f'={default}' if default else ''}"
