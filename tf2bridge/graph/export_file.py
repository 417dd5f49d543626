"""`export`: convert a graph file of TensorFlow 1.x to another format. It also works in graph mode."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from tf2bridge.formats import sidecars
from tf2bridge.graph.load import BESIDE, load


def export(
    source: str | Path,
    output: str | Path,
    outputs: Sequence[str] | None = None,
    *,
    inputs: Sequence[str] | None = None,
    checkpoint: str | Path | None = BESIDE,
    format: str = "frozen",  # noqa: A002  # the public name
    allow_ops: Collection[str] = (),
    tags: Collection[str] | None = None,
    signature: str | None = None,
    assets: Mapping[str, str | Path] | None = None,
    shapes: Mapping[str, Sequence[int | None]] = MappingProxyType({}),
    sha256: bool = False,
) -> None:
    """Writes the graph in `source`, with its variables, to `output`, as `freeze_graph` and `tf2bridge export` do.

    It works in programs without eager execution too, and leaves their graph and sessions alone.

    Args:
        source: the file or directory to load.
        output: the destination.
        outputs: as in `tf2bridge.load`, like the arguments that follow.
        inputs: see `tf2bridge.load`.
        checkpoint: see `tf2bridge.load`.
        format: "frozen", "saved_model" or "tflite".
        allow_ops: see `tf2bridge.load`.
        tags: see `tf2bridge.load`.
        signature: see `tf2bridge.load`.
        assets: see `tf2bridge.load`.
        shapes: name of an input -> its shape in a TFLite file.
        sha256: whether to write OUTPUT.sha256 too, which is checked whenever the output is read.

    Raises what `tf2bridge.load` and `GraphModule.export` raise.
    """
    from tf2bridge.behaviour.installed import tensorflow
    from tf2bridge.internals.eager import context

    tensorflow()
    with context.eager_mode():
        module = load(source, outputs, inputs, checkpoint, allow_ops, tags, assets=assets, signature=signature)
        module.export(output, format, shapes)
    sidecars.renew(Path(output), sha256)
