"""The protocol of a live graph module, for exporters and Keras layers: they need not import `GraphModule`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

import tensorflow as tf

from tf2bridge.formats.graphs.interface import Interface
from tf2bridge.formats.graphs.legacy import LegacyGraph
from tf2bridge.graph.graph_function import CallForm, GraphFunction


class LiveModule(Protocol):
    """A callable graph with live variables, such as `GraphModule`."""

    @property
    def graph(self) -> LegacyGraph:
        """The graph as it was read."""

    @property
    def ends(self) -> Interface:
        """The inputs and outputs, name -> endpoint."""

    @property
    def call(self) -> GraphFunction:
        """The function from the inputs to the outputs."""

    @property
    def tables(self) -> Any:
        """The lookup tables of the graph."""

    @property
    def inputs(self) -> dict[str, tf.TensorSpec]:
        """The inputs by name, in the order of a call."""

    @property
    def outputs(self) -> dict[str, tf.TensorSpec]:
        """The outputs by name."""

    @property
    def variables(self) -> tuple[tf.Variable, ...]:
        """Every variable of the graph, in creation order."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Returns the outputs."""

    def placeholders(self, feeds: Mapping[str, str]) -> dict[str, Any]:
        """Returns endpoint -> the `Placeholder` that replaces it, for `feeds`, name -> endpoint."""

    def call_with(self, form: CallForm) -> GraphFunction:
        """Makes a new `call` in another form."""
