"""Writes the package of a module, and checks that it is equal."""

from __future__ import annotations

import contextlib
import tempfile
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

from tf2bridge.decompile import backends, examples, gate, package, recording, report_page
from tf2bridge.decompile.branches import Branches
from tf2bridge.decompile.checked import Checked
from tf2bridge.decompile.decompiled import Decompiled, Dropped, Left
from tf2bridge.decompile.destinations import move_into_place
from tf2bridge.decompile.dropout_inputs import probabilities
from tf2bridge.decompile.emitted.test_model import LARGEST, label_of
from tf2bridge.decompile.emitted.test_model import limits as limits_of
from tf2bridge.decompile.idioms.raising import Place
from tf2bridge.decompile.made_up_keys import keys_for
from tf2bridge.decompile.made_up_texts import texts_for
from tf2bridge.decompile.model_text import STRUCTURE, TF, Written, written
from tf2bridge.decompile.of_module import assertions_of, function_of_module, tensor_outputs, variables_of
from tf2bridge.decompile.parameter_shapes import likely_shapes
from tf2bridge.decompile.refusals import ExampleError, UnequalPackageError, UnknownExampleError
from tf2bridge.decompile.report_page import Report
from tf2bridge.decompile.sparse_inputs import sparse_inputs
from tf2bridge.decompile.training.step import Step
from tf2bridge.decompile.worst_case import worst_case
from tf2bridge.formats.graphs.interface import pipeline_of
from tf2bridge.formats.graphs.nodes import by_name
from tf2bridge.graph.graph_module import GraphModule
from tf2bridge.graph.refusals import reason_of
from tf2bridge.graph.variable_values import saved_as


class UnreachedRulesError(Exception):
    """Rules are in branches of the old graph that no example reaches.

    Attributes:
        places: Where they are.
    """

    def __init__(self, places: Collection[Place]) -> None:
        super().__init__(places)
        self.places = places


@dataclass(frozen=True)
class Writer:
    """Writes the package of a module.

    Attributes:
        module: The module.
        step: Its training step, if one is asked for.
        feeds: The name of an input -> the array to compare with.
        about: The docstring of the source file.
        level: As for `decompile`.
        ops: As for `decompile`.
        worst: As for `decompile`.
        processes: Runs the packages.
    """

    module: GraphModule
    step: Step | None
    feeds: Mapping[str, Any]
    about: str
    level: str
    ops: str
    worst: float
    processes: gate.Gate
    _recordings: list[recording.Recording] = field(default_factory=list)
    _branches: list[Branches] = field(default_factory=list)

    @property
    def forward(self) -> GraphModule:
        """The module that the model computes the outputs of."""
        return self.module if self.step is None else self.step.parts.forward

    @property
    def first_inputs(self) -> Mapping[str, Any]:
        """The inputs of the first example, if it has been run."""
        return self._recordings[0].inputs if self._recordings else {}

    def text(self, only: frozenset[Place] | None = None) -> Written:
        """Returns the source of the model. `only` is as for `text_of`."""

        whole = () if self.step is None else self.step.updated
        return text_of(self.forward, self.about, self.level, only, self.ops, whole)

    def fault(self, places: frozenset[Place]) -> str:
        """Says how the package is unequal if rules apply at these places alone; "" if it is equal."""
        with tempfile.TemporaryDirectory() as parent, contextlib.ExitStack() as stack:
            try:
                stack.enter_context(self._checked(self.text(places), Path(parent) / "trial"))
            except UnequalPackageError as error:
                return error.why
        return ""

    def written(self, text: Written, path: Path, unequal: Mapping[Place, str] = MappingProxyType({})) -> Decompiled:
        """Writes a package that is equal; it appears as a whole.

        Args:
            text: The source.
            path: The package.
            unequal: Where the result of a rule was not equal, and is not in the source -> why.

        Raises:
            UnreachedRulesError: Rules are in branches that no example reaches. Nothing is written.
            UnequalPackageError: It is not equal. Nothing is written.
        """
        with self._checked(text, path) as checked:
            choices = () if self.step is None else self.step.measured(checked.of_steps)
            worst = self._worst(text, checked)
            others = backends.installed() if text.runs_everywhere and checked.differences else []
            elsewhere = {backend: self._largest_difference(text, checked, backend) for backend in others}
            differences, limits = checked.differences, checked.limits
            unreached = self._branches[0].unreached if self._branches else {}
            title = self.about.removesuffix(".")
            origin = _origin(self.module)
            report = Report(title, origin, text, differences, limits, unequal, worst, unreached, choices)
            package.write_file(checked.folder / "report.html", report_page.dumps(report))
            move_into_place(checked.folder, path)
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
            step_differences=checked.of_steps,
            calls=text.calls.total,
            tensorflow_calls=text.calls.of_tensorflow,
            runs_everywhere=text.runs_everywhere,
            backends=elsewhere,
            worst=worst,
            unreached=unreached,
            assertions=tuple(assertions_of(self.forward)),
            choices=choices,
        )

    @contextlib.contextmanager
    def _checked(self, text: Written, path: Path) -> Iterator[Checked]:
        """Gives a package that is equal on all examples so far.

        The other process loads it while the old graph runs.

        Raises:
            UnreachedRulesError: Rules are in branches that no example reaches: nothing shows that they are equal.
            UnequalPackageError: It is not equal.
        """
        training = None if self.step is None else self.step.training(text, self._first(text).inputs, self.feeds)
        stored = {name: key for name, (key, part) in saved_as(self.module.graph).items() if not part}
        with package.new_package(path, text, {}, self.about, stored, training) as folder:
            runs_meanwhile = training is None and not text.contents.python_functions
            if runs_meanwhile:
                self.processes.load(folder)
            self._first(text, folder if runs_meanwhile else None)
            unreached = self._branches[0].unreached_nodes
            if never_run := [place for place in text.places if place[1] in unreached]:
                raise UnreachedRulesError(never_run)
            checked = Checked(folder)
            if text.contents.python_functions:
                package.write_arrays(folder / "recorded.npz", self._first(text).arrays(text.contents.names))
            else:
                self._check(text, checked, training)
                recorded = checked.recorded_steps
                if recorded is not None and "of moves" in recorded:
                    package.write_step_limits(folder, recorded, checked.of_steps)
            yield checked

    def _check(self, text: Written, checked: Checked, training: package.Training | None = None) -> None:
        """Measures a package on all examples. Raises UnequalPackageError if it is not equal."""
        with_steps = training is not None and training.recorded is not None
        names, files = text.contents.names, checked.folder
        arrays = [example.arrays(names) for example in self._recordings]
        for number, array in enumerate(arrays, 1):
            package.write_example(files, number, array)
        expect = self._recordings[0].expect_roundings
        checked.differences, of_steps = self.processes.measured(files, with_steps, meanwhile=expect)
        checked.of_steps = of_steps or checked.of_steps
        checked.limits_by_example = {
            number: limits_of(array, label_of(number)) for number, array in enumerate(arrays, 1)
        }
        checked.rounded = set()
        self._allow_roundings(text, checked, checked.differences)
        _require_within(checked.differences, checked.limits, "its largest number")
        if self.step is not None and training is not None:
            self._check_steps(text, checked, training)

    def _allow_roundings(self, text: Written, checked: Checked, differences: Mapping[str, float]) -> None:
        """Raises the limits of examples that differ by more by what roundings change, and writes these into the files.

        Args:
            text: The source.
            checked: The package.
            differences: Recorded array -> how much the package differs, on TensorFlow or on another backend.
        """
        names = text.contents.names
        roundings: dict[int, dict[str, Any]] = {}
        for runs in recording.ROUNDED_RUNS:
            above = gate.unequal(differences, checked.limits)
            for number, example in enumerate(self._recordings, 1):
                if not checked.limits_by_example[number].keys().isdisjoint(above):
                    roundings[number] = example.roundings(names, runs)
                    arrays = example.arrays(names) | roundings[number]
                    checked.limits_by_example[number] = limits_of(arrays, label_of(number))
        for number, added in roundings.items():
            if number in checked.rounded:
                package.write_example(checked.folder, number, self._recordings[number - 1].arrays(names) | added)
            else:
                package.add_to_example(checked.folder, number, added)
        checked.rounded |= roundings.keys()

    def _check_steps(self, text: Written, checked: Checked, training: package.Training) -> None:
        """Measures the steps of a package again while more roundings may explain how they differ."""
        assert self.step is not None
        limits = self.step.limits(checked.of_steps)
        checked.recorded_steps = training.recorded
        while gate.unequal(checked.of_steps, limits):
            recorded = self.step.rounded_more(text, training)
            if recorded is None:
                break
            checked.recorded_steps = recorded
            package.write_arrays(checked.folder / "recorded_training.npz", recorded)
            checked.of_steps = self.processes.measured(checked.folder, with_steps=True)[1]
        _require_within(checked.of_steps, limits, "its largest move")

    def _worst(self, text: Written, checked: Checked) -> float | None:
        """Searches for the inputs on which a package differs most, and makes them an example.

        Returns:
            The largest difference of an output there, as a part of its largest number; None without a search.

        Raises:
            UnequalPackageError: The package is not equal there.
        """
        first = self._recordings[0]
        if not self.worst or not checked.differences or first.is_random:
            return None
        case = worst_case(self.forward, first.assigned, first.inputs, self.processes, self.worst)
        if case is None:
            return None
        of_numbers = any(array.dtype.kind == "f" for array in case.inputs.values())
        example = recording.Recording(self.forward, case.inputs, with_gradients=not of_numbers)
        self._recordings.append(example)
        number, worst = len(self._recordings), max(case.figures)
        if example.with_gradients or not worst <= LARGEST:
            self._check(text, checked)
            return worst
        arrays = example.arrays(text.contents.names)
        package.write_example(checked.folder, number, arrays)
        checked.limits_by_example[number] = limits_of(arrays, label_of(number))
        checked.differences |= {
            f"out {output}{label_of(number)}": figure
            for output, figure in enumerate(case.figures)
            if f"out {output}" in arrays
        }
        return worst

    def _largest_difference(self, text: Written, checked: Checked, backend: str) -> float | str:
        """Returns the largest difference of a package on a backend of Keras, or why it is not equal there.

        The limits are those on TensorFlow: a mean of numbers of both signs, for example, is rounded more than others.
        """
        try:
            measured = self.processes.measured(checked.folder, backend=backend)[0]
            self._allow_roundings(text, checked, measured)
            _require_within(measured, checked.limits, "its largest number")
        except UnequalPackageError as error:
            return error.why
        return max(measured.values(), default=0.0)

    def _first(self, text: Written, folder: Path | None = None) -> recording.Recording:
        """Returns what the old graph computes on the first example. It is run once for all trials.

        Args:
            text: The source.
            folder: A package that computes the same meanwhile.
        """
        if not self._recordings:
            self._record(text, folder)
        return self._recordings[0]

    def _record(self, text: Written, folder: Path | None) -> None:
        """Runs the old graph on given or made-up inputs, and on some that lead to other branches."""
        known = {**text.inputs, **({} if self.step is None else self.step.further)}
        if unknown := [name for name in self.feeds if name not in known]:
            raise UnknownExampleError(unknown[0], known)
        function = function_of_module(self.forward)
        hints = examples.Hints(
            keys_for(function),
            keys_for(function, with_others=False),
            likely_shapes(function),
            lambda: texts_for(function),
            sparse_inputs(function),
        )
        given = {**probabilities(function), **self.feeds}
        try:
            if folder is not None:
                self._compute(folder, examples.usual_inputs(text.inputs, given, hints))
            first = examples.run_on_fitting(self._recorded, text.inputs, given, hints)
        except examples.UNFIT as error:
            specs = ", ".join(f"{name} {spec.dtype.name} {spec.shape or ''}".strip() for name, spec in known.items())
            raise ExampleError(self.forward.graph.path, reason_of(str(error)), specs) from None
        branches = Branches(self.forward, first.inputs)
        self._branches.append(branches)
        self._recordings.extend([first, *(recording.Recording(self.forward, inputs) for inputs in branches.further)])

    def _recorded(self, arrays: Mapping[str, Any]) -> recording.Recording:
        """Returns what the old graph computes on inputs, which must suit its training step, too."""
        computed = recording.Recording(self.forward, arrays)
        if self.step is not None:
            self.step.record(arrays, self.feeds)
        return computed

    def _compute(self, folder: Path, inputs: Mapping[str, Any]) -> None:
        """Lets the other process compute on inputs that are likely to be the first example."""
        file = folder.with_name("inputs.npz")
        package.write_arrays(file, {f"in {name}": array for name, array in inputs.items()})
        self.processes.compute(folder, file)


def _require_within(differences: Mapping[str, float], limits: Mapping[str, float], scale: str) -> None:
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
    module: GraphModule,
    about: str,
    level: str = STRUCTURE,
    only: frozenset[Place] | None = None,
    ops: str = TF,
    whole: Collection[str] = (),
) -> Written:
    """Returns the source of a module's graph, and the contents of the files beside it.

    Args:
        module: The module.
        about: The docstring of the source file.
        level: As for `decompile`.
        only: The places where a rule may put a layer or an expression; None for all.
        ops: As for `decompile`.
        whole: The variables that no layer may hold in parts.
    """
    function = function_of_module(module)
    values = {name: variable.numpy() for name, variable in variables_of(module).items()}
    return written(function, values, tensor_outputs(module), about, level, only, ops, whole)
