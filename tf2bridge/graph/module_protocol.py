"""What exporters and Keras layers ask of a live graph, so that they need not know the module that calls them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

import tensorflow as tf

from tf2bridge.formats.graphs.interface import Interface
from tf2bridge.formats.graphs.legacy import LegacyGraph
from tf2bridge.graph.graph_function import CallForm, GraphFunction


class LiveModule(Protocol):
    """A graph with live variables that can be called, as `GraphModule` is one."""

    @property
    def graph(self) -> LegacyGraph:
        """The graph as it was read."""

    @property
    def ends(self) -> Interface:
        """Its inputs and outputs, name -> endpoint."""

    @property
    def call(self) -> GraphFunction:
        """The function between them."""

    @property
    def tables(self) -> Any:
        """Its lookup tables."""

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
        """Returns endpoint -> the `Placeholder` that takes its place when `feeds`, name -> endpoint, are given."""

    def call_with(self, form: CallForm) -> GraphFunction:
        """Returns `call` made anew, in another form."""
