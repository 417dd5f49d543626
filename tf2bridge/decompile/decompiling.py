"""`decompile`: a graph of TensorFlow 0.12 to 1.15 as a package of TensorFlow 2 source."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

from tf2bridge.decompile import backends, examples, gate, package, recording, report_page
from tf2bridge.decompile.decompiled import Decompiled, Dropped, Left
from tf2bridge.decompile.emitted.test_model import limits as limits_of
from tf2bridge.decompile.emitted.test_train import LARGEST_OF_MOVE
from tf2bridge.decompile.idioms.raising import Place
from tf2bridge.decompile.model_text import STRUCTURE, TF, Written, written
from tf2bridge.decompile.of_module import function_of_module, tensor_outputs
from tf2bridge.decompile.refusals import ExampleError, NoOutputsError, UnequalPackageError, UnknownExampleError
from tf2bridge.decompile.report_page import Report
from tf2bridge.decompile.training.step import Step
from tf2bridge.formats.graphs.interface import pipeline_of
from tf2bridge.formats.graphs.nodes import by_name
from tf2bridge.graph.graph_module import GraphModule
from tf2bridge.graph.load import load
from tf2bridge.graph.refusals import reason_of
from tf2bridge.graph.variable_values import saved_as


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
    package.check_destination(path)
    with gate.Gate() as processes:
        if not isinstance(source, GraphModule):
            source = load(source, outputs, inputs, checkpoint, allow_ops, tags, assets=assets, signature=signature)
        step = Step.of(source, train_op) if train or train_op is not None else None
        name = Path(source.graph.path).name
        about = f"{f'The graph of {name}' if name else 'A graph'} as TensorFlow 2 code."
        writer = _Writer(source, step, feeds or {}, about, level, ops, processes)
        if not tensor_outputs(writer.forward):
            raise NoOutputsError(source.graph.path)
        return _with_rules_that_hold(writer, path)


def _with_rules_that_hold(writer: _Writer, path: Path) -> Decompiled:
    """Writes a package in which rules apply wherever it stays equal."""

    def fault(places: frozenset[Place]) -> str:
        with tempfile.TemporaryDirectory() as folder:
            try:
                writer.written(writer.text(places), Path(folder) / path.name)
            except UnequalPackageError as error:
                return error.why
        return ""

    text = writer.text()
    try:
        return writer.written(text, path)
    except UnequalPackageError:
        if not text.places or fault(frozenset()):
            raise
    unequal = gate.places_that_fail(text.places, fault)
    return writer.written(writer.text(frozenset(text.places) - unequal.keys()), path, unequal)


@dataclass(frozen=True)
class _Writer:
    """Writes the package of a module.

    Attributes:
        module: The module.
        step: Its training step, if one is asked for.
        feeds: The name of an input -> the array to compare with.
        about: The docstring of the source file.
        level: As for `decompile`.
        ops: As for `decompile`.
        processes: Run the packages.
    """

    module: GraphModule
    step: Step | None
    feeds: Mapping[str, Any]
    about: str
    level: str
    ops: str
    processes: gate.Gate
    _recordings: list[recording.Recording] = field(default_factory=list)

    @property
    def forward(self) -> GraphModule:
        """The module that the model computes the outputs of."""
        return self.module if self.step is None else self.step.parts.forward

    def text(self, only: frozenset[Place] | None = None) -> Written:
        """Returns the source of the model. `only` is as for `text_of`."""

        def make(places: frozenset[Place] | None) -> Written:
            return text_of(self.forward, self.about, self.level, places, self.ops)

        return make(only) if self.step is None else self.step.model(make, only)

    def written(self, text: Written, path: Path, unequal: Mapping[Place, str] = MappingProxyType({})) -> Decompiled:
        """Writes a package and checks it in a process of its own. It appears only if it is equal.

        Args:
            text: The source.
            path: The package.
            unequal: Where the result of a rule was not equal, and is not in the source -> why.
        """
        names, graph = text.contents.names, self.module.graph
        computed, training = self._recorded(text)
        arrays = computed.arrays(names)
        stored = {name: key for name, (key, part) in saved_as(graph).items() if not part}
        differences: Mapping[str, float] = {}
        limits: Mapping[str, float] = {}
        of_steps: Mapping[str, float] = {}
        with package.new_package(path, text, arrays, self.about, stored, training) as folder:
            if not text.contents.python_functions:
                with_steps = training is not None and training.recorded is not None
                differences, of_steps = self.processes.measured(folder, with_steps)
                limits = limits_of(arrays)
                if gate.unequal(differences, limits):
                    arrays |= computed.roundings(names)
                    limits = limits_of(arrays)
                    package.write_arrays(folder / "recorded.npz", arrays)
                _check(differences, limits, "its largest number")
                _check(of_steps, dict.fromkeys(of_steps, LARGEST_OF_MOVE), "its largest move")
            others = backends.installed() if text.runs_everywhere and differences else []
            elsewhere = {backend: self._largest_difference(folder, backend) for backend in others}
            report = Report(self.about.removesuffix("."), _origin(self.module), text, differences, limits, unequal)
            package.write_file(folder / "report.html", report_page.dumps(report))
            package.move_into_place(folder, path)
        left = _left(text)
        return Decompiled(
            path=path,
            nodes=len(text.graph),
            lines=len(text.lines),
            raw_calls=sum(reason.calls for reason in left),
            differences=differences,
            limits={name: limits[name] for name in differences},
            dropped=tuple(Dropped(*place, why) for place, why in unequal.items()),
            left=left,
            pipelines=_pipelines(self.forward),
            train_op=None if self.step is None else self.step.parts.train_op,
            step_differences=of_steps,
            calls=text.calls.total,
            tensorflow_calls=text.calls.of_tensorflow,
            runs_everywhere=text.runs_everywhere,
            backends=elsewhere,
        )

    def _largest_difference(self, folder: Path, backend: str) -> float | str:
        """Returns the largest difference of a package on a backend of Keras, or why it does not run there."""
        try:
            return max(self.processes.measured(folder, backend=backend)[0].values(), default=0.0)
        except UnequalPackageError as error:
            return error.why

    def _recorded(self, text: Written) -> tuple[recording.Recording, package.Training | None]:
        """Runs the old graph, once for all trials. Returns what it computes, and the training step."""
        known = {**text.inputs, **({} if self.step is None else self.step.further)}
        if unknown := [name for name in self.feeds if name not in known]:
            raise UnknownExampleError(unknown[0], known)
        try:
            if not self._recordings:
                computed = examples.run_on_fitting(
                    lambda arrays: recording.Recording(self.forward, arrays), text.inputs, self.feeds
                )
                self._recordings.append(computed)
            (computed,) = self._recordings
            training = None if self.step is None else self.step.training(text, computed.inputs, self.feeds)
        except examples.UNFIT as error:
            specs = ", ".join(f"{name} {spec.dtype.name} {spec.shape or ''}".strip() for name, spec in known.items())
            raise ExampleError(self.forward.graph.path, reason_of(str(error)), specs) from None
        return computed, training


def _check(differences: Mapping[str, float], limits: Mapping[str, float], scale: str) -> None:
    """Raises UnequalPackageError if a difference is above its limit."""
    if worst := gate.unequal(differences, limits):
        raise UnequalPackageError(f"{worst[0]} differs by {differences[worst[0]]:.2g} of {scale}")


def _origin(module: GraphModule) -> str:
    """Returns what file a module is from."""
    graph = module.graph
    release = f", written by TensorFlow {graph.release}" if graph.release else ""
    return f"{graph.path}: {graph.kind.value}{release}"


def _pipelines(module: GraphModule) -> dict[str, str]:
    nodes = by_name(module.graph.graph_def.node)
    types = {name: pipeline_of(nodes, source) for name, source in module.ends.inputs.items()}
    return {name: op for name, op in types.items() if op}


def _left(text: Written) -> tuple[Left, ...]:
    counts = Counter((call.op, call.why) for line in text.lines for call in line.raw_calls)
    return tuple(Left(op, why, calls) for (op, why), calls in counts.most_common())


def text_of(
    module: GraphModule, about: str, level: str = STRUCTURE, only: frozenset[Place] | None = None, ops: str = TF
) -> Written:
    """Returns the source of a module's graph, and the contents of the files beside it.

    Args:
        module: The module.
        about: The docstring of the source file.
        level: As for `decompile`.
        only: The places where a rule may put a layer or an expression; None for all.
        ops: As for `decompile`.
    """
    function = function_of_module(module)
    values = {name: variable.numpy() for name, variable in recording.variables_of(module).items()}
    return written(function, values, tensor_outputs(module), about, level, only, ops)
