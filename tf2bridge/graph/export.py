"""Writes a live module: as a SavedModel, frozen GraphDef or TFLite file, and as a checkpoint with legacy names."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import tensorflow as tf

from tf2bridge.formats.graphs.audit import with_functions
from tf2bridge.formats.graphs.nodes import by_name, node_of
from tf2bridge.graph import saver_computations, variable_values
from tf2bridge.graph.frozen_call import frozen_call, hands_variables_on
from tf2bridge.graph.graph_function import CallForm, GraphFunction
from tf2bridge.graph.module_protocol import LiveModule
from tf2bridge.graph.passes.constant_variables import with_calls_of_variables_inlined, with_constants
from tf2bridge.graph.passes.frozen_tables import with_filled_tables
from tf2bridge.graph.passes.prune import pruned
from tf2bridge.graph.passes.python_tokens import PYTHON
from tf2bridge.graph.passes.tflite_forms import TFLITE_FORMS
from tf2bridge.graph.refusals import InputMismatchError, NotExportableError
from tf2bridge.graph.tables.constant_tables import ConstantTables

if TYPE_CHECKING:
    from tf2bridge.formats.graphs.legacy import LegacyGraph

_NO_GRADIENT = "functions with gradients of their own (Defun's grad_func) lost them in the SavedModel"
FORMATS = ("saved_model", "frozen", "tflite")


def export(module: LiveModule, path: str | Path, form: str, shapes: Mapping[str, Sequence[int | None]]) -> None:
    """Writes the module's call to a file or directory.

    Args:
        module: the module to write.
        path: the destination.
        form: one of `FORMATS`.
        shapes: name of an input -> its shape in a TFLite file.

    Raises:
        ValueError: the format is unknown, or takes no shapes.
        NotExportableError: a file cannot hold what the module computes with, such as Python functions.
        InputMismatchError: a shape does not fit its input.
    """
    if form not in FORMATS:
        raise ValueError(f"format must be one of {', '.join(FORMATS)}, not {form!r}")
    if shapes and form != "tflite":
        raise ValueError(f"shapes are for the format tflite, not {form}: a {form} takes any that the graph takes")
    _check_portable(module)
    if form == "saved_model":
        _write(module, module.call, module.tables, Path(path))
    elif form == "frozen":
        _frozen(module, Path(path))
    else:
        _tflite(module, Path(path), _specs(module.inputs, shapes))


def save(
    graph: LegacyGraph,
    live: Mapping[str, tf.Variable],
    tables: Mapping[str, tuple[Any, str, str]],
    prefix: str | Path,
) -> None:
    """Writes a V2 checkpoint that the graph's own Saver restores: it has the Saver's names and slices.

    Args:
        graph: the graph.
        live: variable node name -> variable.
        tables: node name -> (table, name of its keys, name of its values), for tables that the Saver restores.
        prefix: the path of the checkpoint.
    """
    names_in_checkpoint = variable_values.saved_as(graph)
    names = [names_in_checkpoint[name] for name in live]
    tensors = [variable.read_value() for variable in live.values()]
    for table, *parts in tables.values():
        names += [(part, "") for part in parts]
        tensors += table.export()
    others = saver_computations.saved(graph.graph_def, {name: variable.read_value() for name, variable in live.items()})
    names += [(key, "") for key in others]
    tensors += others.values()
    Path(prefix).parent.mkdir(parents=True, exist_ok=True)
    tf.raw_ops.SaveV2(
        prefix=str(prefix),
        tensor_names=[key for key, _ in names],
        shape_and_slices=[spec for _, spec in names],
        tensors=tensors,
    )


def _check_portable(module: LiveModule) -> None:
    graph_def = module.call.concrete.graph.as_graph_def()
    calls = [node for node in with_functions(graph_def.node, graph_def.library) if node.op in PYTHON]
    if calls:
        reason = "calls Python: where the file is loaded, its token is another function's"
        raise NotExportableError(f"{node.name} ({node.op}) {reason}" for node in calls)


def _write(module: LiveModule, call: GraphFunction, tables: Any, path: Path) -> None:
    """Writes a TF 2 SavedModel. Its signature has the names of the module's inputs and outputs; its variables train."""
    names = list(module.outputs)
    exported = tf.Module()
    exported.variables_of_graph = list(module.variables)
    exported.tables_of_graph = tables

    own_gradients = bool(module.graph.graph_def.library.gradient)

    def serve(*inputs: tf.Tensor) -> dict[str, tf.Tensor]:
        results = call(*inputs)
        if own_gradients:  # a SavedModel loses them, and the gradients of the functions' bodies would be wrong
            results = [tf.raw_ops.PreventGradient(input=tensor, message=_NO_GRADIENT) for tensor in results]
        return dict(zip(names, results, strict=True))

    specs = [tf.TensorSpec(spec.shape, spec.dtype, _argument(name)) for name, spec in call.inputs.items()]
    exported.serve = tf.function(serve, input_signature=specs, autograph=False)
    options = tf.saved_model.SaveOptions(experimental_custom_gradients=not own_gradients)
    tf.saved_model.save(exported, str(path), signatures={"serving_default": exported.serve}, options=options)


def _argument(name: str) -> str:
    return re.sub(r"\W", "_", node_of(name))


def _frozen(module: LiveModule, path: Path) -> None:
    """Writes a GraphDef with the legacy names, constants in place of variables, and the defaults of inputs."""
    graph_def = module.graph.graph_def
    nodes = by_name(graph_def.node)
    inputs = module.ends.inputs.items()
    fed = {name: source for name, source in inputs if nodes[node_of(source)].op != "PlaceholderWithDefault"}
    outputs = list(module.ends.outputs.values())
    part = pruned(nodes, module.placeholders(fed), outputs)
    part = with_calls_of_variables_inlined(part, outputs, graph_def.library)
    if hands_variables_on(part) and not module.tables.live:
        path.write_bytes(frozen_call(module).SerializeToString())
        return
    values = {node_of(variable.name): variable.numpy() for variable in module.variables}
    frozen = type(graph_def)(versions=graph_def.versions, library=graph_def.library)
    frozen.node.extend(with_filled_tables(with_constants(part, values), module.tables.content).values())
    path.write_bytes(frozen.SerializeToString())


def _specs(inputs: Mapping[str, tf.TensorSpec], shapes: Mapping[str, Sequence[int | None]]) -> dict[str, tf.TensorSpec]:
    """Returns the specs of the inputs whose shapes were given."""
    for name, shape in shapes.items():
        if name not in inputs or not inputs[name].shape.is_compatible_with(shape):
            raise InputMismatchError(inputs, f"{name} has no shape {list(shape)}")
    return {name: tf.TensorSpec(shape, inputs[name].dtype) for name, shape in shapes.items()}


def _tflite(module: LiveModule, path: Path, specs: Mapping[str, tf.TensorSpec]) -> None:
    tables = ConstantTables(module.tables) if module.tables.live else module.tables
    call = module.call_with(CallForm(tables, specs, TFLITE_FORMS))
    # Convert from a SavedModel: only then are tables filled, and the functions of loops known to a second conversion in
    # the same process.
    with tempfile.TemporaryDirectory() as folder:
        _write(module, call, tables, Path(folder))
        _convert(tf.lite.TFLiteConverter.from_saved_model(folder), path)


def _convert(converter: Any, path: Path) -> None:
    converter.target_spec.supported_ops = [tf.lite.OpsSet.TFLITE_BUILTINS, tf.lite.OpsSet.SELECT_TF_OPS]
    path.write_bytes(converter.convert())
