"""The static shapes of a recorded graph, as this TensorFlow infers them."""

from __future__ import annotations

from tf2bridge.proof.replaying.playing import Recorded
from tf2bridge.proof.traces.reader import Trace


def inferred_shapes(trace: Trace, number: int) -> dict[str, list[list[int | None] | None]]:
    """Returns op -> the shape of each output, with None for an unknown size or rank; nothing in the graph is run.

    Ops that this TensorFlow lacks, or that touch files, processes or Python, are left out with all that depends on
    them.
    """
    import tensorflow as tf

    graph = tf.Graph()
    with graph.as_default():
        tf.graph_util.import_graph_def(Recorded(trace, number).part, name="")
    return {op.name: [_sizes(output.shape) for output in op.outputs] for op in graph.get_operations()}


def _sizes(shape: object) -> list[int | None] | None:
    return None if shape.rank is None else shape.as_list()  # type: ignore[attr-defined]
