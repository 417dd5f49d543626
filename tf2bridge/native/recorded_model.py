"""The recorded graph of a program as a package: one function for each set of feeds and fetches."""

from __future__ import annotations

import ast
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from codemods.native.recorded_models import Form, ModelFunction, ModelWanted, ModelWriter
from codemods.native.refusals import NotNativeError
from tf2bridge.decompile.ir import Function, Node, Spec
from tf2bridge.decompile.ir import Kind as IrKind
from tf2bridge.decompile.lines import docstring
from tf2bridge.decompile.methods import Method, with_methods
from tf2bridge.decompile.of_module import function_of_module
from tf2bridge.decompile.package import write_contents
from tf2bridge.errors import BridgeError
from tf2bridge.formats.graphs.interface import Interface
from tf2bridge.formats.graphs.legacy import LegacyGraph
from tf2bridge.formats.graphs.nodes import variable_nodes
from tf2bridge.formats.kinds import Kind
from tf2bridge.graph.graph_module import GraphModule
from tf2bridge.internals.protos import graph_pb2
from tf2bridge.native.refusals import PythonInGraphError
from tf2bridge.native.wanted import drawn_variables
from tf2bridge.proof.traces.reader import Trace

_ENTRY = '''{about}

from .model import Model

__all__ = ["Model", "load"]


def load():
    """Returns the model with the first values of the recorded run."""
    return Model.load()
'''


def writer_of(trace: Trace) -> ModelWriter:
    """Returns what writes the models of a trace, for the rewriter, which refuses a program without one."""

    def write(wanted: ModelWanted) -> dict[str, bytes]:
        try:
            return package_files(trace, wanted)
        except BridgeError as error:
            raise NotNativeError(ast.Pass(lineno=1, col_offset=0), "NAT001", str(error)) from error

    return write


def package_files(trace: Trace, wanted: ModelWanted) -> dict[str, bytes]:
    """Returns the files of a package with a model: name -> content.

    Args:
        trace: The recording of the program.
        wanted: The model.

    Raises:
        BridgeError: The graph has operations that cannot be written, or that may not run.
    """
    module = _module(trace, wanted)
    values = {variable.name.rpartition(":")[0]: variable.numpy() for variable in module.variables}
    methods = [_method(module, function) for function in wanted.functions]
    about = f"The graph that {wanted.program} built when it was recorded, as TensorFlow 2 code."
    saved = [_variable(variable) for variable in module.variables if variable.name.rpartition(":")[0] in wanted.saved]
    written = with_methods(methods, values, about, saved)
    ast.parse(written.source)
    if written.contents.python_functions:
        raise PythonInGraphError(trace.path, written.contents.python_functions)
    with tempfile.TemporaryDirectory() as parent:
        folder = Path(parent)
        write_contents(folder, written.contents)
        files = {path.name: path.read_bytes() for path in sorted(folder.iterdir())}
    files["__init__.py"] = _ENTRY.format(about=docstring(about)).encode()
    files["model.py"] = written.source.encode()
    return files


def _module(trace: Trace, wanted: ModelWanted) -> GraphModule:
    """Returns the recorded graph as a live module, whose variables have their first values.

    A trace has no values of local variables, such as those of metrics. Their initializers give them, if these draw
    nothing.
    """
    import tensorflow as tf

    from tf2bridge.graph.variable_values import from_initializers

    graph_def = graph_pb2.GraphDef.FromString(trace.graph_def(wanted.graph))
    graph = LegacyGraph(trace.path, Kind.GRAPH, graph_def, release=trace.release)
    variables = {
        record.name: tf.Variable(trace.value(record.initial), record.trainable, name=record.name, dtype=record.dtype)
        for record in trace.graphs[wanted.graph].variables
        if record.initial is not None
    }
    drawn = drawn_variables(trace, wanted.graph)
    others = [name for name in variable_nodes(graph_def) if name not in variables and name not in drawn]
    for name, value in from_initializers(graph_def, others).items() if others else ():
        variables[name] = tf.Variable(value, False, name=name)
    return GraphModule(graph, variables, Interface({}, {}, "as recorded"))


def _method(module: GraphModule, function: ModelFunction) -> Method:
    ends = {name: name for name in (*function.fetches, *function.operations)}
    part = module.with_graph(module.graph, Interface(dict(function.feeds), ends, "as recorded"))
    result = "" if function.result is None else _text(function.result, list(dict.fromkeys(function.fetches)))
    return Method(function.name, function_of_module(part), _about(function), result)


def _text(form: Form, fetches: Sequence[str]) -> str:
    """Returns the form of a result as an expression, with `{0}` for the first tensor."""
    if isinstance(form, (list, tuple)):
        parts = ", ".join(_text(part, fetches) for part in form)
        return f"[{parts}]" if isinstance(form, list) else f"({parts}{',' if len(form) == 1 else ''})"
    return "None" if form is None else f"{{{fetches.index(form)}}}"


def _variable(variable: Any) -> Node:
    """Returns a variable as a node."""
    name = variable.name.rpartition(":")[0]
    spec = Spec(variable.dtype, tuple(variable.shape.as_list()))
    return Node(name, IrKind.VARIABLE, [], {"variable": name, "trainable": variable.trainable}, [spec], Function())


def _about(function: ModelFunction) -> str:
    does = []
    if function.operations:
        does.append(f"Runs {', '.join(function.operations)}")
    if function.fetches:
        does.append(f"{'returns' if does else 'Returns'} {', '.join(function.fetches)}")
    return f"{' and '.join(does) or 'Does nothing'}."
