"""`decompile`: a graph of TensorFlow 0.12 to 1.15 as a package of TensorFlow 2 source."""

from __future__ import annotations

import tempfile
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from tf2bridge.decompile import gate
from tf2bridge.decompile.decompiled import Decompiled
from tf2bridge.decompile.destinations import check_destination
from tf2bridge.decompile.idiomatic.clipping import NoCounterpartError
from tf2bridge.decompile.idiomatic.keras_step import STEPS, keras_step, stays
from tf2bridge.decompile.idioms.raising import Place
from tf2bridge.decompile.model_text import STRUCTURE, TF
from tf2bridge.decompile.of_module import tensor_outputs
from tf2bridge.decompile.refusals import NoOutputsError, UnequalPackageError
from tf2bridge.decompile.searching import places_that_fail
from tf2bridge.decompile.training.step import Step
from tf2bridge.decompile.worst_case import SECONDS
from tf2bridge.decompile.writer import UnreachedRulesError, Writer, text_of
from tf2bridge.graph.graph_module import GraphModule
from tf2bridge.graph.load import load

__all__ = ["decompile", "text_of"]
_ROUNDS = 4
"""How often a package is tried: without rules that no example reaches, and as each search for the worst inputs may find
more unequal ones."""
_NEVER_RUN = "it is in a branch that no example is known to reach, so that nothing was compared"


def decompile(
    source: str | Path | GraphModule,
    output: str | Path,
    *,
    inputs: Sequence[str] | None = None,
    outputs: Sequence[str] | None = None,
    feeds: Mapping[str, Any] | None = None,
    checkpoint: str | Path | None = "beside",
    allow_ops: Collection[str] = (),
    tags: Collection[str] | None = None,
    signature: str | None = None,
    assets: Mapping[str, str | Path] | None = None,
    level: str = STRUCTURE,
    train: bool = False,
    train_op: str | None = None,
    ops: str = TF,
    worst: float = SECONDS,
    idiomatic: bool = False,
) -> Decompiled:
    """Writes a graph as a package of Python source with its weights and a test, and checks that it is equal.

    Args:
        source: A module of `load` or `wrap`, or a path that `load` takes.
        output: The directory of the package, which must be new or empty. Its name is that of the package.
        inputs: As for `load`.
        outputs: As for `load`.
        feeds: The name of an input -> the array to compare with. Other inputs are made up.
        checkpoint: As for `load`.
        allow_ops: As for `load`.
        tags: As for `load`.
        signature: As for `load`.
        assets: As for `load`.
        level: "structure" for classes of layers; "layers" for one class; "functions" for public functions and operators
            without layers; "ops" for one call of `tf.raw_ops` for each node.
        train: Write `train.py`, too, with the training step of the graph. The model gives the loss as an output.
        train_op: The name of the operation that trains, if the graph has several.
        ops: "tf" for functions of TensorFlow; "keras" for those of `keras.ops` where there are any. A model that needs
            no others runs on all backends of Keras, and is tried on those that are installed.
        worst: How many seconds to search for the inputs on which the package differs most from the graph; 0 for none.
        idiomatic: Train with an optimizer and a loss of Keras where there are any, by `compile` and `fit`. Variables
            then differ from those of the graph, and `Decompiled.choices` says by how much. Implies `train`.

    Returns:
        What was written, and how far it is from the graph.

    Raises:
        OutputNotEmptyError, PackageNameError: The package cannot be written there.
        NoOutputsError: The graph computes nothing.
        UnwritableOpError: An operation has no form as source.
        ExampleError, UnknownExampleError: The graph cannot be run on the examples, or has no such input.
        UnequalPackageError: The package is not equal. Nothing is written.
        TrainOpError, GradientCutError: The graph has no training step, or several.
    """
    path = Path(output)
    check_destination(path)
    with gate.Gate() as processes:
        if not isinstance(source, GraphModule):
            source = load(source, outputs, inputs, checkpoint, allow_ops, tags, assets=assets, signature=signature)
        trains = train or idiomatic or train_op is not None
        step = Step.of(source, train_op) if trains else None
        name = Path(source.graph.path).name
        about = f"{f'The graph of {name}' if name else 'A graph'} as TensorFlow 2 code."
        writer = Writer(source, step, feeds or {}, about, level, ops, worst, processes)
        if not tensor_outputs(writer.forward):
            raise NoOutputsError(source.graph.path)
        return _with_rules_that_hold(writer, path) if step is None or not idiomatic else _with_keras(writer, step, path)


def _with_keras(writer: Writer, step: Step, path: Path) -> Decompiled:
    """Writes a package that trains by an optimizer of Keras, or by the exact step if Keras has nothing for it."""
    own, choices = keras_step(step)
    if own is not None:
        try:
            exact = replace(step, steps=STEPS, with_moves=True, _recordings=[])
            with tempfile.TemporaryDirectory() as parent:
                done = _with_rules_that_hold(replace(writer, step=exact, worst=0), Path(parent) / path.name)
            inputs = {**writer.feeds, **writer.first_inputs}
            own = replace(own, exact_differences=done.step_differences)
            fresh = replace(writer, step=own, feeds=inputs, _recordings=[], _branches=[])
            unequal = {(place.rule, place.node): place.why for place in done.dropped}
            text = fresh.text()
            if unequal:
                text = fresh.text(frozenset(text.places) - unequal.keys())
            return fresh.written(text, path, unequal)
        except NoCounterpartError as error:
            choices = stays(choices, str(error))
        except UnequalPackageError as error:
            choices = stays(choices, f"it differs from the graph at once: {error.why}")
    return _with_rules_that_hold(replace(writer, step=replace(step, choices=choices)), path)


def _with_rules_that_hold(writer: Writer, path: Path) -> Decompiled:
    """Writes a package in which rules apply wherever it stays equal."""
    unequal: dict[Place, str] = {}
    only: frozenset[Place] | None = None
    for _ in range(_ROUNDS):
        text = writer.text(only)
        try:
            return writer.written(text, path, unequal)
        except UnreachedRulesError as error:
            unequal |= dict.fromkeys(error.places, _NEVER_RUN)
        except UnequalPackageError as error:
            if not text.places or writer.fault(frozenset()):
                raise
            unequal |= places_that_fail(text.places, writer.fault, error.why)
        only = frozenset(text.places) - unequal.keys()
    unequal |= dict.fromkeys(only or (), "rules at other places are unequal beside it")
    return writer.written(writer.text(frozenset()), path, unequal)
