"""The inputs on which two sides are run: given, recorded, or made up."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from tf2bridge.formats.checkpoints.opening import open as open_checkpoint
from tf2bridge.formats.dtypes import STRING, numpy_type
from tf2bridge.graph.example_inputs import for_inference, made_up
from tf2bridge.proof.comparing.opening import is_trace
from tf2bridge.proof.comparing.ports import Paired
from tf2bridge.proof.comparing.refusals import InputsError
from tf2bridge.proof.comparing.sides import Port
from tf2bridge.proof.numbers.pieces import Array
from tf2bridge.proof.traces.reader import Trace

RANDOM = "random"
_REMEDY = "give them as an .npz file or a mapping of names to arrays"


@dataclass(frozen=True)
class Batch:
    """The feeds of one run: name -> array, by the names and in the types of each side.

    call, where: of recorded ones, see `Comparison`.
    """

    a: Mapping[str, Array]
    b: Mapping[str, Array]
    call: int | None = None
    where: str = ""
    notes: tuple[str, ...] = field(default=(), compare=False)


def batches(inputs: Any, ports: Sequence[Paired]) -> Iterator[Batch]:
    """Yields the feeds of both sides, once or for each recorded call.

    inputs: {name: array}, an .npz file, a Trace or its path, or "random:SEED". ports: the inputs of both sides. Raises
    InputsError, and what opening raises.
    """
    if is_random(inputs):
        yield _random(seed_of(inputs), ports)
    elif isinstance(inputs, Mapping):
        yield given_batch({name: np.asarray(value) for name, value in inputs.items()}, ports)
    elif isinstance(inputs, Trace):
        yield from _recorded(inputs, ports)
    elif is_trace(Path(inputs)):
        trace = Trace(inputs)
        yield from _recorded(trace, ports)
        trace.close()
    else:
        with open_checkpoint(inputs) as arrays:
            yield given_batch(dict(arrays), ports)


def is_random(inputs: Any) -> bool:
    """Returns True for inputs that are made up: "random:SEED"."""
    return isinstance(inputs, str) and (inputs == RANDOM or inputs.startswith(f"{RANDOM}:"))


def seed_of(name: str) -> int:
    """Returns the seed of "random:SEED". Raises InputsError if there is none."""
    text = name.partition(":")[2] or "0"
    if not text.isdecimal():
        raise InputsError(f"{name!r} names no seed", "write random:SEED, as random:7")
    return int(text)


def _random(seed: int, ports: Sequence[Paired]) -> Batch:
    """Returns values made up by the rules of `graph.example_inputs`, in the order of the inputs."""
    arrays: dict[str, Array] = {}
    chosen = []
    for place, port in enumerate(ports):
        first = port.a or port.b
        assert first is not None
        if first.optional and None in (port.a, port.b):
            continue
        value = for_inference(first.name, first.dtype, port.shape)
        if value is None:
            arrays[port.label] = _made(port, first, seed + place)
        else:
            arrays[port.label] = np.asarray(value)
            chosen.append(f"{first.name} is {value}, as in inference")
    batch = given_batch(arrays, ports)
    return Batch(batch.a, batch.b, notes=(f"inputs are made up with seed {seed}", *chosen))


def _made(port: Paired, first: Port, seed: int) -> Array:
    if port.shape is None:
        raise InputsError(f"of {first.name!r} not even the number of dimensions is known", _REMEDY)
    dtype = next((port.dtype for port in (port.a, port.b) if port is not None and "int" in port.dtype), first.dtype)
    return made_up(dtype or "float32", port.shape, seed, port.limit)


def given_batch(values: Mapping[str, Array], ports: Sequence[Paired]) -> Batch:
    """Returns the feeds of both sides. Raises InputsError for unknown or missing names and for what does not fit."""
    by_port = {name: _port_of(name, ports) for name in values}
    fed = {id(port) for port in by_port.values()}
    if absent := [port.label for port in ports if id(port) not in fed and not _is_optional(port)]:
        raise InputsError(f"nothing is given for {', '.join(absent)}", f"add {absent[0]!r} to what is given")
    sides: tuple[dict[str, Array], dict[str, Array]] = ({}, {})
    for name, port in by_port.items():
        for side, own in zip(sides, (port.a, port.b), strict=True):
            if own is not None:
                side[own.name] = _typed(values[name], own)
    return Batch(*sides)


def _is_optional(port: Paired) -> bool:
    return all(end is None or end.optional for end in (port.a, port.b))


def _port_of(name: str, ports: Sequence[Paired]) -> Paired:
    fitting = [port for port in ports if {name, name.removesuffix(":0")} & port.names]
    if len(fitting) != 1:
        known = ", ".join(port.label for port in ports) or "none"
        raise InputsError(f"{name!r} is no input of either side", f"their inputs are {known}")
    return fitting[0]


def _typed(value: Array, port: Port) -> Array:
    """Returns the value in the type of an input. Raises InputsError if that changes a number."""
    if not port.dtype or port.dtype == STRING:
        return value
    typed = value.astype(numpy_type(port.dtype))
    if value.dtype.kind in "iub" and not np.array_equal(typed.astype(value.dtype), value):
        raise InputsError(f"what is given for {port.name!r} does not fit into {port.dtype}", _REMEDY)
    return typed


def _recorded(trace: Trace, ports: Sequence[Paired]) -> Iterator[Batch]:
    """Yields the feeds of each call of the program that fed all inputs."""
    any_call = False
    for call in trace.program_calls:
        feeds = {leaf.name: leaf.value for leaf in call.feeds if leaf.value is not None}
        known = {name: ref for name, ref in feeds.items() if _names_one(name, ports)}
        fed = {id(_port_of(name, ports)) for name in known}
        if known and all(id(port) in fed or _is_optional(port) for port in ports):
            any_call = True
            batch = given_batch({name: trace.value(ref) for name, ref in known.items()}, ports)
            yield Batch(batch.a, batch.b, call.position, call.where)
    if not any_call:
        wanted = ", ".join(port.label for port in ports) or "none"
        raise InputsError(f"no recorded call feeds all inputs ({wanted})", _REMEDY)


def _names_one(name: str, ports: Sequence[Paired]) -> bool:
    return sum(bool({name, name.removesuffix(":0")} & port.names) for port in ports) == 1
