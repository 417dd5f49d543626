"""`export`: a file of TensorFlow 1.x written anew, from a program in graph mode too."""

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
    """Writes the graph in `source`, with its variables, to `output`: what `freeze_graph` did, and `tf2bridge export`.

    The arguments are those of `tf2bridge.load` and of `GraphModule.export`; format is "frozen", "saved_model" or
    "tflite". sha256: writes OUTPUT.sha256 too, which is checked whenever the output is read. Works in programs without
    eager execution as well, beside their own graph and sessions. Raises what these two raise.
    """
    from tf2bridge.behaviour.installed import tensorflow
    from tf2bridge.internals.eager import context

    tensorflow()
    with context.eager_mode():
        module = load(source, outputs, inputs, checkpoint, allow_ops, tags, assets=assets, signature=signature)
        module.export(output, format, shapes)
    sidecars.renew(Path(output), sha256)
