"""`decompile`: a graph of TensorFlow 0.12 to 1.15 as a package of TensorFlow 2 source."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import tensorflow as tf

from tf2bridge.decompile import gate, package, recording, report_page
from tf2bridge.decompile.from_graph import Outside, function_of
from tf2bridge.decompile.idioms.raising import Place
from tf2bridge.decompile.model_text import STRUCTURE, Written, written
from tf2bridge.decompile.refusals import ExampleError, NoOutputsError, UnequalPackageError, UnknownExampleError
from tf2bridge.decompile.report_page import Report
from tf2bridge.formats.graphs.interface import pipeline_of
from tf2bridge.formats.graphs.lookup_operations import TABLES
from tf2bridge.formats.graphs.nodes import by_name
from tf2bridge.graph.graph_module import GraphModule
from tf2bridge.graph.load import load
from tf2bridge.graph.refusals import reason_of
from tf2bridge.graph.variable_values import saved_as


class Left(NamedTuple):
    """Operations of one type that stay calls of `tf.raw_ops` for one reason.

    Attributes:
        op: The type.
        why: The reason.
        calls: How many calls there are.
    """

    op: str
    why: str
    calls: int


class Dropped(NamedTuple):
    """A place where the result of a rule was not equal, so that the operations stand instead.

    Attributes:
        rule: The rule.
        node: The old name of the node that it was applied to.
        why: How the result was unequal.
    """

    rule: str
    node: str
    why: str


@dataclass(frozen=True)
class Decompiled:
    """What `decompile` wrote.

    Attributes:
        path: The package.
        nodes: How many nodes the graph has that its outputs need.
        lines: How many lines `model.py` has.
        raw_calls: How many calls of `tf.raw_ops` are among them.
        differences: Recorded array -> its largest difference, as a part of its largest number.
        limits: Recorded array -> the largest difference that is allowed. It is more than 1e-5 where one rounding of
            the inputs and variables changes what the old graph computes by a fifth of it.
        dropped: Where the result of a rule was not equal.
        left: Why the calls of `tf.raw_ops` stay, the most frequent first.
        pipelines: Input -> the type of the queue, iterator or reader that gave it in the old graph. The package has no
            such pipeline.
    """

    path: Path
    nodes: int
    lines: int
    raw_calls: int
    differences: Mapping[str, float] = field(default_factory=dict)
    limits: Mapping[str, float] = field(default_factory=dict)
    dropped: tuple[Dropped, ...] = ()
    left: tuple[Left, ...] = ()
    pipelines: Mapping[str, str] = field(default_factory=dict)


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

    Returns:
        What was written, and how far it is from the graph.

    Raises:
        OutputNotEmptyError, PackageNameError: The package cannot be written there.
        NoOutputsError: The graph computes nothing.
        UnwritableOpError: An operation has no form as source.
        ExampleError, UnknownExampleError: The graph cannot be run on the examples, or has no such input.
        UnequalPackageError: The package is not equal. Nothing is written.
    """
    path = Path(output)
    package.check_destination(path)
    if not isinstance(source, GraphModule):
        source = load(source, outputs, inputs, checkpoint, allow_ops, tags, assets=assets, signature=signature)
    if not source.ends.outputs:
        raise NoOutputsError(source.graph.path)
    about = f"The graph of {Path(source.graph.path).name} as TensorFlow 2 code."
    text = text_of(source, about, level)
    computed = _recording(source, text, feeds or {})
    try:
        return _written(source, text, computed, path, about)
    except UnequalPackageError:
        if not text.places:
            raise

    module = source

    def fault(places: frozenset[Place]) -> str:
        with tempfile.TemporaryDirectory() as folder:
            try:
                _written(module, text_of(module, about, level, places), computed, Path(folder) / path.name, about)
            except UnequalPackageError as error:
                return error.why
        return ""

    unequal = gate.places_that_fail(text.places, fault)
    better = text_of(source, about, level, frozenset(text.places) - unequal.keys())
    return _written(source, better, computed, path, about, unequal)


def _recording(module: GraphModule, text: Written, feeds: Mapping[str, Any]) -> recording.Recording:
    """Runs the old graph."""
    if unknown := [name for name in feeds if name not in text.inputs]:
        raise UnknownExampleError(unknown[0], text.inputs)
    try:
        return recording.Recording(module, recording.inputs_of(text.inputs, feeds))
    except (tf.errors.OpError, ValueError, TypeError) as error:
        specs = ", ".join(f"{name} {spec.dtype.name} {spec.shape or ''}".strip() for name, spec in text.inputs.items())
        raise ExampleError(module.graph.path, reason_of(str(error)), specs) from None


def _written(
    module: GraphModule,
    text: Written,
    computed: recording.Recording,
    path: Path,
    about: str,
    unequal: Mapping[Place, str] = MappingProxyType({}),
) -> Decompiled:
    """Writes a package and checks it in a process of its own. It appears only if it is equal."""
    names = text.contents.names
    arrays = computed.arrays(names)
    measured: Mapping[str, tuple[float, float]] = {}
    stored = {name: key for name, (key, part) in saved_as(module.graph).items() if not part}
    with package.new_package(path, text, arrays, about, stored) as folder:
        if not text.contents.python_functions:
            measured = gate.measured(folder)
            if gate.unequal(measured):
                package.write_recorded(folder, arrays | computed.roundings(names))
                measured = gate.measured(folder)
            if worst := gate.unequal(measured):
                raise UnequalPackageError(f"{worst[0]} differs by {measured[worst[0]][0]:.2g} of its largest number")
        report = Report(about.removesuffix("."), _origin(module), text, measured, unequal)
        package.write_text(folder / "report.html", report_page.dumps(report))
        package.move_into_place(folder, path)
    left = _left(text)
    dropped = tuple(Dropped(*place, why) for place, why in unequal.items())
    differences, limits = ({name: pair[number] for name, pair in measured.items()} for number in (0, 1))
    calls = sum(reason.calls for reason in left)
    pipelines = _pipelines(module)
    return Decompiled(path, len(text.graph), len(text.lines), calls, differences, limits, dropped, left, pipelines)


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


def text_of(module: GraphModule, about: str, level: str = STRUCTURE, only: frozenset[Place] | None = None) -> Written:
    """Returns the source of a module's graph, and the contents of the files beside it.

    Args:
        module: The module.
        about: The docstring of the source file.
        level: As for `decompile`.
        only: The places where a rule may put a layer or an expression; None for all.
    """
    function = function_of(module.call.concrete, list(module.inputs), len(module.outputs), _outside(module))
    values = {name: variable.numpy() for name, variable in recording.variables_of(module).items()}
    return written(function, values, list(module.outputs), about, level, only)


def _outside(module: GraphModule) -> Outside:
    named = recording.variables_of(module)
    variables = {id(variable.handle): (name, variable) for name, variable in named.items()}
    tables = {}
    if any(id(tensor) not in variables for tensor in module.call.concrete.captured_inputs):
        for node in module.graph.graph_def.node:
            if node.op in TABLES:
                table = module.tables[node.name]
                special = module.tables.special_keys(node.name) if node.op.startswith("MutableDense") else ()
                tables[id(table.resource_handle)] = node.name, table, special
    return Outside(variables, tables)
