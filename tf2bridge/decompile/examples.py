"""Inputs to compare on: given ones, or made-up ones of sizes that the graph takes."""

from __future__ import annotations

import contextlib
import math
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, TypeVar

import numpy as np
import tensorflow as tf

from tf2bridge.decompile.inferred_shapes import merged
from tf2bridge.decompile.ir import Spec
from tf2bridge.decompile.sparse_inputs import SparseInput, arrays_of
from tf2bridge.graph.example_inputs import BATCH, LENGTH, for_inference, made_up
from tf2bridge.graph.refusals import reason_of

UNFIT = (tf.errors.OpError, ValueError, TypeError)
"""The errors of a graph whose inputs do not suit it."""
_SEED = 7
_TRIES = 8
_MOST_ELEMENTS = 1 << 22
_SIDES = (28, 32, 64, 84, 128, 224, 299, *range(3, 33))
"""Sides that nets are made for: 28 of MNIST, 32 of CIFAR, 84 of Atari, 224 and 299 of ImageNet; then all small ones."""
_LARGER = (6, 16, 64)
"""Sizes to try if neither the usual ones nor those in an error suit a graph."""
_WHOLE = (1, 3), (2, 4), (1, 2)
_RESHAPED = re.compile(r"tensor with (\d+) values, (?:.* multiple of|but the requested shape has) (\d+)")
_Result = TypeVar("_Result")


@dataclass(frozen=True)
class Sizes:
    """What stands for unknown sizes: of the first dimension, of others, and of inputs of unknown rank.

    Attributes:
        batch: The size of the first dimension.
        length: The size of others.
        of_unknown_rank: The shape of inputs of unknown rank.
        texts: What texts are, in turn; empty for words.
        whole: The least whole number, and the one after the largest; None for 0 and 1.
        padding: The last whole number of each row, if it is another one.
        are_lengths: Vectors of whole numbers are the lengths of rows: the first one is full.
        are_fractions: Floating numbers are from 0 to 1, as of images and probabilities.
        truth: What all truth values are, or None for those that suit inference.
    """

    batch: int = BATCH
    length: int = LENGTH
    of_unknown_rank: tuple[int, ...] = (BATCH,)
    texts: tuple[bytes, ...] = ()
    whole: tuple[int, int] | None = None
    padding: int | None = None
    are_lengths: bool = False
    are_fractions: bool = False
    truth: bool | None = None


def inputs_of(
    inputs: Mapping[str, Spec],
    given: Mapping[str, Any],
    sizes: Sizes = Sizes(),
    drawn: Mapping[str, Sequence[Any]] = MappingProxyType({}),
    sparse: Sequence[SparseInput] = (),
) -> dict[str, Any]:
    """Returns an array for each input of a model: the given one, or one that is made up.

    Args:
        inputs: The inputs.
        given: The name of an input -> its array.
        sizes: What stands for unknown sizes.
        drawn: The name of an input -> the values that its elements are drawn from.
        sparse: The sparse tensors among the inputs.
    """
    given = {**arrays_of(sparse, inputs, sizes.batch, sizes.length, _SEED), **given}
    if sizes.are_lengths:
        given = {**_lengths(inputs, sizes), **given}
    return {
        name: np.asarray(given[name]) if name in given else _made_up(name, spec, place, sizes, drawn.get(name))
        for place, (name, spec) in enumerate(inputs.items())
    }


def _lengths(inputs: Mapping[str, Spec], sizes: Sizes) -> dict[str, Any]:
    """Returns arrays for all inputs that are vectors of whole numbers: the lengths of rows of other inputs."""
    of_rows = [spec.shape[1] or sizes.length for spec in inputs.values() if spec.shape is not None and spec.shape[1:]]
    longest = min(of_rows, default=sizes.length)
    return {
        name: np.asarray(longest - np.arange(_shape(spec, sizes)[0]) % longest, spec.dtype.as_numpy_dtype)
        for name, spec in inputs.items()
        if spec.dtype.is_integer and spec.shape is not None and len(spec.shape) == 1 and longest
    }


def _made_up(name: str, spec: Spec, place: int, sizes: Sizes, drawn: Sequence[Any] | None) -> Any:
    if sizes.truth is not None and spec.dtype == tf.bool:
        return np.full(_shape(spec, sizes), sizes.truth)
    value = for_inference(name, spec.dtype.name, None if spec.shape is None else list(spec.shape))
    if value is not None:
        return np.asarray(value, spec.dtype.as_numpy_dtype)
    if drawn and not sizes.texts:
        values = np.array(drawn, object if spec.dtype == tf.string else spec.dtype.as_numpy_dtype)
        return np.resize(np.random.default_rng(_SEED + place).permutation(values), _shape(spec, sizes))
    if spec.dtype == tf.string and sizes.texts:
        return np.resize(np.array(sizes.texts, object), _shape(spec, sizes))
    if sizes.whole and spec.dtype.is_integer:
        numbers = np.asarray(np.random.default_rng(_SEED + place).integers(*sizes.whole, _shape(spec, sizes)))
        if sizes.padding is not None and numbers.ndim > 1:
            numbers[..., -1] = sizes.padding
        return np.asarray(numbers, spec.dtype.as_numpy_dtype)
    if sizes.are_fractions and spec.dtype.is_floating:
        return np.random.default_rng(_SEED + place).random(_shape(spec, sizes)).astype(spec.dtype.as_numpy_dtype)
    return made_up(spec.dtype.name, _shape(spec, sizes), _SEED + place)


def _shape(spec: Spec, sizes: Sizes) -> list[int]:
    if spec.shape is None:
        return list(sizes.of_unknown_rank)
    return [
        size if size is not None else (sizes.length if axis else sizes.batch) for axis, size in enumerate(spec.shape)
    ]


@dataclass(frozen=True)
class Hints:
    """What a graph says of inputs that suit it.

    Attributes:
        drawn: The name of an input -> the values that its elements are drawn from.
        only_drawn: The same without values that a graph may refuse.
        shapes: The name of an input of unknown sizes -> a likely shape.
        texts: Returns texts to try where words do not suit the graph.
        sparse: The sparse tensors among the inputs.
    """

    drawn: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    only_drawn: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    shapes: Mapping[str, tuple[int | None, ...]] = field(default_factory=dict)
    texts: Callable[[], Iterable[list[bytes]]] = tuple
    sparse: Sequence[SparseInput] = ()


def usual_inputs(inputs: Mapping[str, Spec], given: Mapping[str, Any], hints: Hints) -> dict[str, Any]:
    """Returns the inputs that `run_on_fitting` tries first."""
    return inputs_of(inputs, given, drawn=hints.drawn, sparse=hints.sparse)


def run_on_fitting(
    run: Callable[[dict[str, Any]], _Result],
    inputs: Mapping[str, Spec],
    given: Mapping[str, Any],
    hints: Hints = Hints(),
) -> _Result:
    """Returns what a function gives for inputs of the first sizes and texts that suit the graph.

    A graph may take one size alone where its shapes have none, such as the batch of a state. Its error names that size,
    but not the side of an image.

    Args:
        run: The function. It raises one of `UNFIT` if the inputs do not suit the graph.
        inputs: The inputs of the graph.
        given: The name of an input -> an array.
        hints: What the graph says of its inputs.

    Raises:
        UNFIT: No sizes suit it. The error is that of the usual sizes.
    """
    try:
        return run(usual_inputs(inputs, given, hints))
    except UNFIT as error:
        message = reason_of(str(error))
        likely = {
            name: spec._replace(shape=merged(spec.shape, hints.shapes.get(name))) for name, spec in inputs.items()
        }
        if likely != inputs:
            try:
                return run(inputs_of(likely, given, drawn=hints.drawn, sparse=hints.sparse))
            except UNFIT as of_likely:
                messages = [(likely, reason_of(str(of_likely))), (inputs, message)]
        else:
            messages = [(inputs, message)]
        refused: dict[str, tuple[Mapping[str, Spec], Sizes]] = {}
        for specs, sizes, arrays in _further(messages, given, hints):
            try:
                return run(arrays)
            except UNFIT as of_further:
                refused.setdefault(reason_of(str(of_further)), (specs, sizes))
        for arrays in _after(refused, {message for _, message in messages}, given, hints):
            with contextlib.suppress(*UNFIT):
                return run(arrays)
        raise


def _further(
    messages: Sequence[tuple[Mapping[str, Spec], str]], given: Mapping[str, Any], hints: Hints
) -> Iterator[tuple[Mapping[str, Spec], Sizes, dict[str, Any]]]:
    """Yields further inputs to try, with the types and shapes of the inputs, and the sizes that they have.

    Args:
        messages: The types and shapes of the inputs, in turn, and the error of the usual sizes.
        given: The name of an input -> an array.
        hints: What the graph says of its inputs.
    """
    for inputs, message in messages:
        if hints.only_drawn:
            yield inputs, Sizes(), inputs_of(inputs, given, drawn=hints.only_drawn, sparse=hints.sparse)
        of_texts = (Sizes(texts=tuple(some)) for some in hints.texts()) if _is_text(inputs, given) else ()
        further = *_of_fractions(inputs), *_sizes_in(message), *_sizes_of_images(inputs)
        of_types = *_of_truth_values(inputs), *_of_whole_numbers(inputs)
        for sizes in (*of_texts, *of_types, *further, *_larger(Sizes())):
            if _is_small(inputs, given, sizes):
                yield inputs, sizes, inputs_of(inputs, given, sizes, hints.drawn, hints.sparse)


def _after(
    refused: Mapping[str, tuple[Mapping[str, Spec], Sizes]],
    known: Collection[str],
    given: Mapping[str, Any],
    hints: Hints,
) -> Iterator[dict[str, Any]]:
    """Yields inputs that change what the graph refused for another reason than the usual sizes.

    Args:
        refused: Error -> the types and shapes of the inputs, and the sizes that it is of.
        known: The errors of the usual sizes.
        given: The name of an input -> an array.
        hints: What the graph says of its inputs.
    """
    others = [(message, *of_message) for message, of_message in refused.items() if message not in known]
    for message, inputs, sizes in others[:_TRIES]:
        for better in (*_sizes_in(message, sizes), *_larger(sizes)):
            if _is_small(inputs, given, better):
                yield inputs_of(inputs, given, better, hints.drawn, hints.sparse)


def _is_small(inputs: Mapping[str, Spec], given: Mapping[str, Any], sizes: Sizes) -> bool:
    missing = (spec for name, spec in inputs.items() if name not in given)
    return sum(int(np.prod(_shape(spec, sizes), dtype=float)) for spec in missing) <= _MOST_ELEMENTS


def _larger(sizes: Sizes) -> Iterator[Sizes]:
    """Yields larger sizes: windows of a convolution, or what a graph cuts off, may be longer than a usual row."""
    for size in _LARGER:
        yield replace(sizes, length=size)
        yield replace(sizes, batch=size)


def _of_whole_numbers(inputs: Mapping[str, Spec]) -> Iterator[Sizes]:
    """Yields other whole numbers if there are any: graphs count those that do not fill rows up, 0 or 1, as lengths."""
    if any(spec.dtype.is_integer for spec in inputs.values()):
        yield Sizes(whole=_WHOLE[0], are_lengths=True)
        yield from (Sizes(whole=between) for between in _WHOLE)
        yield from (Sizes(whole=_WHOLE[1], padding=padding) for padding in (1, 0))


def _of_fractions(inputs: Mapping[str, Spec]) -> Iterator[Sizes]:
    """Yields numbers from 0 to 1 if there are floating ones: a graph may refuse others, or those of both signs."""
    if any(spec.dtype.is_floating for spec in inputs.values()):
        yield Sizes(are_fractions=True)


def _of_truth_values(inputs: Mapping[str, Spec]) -> Iterator[Sizes]:
    """Yields both truth values if there are any: a step may not suit averages that no batch has changed yet."""
    if any(spec.dtype == tf.bool for spec in inputs.values()):
        yield from (Sizes(truth=truth) for truth in (True, False))


def _is_text(inputs: Mapping[str, Spec], given: Mapping[str, Any]) -> bool:
    return any(spec.dtype == tf.string and name not in given for name, spec in inputs.items())


def _sizes_in(message: str, sizes: Sizes = Sizes()) -> Iterator[Sizes]:
    """Yields sizes to try, with the numbers in a message first, and the next ones: a number may be that of a row."""
    if reshaped := _RESHAPED.search(message):  # rows are of several examples
        given, wanted = map(int, reshaped.groups())
        if given and wanted:
            yield replace(sizes, batch=BATCH * wanted // math.gcd(given, wanted))
    numbers = dict.fromkeys(int(number) for number in re.findall(r"\b\d{1,7}\b", message))
    for number in [number for number in numbers if number > 0][:_TRIES]:
        yield replace(sizes, batch=number)
        yield replace(sizes, length=number)
        yield replace(sizes, batch=number, length=number)
        yield replace(sizes, batch=number + 1)
        yield replace(sizes, length=number + 1)
    yield replace(sizes, of_unknown_rank=())


def _sizes_of_images(inputs: Mapping[str, Spec]) -> Iterator[Sizes]:
    """Yields sizes to try if an input may be images, or volumes, of an open side."""
    if any(spec.shape is not None and len(spec.shape) in (4, 5) and None in spec.shape[1:] for spec in inputs.values()):
        for side in _SIDES:
            yield Sizes(length=side)
            yield Sizes(length=side, of_unknown_rank=())
