"""`model.summary()` as genuine 1.4.1 to 1.15.5 print it, for programs that write it to logs and read these.

tf_keras begins lines with a space, separates layers differently, and prints sizes in bytes. Since 1.14 the name of the
model is above the table, and the shape of an input layer is a list; before, it is a single shape. 1.4 has wider lines
than 1.12, and treats a row of layers as sequential even if a layer is used twice.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import tensorflow as tf

from tf2bridge.behaviour.release import Release
from tf2bridge.patching import rebind

_PLAIN = (65, (0.45, 0.85, 1.0), ("Layer (type)", "Output Shape", "Param #"))
_CONNECTED = (98, (0.33, 0.55, 0.67, 1.0), (*_PLAIN[2], "Connected to"))
_WIDER = (100, *_CONNECTED[1:])
"""The length of a line, the ends of its columns, and their titles."""
_FORMER = {"Functional": "Model"}
"""Class of tf_keras -> its name in 1.x."""


def install(release: Release) -> None:
    """Changes `summary` in this process. A call for another release replaces the change of the first."""
    utils: Any = importlib.import_module("tf_keras.src.utils.layer_utils")
    rebind({id(utils.print_summary): (utils.print_summary, _printing(release))})


def _printing(release: Release) -> Callable[..., None]:
    has_title, is_first = not release.before(1, 14), release.before(1, 5)

    def print_summary(
        model: Any,
        line_length: int | None = None,
        positions: Sequence[float] | None = None,
        print_fn: Callable[[str], Any] | None = None,
        **later: Any,
    ) -> None:
        """Prints a line for each layer, and the numbers of parameters. `later`: arguments that 1.x lacked."""
        del later
        say = print if print_fn is None else print_fn
        in_a_row = _is_in_a_row(model, is_first)
        usual, usual_ends, titles = _PLAIN if in_a_row else _WIDER if is_first else _CONNECTED
        length, ends = line_length or usual, positions or usual_ends
        columns = [int(length * end) for end in ends] if ends[-1] <= 1 else [int(end) for end in ends]
        if has_title:
            say(f'Model: "{model.name}"')
        say("_" * length)
        say(_row(titles, columns))
        say("=" * length)
        for place, layer in enumerate(model.layers, 1):
            for fields in _fields(layer, None if in_a_row else _nodes(model), listed=has_title):
                say(_row(fields, columns))
            say(("=" if place == len(model.layers) else "_") * length)
        trained, fixed = _counts(model, compiled=not is_first)
        say(f"Total params: {trained + fixed:,}")
        say(f"Trainable params: {trained:,}")
        say(f"Non-trainable params: {fixed:,}")
        say("_" * length)

    return print_summary


def _row(fields: Sequence[Any], ends: Sequence[int]) -> str:
    """Returns the fields as a line with columns. A full column loses its last letter to the gap."""
    line = ""
    for place, (field, end) in enumerate(zip(fields, ends, strict=False)):
        line = (line[:-1] + " " if place else "") + str(field)
        line = line[:end].ljust(end)
    return line


def _nodes(model: Any) -> list[Any]:
    return [node for nodes in model._nodes_by_depth.values() for node in nodes]


def _is_in_a_row(model: Any, is_first: bool) -> bool:
    """Returns whether the model is a row of layers, or counts as one, such as a class of the program."""
    if type(model).__name__ == "Sequential" or not model._is_graph_network:
        return True
    by_depth = model._nodes_by_depth.values()
    if any(len(nodes) > 1 or len(tf.nest.flatten(nodes[0].inbound_layers)) > 1 for nodes in by_depth):
        return False
    nodes = {id(node) for node in _nodes(model)}
    uses = (sum(id(node) in nodes for node in layer._inbound_nodes) for layer in model.layers)
    return is_first or all(count <= 1 for count in uses)


def _fields(layer: Any, nodes: list[Any] | None, listed: bool) -> Iterator[Sequence[Any]]:
    """Yields the fields of a layer, and then the fields of a line for each further input.

    `listed`: whether the shape of an input layer is a list.
    """
    try:
        shape = layer.output_shape
    except AttributeError:
        shape = "multiple"
    except RuntimeError:
        shape = "?"
    kind = type(layer).__name__
    if kind == "InputLayer" and not listed:
        shape = shape[0]
    begun = (f"{layer.name} ({_FORMER.get(kind, kind)})", shape, layer.count_params())
    if nodes is None:
        yield begun
        return
    known = {id(node) for node in nodes}
    inbound = [
        link for node in layer._inbound_nodes if not known or id(node) in known for link in node.iterate_inbound()
    ]
    sources = [f"{source.name}[{node}][{tensor}]" for source, node, tensor, _ in inbound]
    yield (*begun, sources[0] if sources else "")
    yield from (("", "", "", source) for source in sources[1:])


def _counts(model: Any, compiled: bool) -> tuple[int, int]:
    """Returns the numbers of trainable and fixed parameters, with `compiled` as at the last `compile`."""
    utils: Any = importlib.import_module("tf_keras.src.utils.layer_utils")
    trained = getattr(model, "_collected_trainable_weights", None) if compiled else None
    trained = model.trainable_weights if trained is None else trained
    return utils.count_params(trained), utils.count_params(model.non_trainable_weights)
