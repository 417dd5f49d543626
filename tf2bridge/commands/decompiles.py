"""decompile: a graph as a package of source code."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import click

from tf2bridge.commands.graphs import module_of, module_options
from tf2bridge.commands.output import EQUAL, output_format, print_json, print_lines

_MOST_REASONS = 6


@click.command()
@click.argument("source")
@click.option("--output", "-o", required=True, type=click.Path(path_type=Path), help="The directory of the package.")
@module_options
@click.option(
    "--level",
    type=click.Choice(["structure", "layers", "functions", "ops"]),
    default="structure",
    show_default=True,
    help="Classes of layers; layers in one class; public functions alone; or one call of tf.raw_ops for an operation.",
)
@click.option(
    "--ops",
    type=click.Choice(["tf", "keras"]),
    default="tf",
    show_default=True,
    help="Functions of TensorFlow; or keras.ops where it has them, for JAX and PyTorch too. A model that needs no "
    "TensorFlow is compared on those of the two that are installed.",
)
@click.option(
    "--examples",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="Compare on the arrays of this .npz file, by the names of inputs.  [default: made-up numbers]",
)
@click.option(
    "--worst",
    type=click.FloatRange(min=0),
    default=2.0,
    show_default=True,
    help="How many seconds to search for the inputs on which the package differs most from the graph; 0 for none.",
)
@click.option("--train", is_flag=True, help="Write train.py, too: the training step of the graph's train op.")
@click.option("--train-op", help="The operation that trains, if the graph has several.  [default: the only one]")
@click.option(
    "--idiomatic",
    is_flag=True,
    help="With --train: an optimizer and a loss of Keras, for compile and fit, where there are any. Says what differs "
    "from the graph, and by how much.",
)
@output_format
def decompile(
    source: str,
    output: Path,
    level: str,
    ops: str,
    examples: Path | None,
    worst: float,
    train: bool,
    train_op: str | None,
    idiomatic: bool,
    output_format: str,
    **options: Any,
) -> int:
    """Write the graph in SOURCE as a package of TensorFlow 2 source, with its weights and a test.

    SOURCE is a frozen graph, a .meta, a checkpoint with its .meta, a SavedModel or a hub directory, or
    package.module:function, which is called and returns what tf2bridge.load or tf2bridge.wrap gave it. The package has
    model.py, the weights, their old names, and a test that holds it against the old graph. It is written only if it
    computes what the graph computes.

    With --train the model also gives the loss, and the class Trainer of train.py takes a step of training: gradients,
    clipping, learning rate and optimizer as the graph has them. Variables and slots are compared after three steps.
    """
    from tf2bridge.decompile.destinations import check_destination
    from tf2bridge.decompile.gate import started_early
    from tf2bridge.formats.checkpoints.opening import open as open_checkpoint
    from tf2bridge.proof.replaying.process import require_tensorflow

    require_tensorflow("decompiling a graph")
    check_destination(output)
    feeds = {}
    if examples is not None:
        with open_checkpoint(examples) as arrays:
            feeds = dict(arrays)
    with started_early():
        from tf2bridge.decompile.decompiling import decompile as write

        written = write(
            module_of(source, options),
            output,
            feeds=feeds,
            level=level,
            train=train,
            train_op=train_op,
            ops=ops,
            worst=worst,
            idiomatic=idiomatic,
        )
    if output_format == "json":
        print_json(dataclasses.asdict(written) | {"path": str(written.path)})
    else:
        print_lines([*_lines(written), *(_backend_lines(written) if ops == "keras" else [])])
    return EQUAL


def _lines(written: Any) -> list[str]:
    from tf2bridge.decompile.emitted.test_model import LARGEST
    from tf2bridge.decompile.report_page import NOT_COMPARED

    worst = max(written.differences.values(), default=None)
    if worst is None:
        compared = NOT_COMPARED
    else:
        compared = f"{len(written.differences)} arrays compared; largest difference {worst:.2g} of the largest number"
    rounded = [name for name, difference in written.differences.items() if difference > LARGEST]
    lines = [f"{written.path}: {written.nodes} nodes as {written.lines} lines", _left(written), compared]
    if rounded:
        why = "no more than rounding of the inputs and variables changes what the old graph computes"
        lines.append(f"{len(rounded)} of them differ by more than {LARGEST:.0e}: {why}")
    if written.worst is not None:
        lines.append(f"on the worst inputs that a search found: {written.worst:.2g} of the largest number")
    lines += _step_lines(written)
    lines += [
        f"{name}: no example is known to reach its branch {branches}" for name, branches in written.unreached.items()
    ]
    lines += [
        f"{place.node}: {place.rule} was not applied ({place.why}); its operations stand in the code"
        for place in written.dropped
    ]
    lines += [
        f"{name} is an input: {op} gave it in the old graph, and its input pipeline is not in the package"
        for name, op in written.pipelines.items()
    ]
    if count := len(written.assertions):
        names = written.assertions[0] if count == 1 else f"{written.assertions[0]} and {count - 1} more"
        lines.append(f"assertions of the old graph are not in the package: {names}")
    return [*lines, f"see {written.path / 'report.html'}"]


def _left(written: Any) -> str:
    """Returns how many calls of `tf.raw_ops` there are, and why."""
    calls = "1 call" if written.raw_calls == 1 else f"{written.raw_calls or 'no'} calls"
    reasons = [f"{left.calls} {left.op} ({left.why})" for left in written.left[:_MOST_REASONS]]
    if more := written.left[_MOST_REASONS:]:
        reasons.append(f"{sum(left.calls for left in more)} more")
    return f"{calls} of tf.raw_ops" + (f": {', '.join(reasons)}" if reasons else "")


def _step_lines(written: Any) -> list[str]:
    if written.train_op is None:
        return []
    if written.choices:
        from codemods.native.choices import line_of

        why = "not compared, as the step is random"
        return [line_of(choice, "as the graph has it", why) for choice in written.choices]
    worst = max(written.step_differences.values(), default=None)
    if worst is None:
        return [f"train.py takes the step of {written.train_op}; not compared: it is random, or calls Python"]
    compared = f"{len(written.step_differences)} arrays compared after three steps"
    return [f"train.py takes the step of {written.train_op}; {compared}; largest difference {worst:.2g} of a move"]


def _backend_lines(written: Any) -> list[str]:
    """Returns on which backends of Keras the model runs, and what was compared there."""
    if not written.runs_everywhere:
        names = ", ".join(f"{name} {times}" if times > 1 else name for name, times in written.tensorflow_calls.items())
        count = sum(written.tensorflow_calls.values())
        why = f"{count} of {written.calls} calls need TensorFlow: {names}" if count else "its variables need TensorFlow"
        return [f"{why}; so this model runs on the TensorFlow backend of Keras alone"]
    results = [
        f"on {backend}: {result if isinstance(result, str) else f'largest difference {result:.2g}'}"
        for backend, result in written.backends.items()
    ]
    missing = [backend for backend in ("jax", "torch") if backend not in written.backends]
    compared = f"; not compared on {' and '.join(missing)}, as not installed" if missing else ""
    return [*results, f"no call needs TensorFlow; KERAS_BACKEND chooses the backend{compared}"]
