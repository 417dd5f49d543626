"""The text of `model.py`, and what the files beside it hold."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import tensorflow as tf

from tf2bridge.decompile.attributes import literal
from tf2bridge.decompile.backends import Calls, calls_in
from tf2bridge.decompile.class_text import ClassWriter
from tf2bridge.decompile.constant_weights import with_variables
from tf2bridge.decompile.ensured_ranks import with_ensured_ranks
from tf2bridge.decompile.folding import folded
from tf2bridge.decompile.idioms.raising import Place, owners, places, raised
from tf2bridge.decompile.inferred_shapes import with_inferred_shapes
from tf2bridge.decompile.ir import Function, Kind, Node, Spec, all_nodes, cloned
from tf2bridge.decompile.keras_parts import in_keras_ops
from tf2bridge.decompile.later_operations import with_later_operations
from tf2bridge.decompile.lines import INDENT, Line, docstring, docstring_lines, indented, within_columns
from tf2bridge.decompile.loop_counters import with_one_counter
from tf2bridge.decompile.loop_names import with_loop_names
from tf2bridge.decompile.model_attributes import Attributes, Contents
from tf2bridge.decompile.parameter_shapes import with_shapes
from tf2bridge.decompile.repeated import without_repetitions
from tf2bridge.decompile.separate_conditions import with_separate_conditions
from tf2bridge.decompile.simplify import assigned_variables, simplified, with_one_read, without_unused_reads
from tf2bridge.decompile.source_map import OldNode, old_nodes
from tf2bridge.decompile.structure.classes import Class, Structured, structured
from tf2bridge.decompile.tensor_arrays import with_arrays
from tf2bridge.decompile.unused_results import with_used_results

TF, KERAS = "tf", "keras"
OPS, FUNCTIONS, LAYERS, STRUCTURE = "ops", "functions", "layers", "structure"


@dataclass(frozen=True)
class Written:
    """A model as source.

    Attributes:
        lines: The lines of `model.py`.
        inputs: The name of each input -> its type and shape.
        outputs: The name of each output -> its type and shape.
        contents: What the files beside it hold.
        places: Where a rule has put a layer or an expression.
        unfit: Where a layer would be but cannot hold its variables -> why.
        graph: The old name of each node of the graph -> the node.
        classes: Name scope -> the expression that makes the layer that it became.
        in_keras: It is a `keras.Model`.
        owners: The old name of each variable that a layer holds -> where a rule has put that layer.
        calls: The calls in the source. A function of TensorFlow that stands there only because TensorFlow traces the
            model and does not know the rank of a tensor is counted as that of Keras that it stands for.
        runs_everywhere: It runs on every backend of Keras, not on TensorFlow alone.
    """

    lines: Sequence[Line]
    inputs: Mapping[str, Spec]
    outputs: Mapping[str, Spec]
    contents: Contents
    places: tuple[Place, ...]
    unfit: Mapping[Place, str]
    graph: Mapping[str, OldNode]
    classes: Mapping[str, str]
    in_keras: bool
    owners: Mapping[str, Place]
    calls: Calls
    runs_everywhere: bool

    @property
    def source(self) -> str:
        """The text of `model.py`."""
        return "".join(f"{line}\n" for line in self.lines)


def written(
    function: Function,
    values: dict[str, Any],
    outputs: Sequence[str],
    about: str,
    level: str = STRUCTURE,
    only: frozenset[Place] | None = None,
    ops: str = TF,
    whole: Collection[str] = (),
) -> Written:
    """Returns the graph as a `keras.Model` if it has layers, else as a `tf.Module`.

    Args:
        function: The graph.
        values: The name of each variable -> its value. Weights that were constants are added.
        outputs: A name for each result.
        about: What stands in the docstring of the file.
        level: `OPS` for one call of `tf.raw_ops` for each node, `FUNCTIONS` for public functions and operators,
            `LAYERS` for layers of Keras too, `STRUCTURE` for classes of layers.
        only: The places where a rule may put a layer or an expression; None for all.
        ops: `TF` for functions of TensorFlow, `KERAS` for those of `keras.ops` where there are any.
        whole: The variables that no layer may hold in parts.
    """
    graph = old_nodes(function)
    assigned = assigned_variables(function)
    keras_ops = ops == KERAS and level != OPS
    function, unfit = _improved(function, values, assigned, level, only, keras_ops, whole)
    function = with_loop_names(without_repetitions(with_one_counter(function))) if level != OPS else function
    has_layers = any(node.op == Kind.LAYER for node in all_nodes(function))
    in_keras = has_layers or (keras_ops and _fits_keras(function))
    writer = ClassWriter(values, assigned, level != OPS, in_keras, keras_ops)
    is_structured = level == STRUCTURE and in_keras
    if keras_ops:
        code = _code(in_keras_ops(cloned(function), of_any_rank=True), writer, is_structured)
        calls = code.calls
        if "tf" in calls.modules:
            code = _code(in_keras_ops(function), writer, is_structured)
    else:
        code = _code(function if level == OPS else with_arrays(function), writer, is_structured)
        calls = code.calls
    runs_everywhere = keras_ops and in_keras and "tf" not in calls.modules
    specs = {name: value.spec for name, value in zip(outputs, function.results, strict=True)}
    lines = [
        docstring(about),
        "",
        *(["import keras"] if in_keras or "keras" in code.calls.modules else []),
        *([] if runs_everywhere else ["import tensorflow as tf"]),
        "",
        f"from . import {', '.join([*code.store.contents.own_modules, 'weights'])}",
        "",
        "",
        *(line for part in code.parts.classes for line in _layer_class(part)),
        *_class(code, function.parameters, specs, runs_everywhere),
    ]
    return Written(
        lines=[shorter for line in lines for shorter in within_columns(line)],
        inputs={parameter.name: parameter.outputs[0] for parameter in function.parameters},
        outputs=specs,
        contents=code.store.contents,
        places=tuple(places(function)),
        unfit=unfit,
        graph=graph,
        classes={block.attributes["scope"]: expression for block, (expression, _) in code.parts.blocks.items()},
        in_keras=code.store.in_keras,
        owners=owners(function),
        calls=calls,
        runs_everywhere=runs_everywhere,
    )


def layers_of(function: Function, values: dict[str, Any], whole: Collection[str]) -> Function:
    """Returns the graph with layers and expressions, before classes are made of it. Arguments are as for `written`."""
    return _improved(function, values, assigned_variables(function), LAYERS, None, False, whole)[0]


def _improved(
    function: Function,
    values: dict[str, Any],
    assigned: frozenset[str],
    level: str,
    only: frozenset[Place] | None,
    keras_ops: bool,
    whole: Collection[str],
) -> tuple[Function, dict[Place, str]]:
    """Returns the graph with layers and expressions, and the places where no layer can stand with the reasons."""
    if level != OPS:
        _tidy(with_variables(function, values), assigned)
    with_shapes(function)
    if level != OPS:
        with_ensured_ranks(function)
    if level in (LAYERS, STRUCTURE) and _fits_keras(function):
        return raised(with_one_read(function, assigned), assigned, only, keras_ops, whole)
    return function, {}


def as_functions(function: Function, assigned: frozenset[str]) -> Function:
    """Returns a graph as it is written with public functions and operators, without layers.

    Args:
        function: The graph. It is changed.
        assigned: The variables that it changes.
    """
    _tidy(function, assigned)
    with_ensured_ranks(with_shapes(function))
    return with_arrays(with_loop_names(without_repetitions(with_one_counter(function))))


def _tidy(function: Function, assigned: frozenset[str]) -> None:
    later = with_later_operations(simplified(with_separate_conditions(with_used_results(function)), assigned))
    folded(with_inferred_shapes(later))
    without_unused_reads(function)


class _Code(NamedTuple):
    """The code of a model: the classes of its blocks, its attributes, and the inputs and statements of its call."""

    parts: Structured
    store: Attributes
    names: Sequence[str]
    body: Sequence[Line]
    calls: Calls


def _code(function: Function, writer: ClassWriter, is_structured: bool) -> _Code:
    parts = structured(function, writer) if is_structured else Structured(function)
    store, names, body = writer.write(parts.function, parts.blocks)
    lines = [line for part in parts.classes for line in _layer_class(part)]
    calls = calls_in([*lines, *store.made, "def call():", *indented(body)])
    return _Code(parts, store, names, body, calls)


def _fits_keras(function: Function) -> bool:
    """Returns True if Keras has variables for those of the graph: it has none of open shapes, of text or quantized."""
    specs = [node.outputs[0] for node in all_nodes(function) if node.op == Kind.VARIABLE]
    return all(
        spec.shape is not None and None not in spec.shape and spec.dtype != tf.string and not spec.dtype.is_quantized
        for spec in specs
    )


def _class(code: _Code, parameters: Sequence[Node], outputs: Mapping[str, Spec], runs_everywhere: bool) -> list[str]:
    """Returns the lines of the class `Model`.

    Args:
        code: Its code.
        parameters: Its inputs.
        outputs: The name of each result -> its type and shape.
        runs_everywhere: It is written without TensorFlow.
    """
    store = code.store
    functions = "python_functions" if store.contents.python_functions else ""
    also = f", {functions}" if functions else ""
    start = ["super().__init__(autocast=False)" if store.in_keras else "super().__init__()", *store.made]
    if functions:
        start.append("self.python_functions = python_functions")
    spec_text = _keras_spec_text if runs_everywhere else _spec_text
    return [
        f"class Model({'keras.Model' if store.in_keras else 'tf.Module'}):",
        f"    legacy_inputs = {specs_text(parameters, text=spec_text)}",
        f"    legacy_outputs = {literal(list(outputs))}",
        "",
        f"    def __init__(self{also}):",
        *indented(start, 2),
        "",
        "    @classmethod",
        f"    def load(cls{also}):",
        f"        model = cls({functions})",
        "        weights.fill(model)",
        "        return model",
        "",
        "    @classmethod",
        f"    def from_checkpoint(cls, checkpoint{also}):",
        f"        model = cls.load({functions})",
        "        weights.restore(model, checkpoint)",
        "        return model",
        "",
        *([] if runs_everywhere else ["    @tf.function(autograph=False)"]),
        Line(
            f"    def {'call' if store.in_keras else '__call__'}(self{''.join(f', {name}' for name in code.names)}):",
            [parameter.name for parameter in parameters],
        ),
        *docstring_lines(_results_text(outputs), 2),
        *indented(code.body, 2),
    ]


def _layer_class(part: Class) -> list[str]:
    """Returns the lines of the class of a block, with two empty ones after them."""
    arguments = [name if default is None else f"{name}={default}" for name, default in part.signature.items()]
    nodes = dict.fromkeys(node for line in (*part.made, *part.lines) for node in line.nodes)
    return [
        Line(f"class {part.name}(keras.layers.Layer):", nodes),
        *docstring_lines(_scopes_text(part.scopes), 1),
        "",
        f"    def __init__({', '.join(['self', *arguments])}):",
        f"{INDENT * 2}super().__init__(autocast=False)",
        *indented(part.made, 2),
        "",
        f"    def call({', '.join(['self', *part.inputs])}):",
        *indented(part.lines, 2),
        "",
        "",
    ]


def _scopes_text(scopes: Sequence[str]) -> str:
    """Returns what stands in the docstring of the class of a block."""
    others = len(scopes) - 1
    more = f" and {others} other scope{'s' if others > 1 else ''}" if others else ""
    return f"{scopes[0]}{more} of the old graph."


def _results_text(outputs: Mapping[str, Spec]) -> str:
    """Returns what stands in the docstring of the call of a model."""
    texts = [
        f"{name} {'of unknown rank' if spec.shape is None else list(spec.shape)}" for name, spec in outputs.items()
    ]
    return f"Returns {'a list: ' if len(texts) > 1 else ''}{', '.join(texts)}."


def specs_text(
    parameters: Sequence[Node],
    names: Sequence[str] | None = None,
    text: Callable[[Node], str] | None = None,
) -> str:
    """Returns the expression of a dictionary: the name of each parameter -> its type and shape.

    Args:
        parameters: The parameters.
        names: Those that are wanted, in this order; None for all.
        text: Returns the expression of a type and shape; None for a `tf.TensorSpec`.
    """
    texts = {parameter.name: (text or _spec_text)(parameter) for parameter in parameters}
    return f"{{{', '.join(f'{name!r}: {texts[name]}' for name in (texts if names is None else names))}}}"


def _keras_spec_text(parameter: Node) -> str:
    spec = parameter.outputs[0]
    if spec.shape is None:
        return f"keras.InputSpec({spec.dtype.name!r})"
    dtype = "" if spec.dtype == tf.float32 else f", {spec.dtype.name!r}"
    return f"keras.KerasTensor({literal(spec.shape)}{dtype})"


def _spec_text(parameter: Node) -> str:
    return spec_text(parameter.outputs[0])


def spec_text(spec: Spec) -> str:
    """Returns the expression of a `tf.TensorSpec`."""
    shape = literal(None if spec.shape is None else list(spec.shape))
    return f"tf.TensorSpec({shape}{'' if spec.dtype == tf.float32 else f', {literal(spec.dtype)}'})"
