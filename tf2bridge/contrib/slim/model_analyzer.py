"""The sizes of the tensors and variables of a model."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


def tensor_description(var: Any) -> str:
    """Returns the type and sizes of a tensor, such as "(float32 1x8x8x1024)"."""
    return f"({var.dtype.name} {'x'.join('?' if size is None else str(size) for size in var.get_shape().as_list())})"


def analyze_ops(graph: Any, print_info: bool = False) -> int:
    """Returns the total size of all op outputs with static shapes. `print_info` lists the ops."""
    if print_info:
        print("---------", "Operations: name -> (type shapes) [size]", "---------", sep="\n")
    total = 0
    for op in graph.get_operations():
        size = sum(output.get_shape().num_elements() or 0 for output in op.outputs)
        if print_info:
            known = [output for output in op.outputs if output.get_shape()]
            print(op.name, "\t->", ", ".join(map(tensor_description, known)), f"[{size}]")
        total += size
    return total


def analyze_vars(variables: Iterable[Any], print_info: bool = False) -> tuple[int, int]:
    """Returns how many numbers and how many bytes the variables hold; `print_info` lists them."""
    if print_info:
        print("---------", "Variables: name (type shape) [size]", "---------", sep="\n")
    numbers = total_bytes = 0
    for variable in variables:
        size = variable.get_shape().num_elements() or 0
        if print_info:
            described = tensor_description(variable)
            print(variable.name, described, f"[{size}, bytes: {size * variable.dtype.size}]")
        numbers += size
        total_bytes += size * variable.dtype.size
    if print_info:
        print(f"Total size of variables: {numbers}", f"Total bytes of variables: {total_bytes}", sep="\n")
    return numbers, total_bytes
