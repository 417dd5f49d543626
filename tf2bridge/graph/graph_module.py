"""`GraphModule`: a TF 1.x graph that can be called eagerly, with `tf.Variable`s named exactly as in TF 1.x."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from types import MappingProxyType
from typing import Any

import tensorflow as tf

from tf2bridge.behaviour.old_ops.adadelta_nodes import in_old_order
from tf2bridge.errors import BridgeError
from tf2bridge.formats.graphs.failures import explained
from tf2bridge.formats.graphs.interface import PLACEHOLDERS, Interface, resolve
from tf2bridge.formats.graphs.legacy import LegacyGraph
from tf2bridge.formats.graphs.nodes import lookup
from tf2bridge.graph import export, variable_values
from tf2bridge.graph.collection_names import collected
from tf2bridge.graph.endpoint_spec import spec_of
from tf2bridge.graph.graph_function import CallForm, GraphFunction
from tf2bridge.graph.importer import concrete_function, replicated
from tf2bridge.graph.legacy_session import legacy_session
from tf2bridge.graph.op_checks import check
from tf2bridge.graph.passes.element_shapes import with_element_shapes
from tf2bridge.graph.passes.prune import placeholder
from tf2bridge.graph.prepare import prepared
from tf2bridge.graph.python_functions import PythonFunctions
from tf2bridge.graph.refusals import NoValueError, UnfedPlaceholderError
from tf2bridge.graph.tables.live_tables import LookupTables
from tf2bridge.graph.trial_import import part_for, verdict_on


class GraphModule(tf.Module):  # type: ignore[misc]  # TensorFlow is untyped
    """A TF 1.x graph with live variables: `m(x)`, differentiable with respect to `m.trainable_variables`.

    A call computes what `session.run` of the outputs would, and runs no other op of the graph. Two modules of the same
    graph share nothing.

    Attributes:
        graph: the graph as it was read.
        ends: the inputs and outputs of the graph.
        call: the function from the inputs to the outputs.
        tables: the lookup tables.
    """

    def __init__(
        self,
        graph: LegacyGraph,
        variables: Mapping[str, tf.Variable],
        ends: Interface,
        structure: Any = None,
        allow_ops: Collection[str] = (),
        name: str = "graph_module",
        exact: bool = False,
        tables: LookupTables | None = None,
        python: PythonFunctions | None = None,
    ) -> None:
        super().__init__(name=name)
        self.graph = graph
        self._nodes = lookup(graph.graph_def.node)
        self._live = dict(variables)
        self.ends = ends
        self._structure = structure
        self._allow_ops = tuple(allow_ops)
        self._exact = exact
        self.tables = LookupTables(graph, allow_ops=allow_ops) if tables is None else tables
        self._python = python
        self._functions: dict[Any, GraphFunction] = {}
        self.call = self._function(ends.inputs, list(ends.outputs.values()))

    @property
    def _graph_def(self) -> Any:
        """The graph as it runs. A wrapped class adds to its graph later."""
        return in_old_order(self.graph.graph_def, self.graph.release)

    @property
    def inputs(self) -> dict[str, tf.TensorSpec]:
        """The inputs by name, in the order of a call."""
        return dict(self.call.inputs)

    @property
    def outputs(self) -> dict[str, tf.TensorSpec]:
        """The outputs by name: that of the signature, the key of a dict that build_fn returned, or the op's name."""
        shapes = self.call.concrete.function_type.flat_outputs  # a gradient adds further `outputs`
        return {
            name: tf.TensorSpec(tensor.shape, tensor.dtype, name)
            for name, tensor in zip(self.ends.outputs, shapes, strict=True)
        }

    @property
    def collections(self) -> dict[str, tuple[str, ...]]:
        """The graph's collections: collection -> names of its members, which `function` fetches.

        TF 1.x fills, for example, "losses", "regularization_losses", "update_ops" and "trainable_variables".
        """
        return collected(self.graph)

    @property
    def variables(self) -> tuple[tf.Variable, ...]:
        """Every variable of the graph, local ones too, in creation order."""
        return tuple(self._live.values())

    @property
    def trainable_variables(self) -> tuple[tf.Variable, ...]:
        """The variables of the collection "trainable_variables", in creation order."""
        return tuple(variable for variable in self._live.values() if variable.trainable)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Returns a tensor for one output, a dict for several, or the structure that build_fn returned.

        Raises InputMismatchError for missing or unknown inputs.
        """
        by_name = len(args) == 1 and isinstance(args[0], Mapping) and not kwargs
        results = self.call(**args[0]) if by_name else self.call(*args, **kwargs)
        if self._structure is not None:
            return self._packed(results)
        return results[0] if len(results) == 1 else dict(zip(self.ends.outputs, results, strict=True))

    def _packed(self, results: Sequence[Any]) -> Any:
        """Returns the tensors in the structure that build_fn returned, with None for operations."""
        tensors = iter(results)
        flat = tf.nest.flatten(self._structure, expand_composites=True)
        filled = [None if leaf is None else next(tensors) for leaf in flat]
        return tf.nest.pack_sequence_as(self._structure, filled, expand_composites=True)

    def function(self, feeds: Sequence[str] = (), fetches: Sequence[str] = ()) -> GraphFunction:
        """Returns the function from any tensors of the graph to any tensors and operations.

        Args:
            feeds: the names of the inputs. A name is that of an input or output, of a tensor ("x:0") or operation
                ("train"), a pattern ("*/logits") or the end of a name ("logits").
            fetches: the names of the results.

        Raises UnknownNameError, UnfedPlaceholderError, UnsupportedOpsError.
        """
        names = {name: self._resolved(name, self.ends.inputs) for name in feeds}
        return self._function(names, [self._resolved(name, self.ends.outputs) for name in fetches])

    def session(self) -> AbstractContextManager[Any]:
        """Opens a `tf.compat.v1` session of the graph: `with m.session() as sess: sess.run("y:0", {"x:0": x})`.

        The session starts with the values of the live variables; at the end they get the session's values. The session
        lacks operations that touch files, processes or Python and are not permitted, and all that depends on these: use
        `restore` and `save` in place of the graph's Saver.
        """
        return legacy_session(self._graph_def, self._live, self._allow_ops, self.tables, self._python, self._exact)

    def restore(self, checkpoint: str | Path) -> None:
        """Gives every variable its value from a checkpoint of the graph's own Saver. Raises MissingValuesError."""
        values_by_name = variable_values.from_checkpoint(self.graph, checkpoint)
        for name, variable in self._live.items():
            variable.assign(values_by_name[name])
        self.tables.restore(checkpoint)

    def save(self, prefix: str | Path) -> None:
        """Writes a checkpoint as the graph's own Saver would: `restore` and TF 1.x read it."""
        export.save(self.graph, self._live, self.tables.mutable(), prefix)

    def export(
        self,
        path: str | Path,
        format: str = "saved_model",  # noqa: A002  # the public name
        shapes: Mapping[str, Sequence[int | None]] | None = None,
    ) -> None:
        """Writes the function from the inputs to the outputs to a file or directory.

        Args:
            path: the destination.
            format: "saved_model", a TF 2 directory with the signature "serving_default"; "frozen", a GraphDef with the
                legacy names; or "tflite".
            shapes: name of an input -> its shape in a TFLite file, for sizes that the graph leaves open. TFLite runs
                loops over time only if their sizes are known.

        Raises:
            ValueError: the format is unknown.
            InputMismatchError: a shape does not fit its input.
        """
        export.export(self, path, format, shapes or {})

    def as_keras_layer(
        self,
        *,
        name: str | None = None,
        trainable: bool = True,
        dtype: Any = None,
        autocast: bool = True,
        activity_regularizer: Any = None,
    ) -> Any:
        """Returns a Keras 3 layer of this module, whose weights are the module's variables.

        Args:
            name: The name of the layer.
            trainable: Whether the variables train.
            dtype: The dtype or the dtype policy of the layer.
            autocast: Whether Keras casts inputs to this dtype.
            activity_regularizer: The regularizer of the layer's output.
        """
        from tf2bridge.graph.keras_layer import GraphLayer

        return GraphLayer(
            self,
            name=name,
            trainable=trainable,
            dtype=dtype,
            autocast=autocast,
            activity_regularizer=activity_regularizer,
        )

    def describe(self) -> dict[str, Any]:
        """Returns a description of the graph in plain values, which `tf2bridge inspect` prints."""
        from tf2bridge.formats.graphs.described import described

        return described(self.graph, self.ends)

    def __rich__(self) -> Any:
        from tf2bridge.formats.graphs.described_text import rich_text

        return rich_text(self.describe())

    def __repr__(self) -> str:
        ends = [", ".join(map(_spec_text, specs.items())) or "nothing" for specs in (self.inputs, self.outputs)]
        count = f"{len(self.variables)} variables, {len(self.trainable_variables)} of them trainable"
        return f"<GraphModule {self.name}: {ends[0]} -> {ends[1]}; {count}>"

    def _resolved(self, name: str, first: Mapping[str, str]) -> str:
        return first.get(name) or self.ends.names.get(name) or resolve(self._nodes, name, self.ends.names)

    def _function(self, feeds: Mapping[str, str], fetches: Sequence[str]) -> GraphFunction:
        key = tuple(feeds.items()), tuple(fetches)
        if key not in self._functions:
            self._functions[key] = self._made(feeds, fetches, CallForm(self.tables))
        return self._functions[key]

    def placeholders(self, feeds: Mapping[str, str]) -> dict[str, Any]:
        """Returns endpoint -> the `Placeholder` that replaces it, for `feeds`, name -> endpoint."""
        return {source: self._placeholder(source, self._spec(source)) for source in feeds.values()}

    def with_graph(
        self, graph: LegacyGraph, ends: Interface, further: Mapping[str, tf.Variable] = MappingProxyType({})
    ) -> GraphModule:
        """Returns a module of another graph with the same variables, tables and Python functions.

        Args:
            graph: the graph.
            ends: its inputs and outputs.
            further: name -> variable, for those that this module lacks.
        """
        live = {**self._live, **further}
        return GraphModule(graph, live, ends, None, self._allow_ops, self.name, self._exact, self.tables, self._python)

    def call_with(self, form: CallForm) -> GraphFunction:
        """Makes a new `call` in another form."""
        return self._made(self.ends.inputs, list(self.ends.outputs.values()), form)

    def _made(self, feeds: Mapping[str, str], fetches: Sequence[str], form: CallForm) -> GraphFunction:
        try:
            return self._prepared(feeds, fetches, form)
        except BridgeError:
            raise
        except Exception as error:
            path = self.graph.path if self.graph.path.name else "the wrapped graph"
            part = part_for(self.graph.graph_def, fetches)
            raise explained(error, path, part, verdict_on(part)) from error

    def _prepared(self, feeds: Mapping[str, str], fetches: Sequence[str], form: CallForm) -> GraphFunction:
        known = {source: form.specs.get(name) or self._spec(source) for name, source in feeds.items()}
        specs = {name: known[source] for name, source in feeds.items()}
        placeholders = {source: self._placeholder(source, spec) for source, spec in known.items()}
        part = prepared(self._graph_def, placeholders, fetches, self._python, form.expansions, self._allow_ops)
        if form.specs:
            with_element_shapes(part.graph_def)
        check(part.graph_def, self._allow_ops, self._python)
        self._check_given(part.graph_def, {node.name for node in placeholders.values()})
        ends = {f"{placeholders[source].name}:0": specs[name] for name, source in feeds.items()}
        copied = list(replicated(part.graph_def, self._live).values())
        concrete = concrete_function(part, ends, self._live, form.tables)
        return GraphFunction(concrete, specs, fetches, self._exact, (form.tables, self._python), copied)

    def _spec(self, source: str) -> tf.TensorSpec:
        return spec_of(self.graph.graph_def, self._nodes, source)

    def _placeholder(self, source: str, spec: tf.TensorSpec) -> Any:
        name, _, port = source.rpartition(":")
        own = self._nodes[name].op in PLACEHOLDERS
        return placeholder(name if own else f"{name}/fed_{port}", spec.dtype.as_datatype_enum, spec.shape.as_proto())

    def _check_given(self, graph_def: Any, fed: set[str]) -> None:
        given = {"VarHandleOp": self._live.keys(), **dict.fromkeys(PLACEHOLDERS[:2], fed)}
        missing = [node for node in graph_def.node if node.op in given and node.name not in given[node.op]]
        if unfed := [node.name for node in missing if node.op != "VarHandleOp"]:
            raise UnfedPlaceholderError(_spec_text((name, self._spec(f"{name}:0"))) for name in unfed)
        if missing:
            raise NoValueError(self.graph.path, [node.name for node in missing])


def _spec_text(named: tuple[str, tf.TensorSpec]) -> str:
    name, spec = named
    return f"{name} {spec.dtype.name} {spec.shape}"
