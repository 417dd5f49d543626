"""The command `tf2bridge compare`: compares traces, checkpoints, graphs, models and arrays."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tf2bridge.commands.output import (
    DIFFERENT,
    EQUAL,
    file_to_write,
    html_option,
    output_format,
    print_json,
    write_page,
)
from tf2bridge.commands.proving import onednn_option

if TYPE_CHECKING:
    from tf2bridge.proof.comparing.outcome import Compared


@click.command()
@click.argument("a", metavar="A")
@click.argument("b", metavar="B")
@click.option(
    "--inputs",
    metavar="INPUTS",
    help="Run both on these inputs: an .npz, a trace, random:SEED, or worst:SECONDS: those found on which they "
    "differ most.",
)
@click.option(
    "--starts",
    metavar="INPUTS",
    help="With worst:SECONDS, start from these inputs: an .npz, a trace, or random:SEED.  [default: random:0]",
)
@click.option(
    "--range",
    "ranges",
    multiple=True,
    metavar="NAME=LOW:HIGH",
    help="With worst:SECONDS, keep the numbers of an input within these; may be repeated.",
)
@click.option(
    "--save-inputs",
    type=click.Path(dir_okay=False, path_type=Path),
    callback=file_to_write,
    help="With worst:SECONDS, write the worst inputs to this .npz file, which --inputs takes.",
)
@click.option(
    "--tensors",
    multiple=True,
    metavar="PATTERN",
    help="Only tensors with a matching name on either side; may be repeated.",
)
@click.option(
    "--every-tensor", is_flag=True, help="With --inputs, compare all tensors that have the same name, not only outputs."
)
@click.option(
    "--plan", type=click.Path(path_type=Path), help="What to do with A's tensors: a file from `tf2bridge plan`."
)
@click.option("--match", type=click.Choice(["name", "plan", "position"]), help="How to pair tensors.  [default: name]")
@click.option("--rtol", type=click.FloatRange(min=0), help="Relative tolerance for every floating type.")
@click.option("--atol", type=click.FloatRange(min=0), help="Absolute tolerance for every floating type.")
@click.option("--subset", is_flag=True, help="A tensor that only one side has is no difference.")
@click.option("--initial", is_flag=True, help="Use the first values of a trace's variables, not the last.")
@click.option("--nan-differs", is_flag=True, help="NaN differs from everything, also from NaN.")
@click.option("--any-type", is_flag=True, help="Compare numbers of different types by their values.")
@onednn_option
@output_format
@html_option
def compare(a: str, b: str, output_format: str, html: Path | None, save_inputs: Path | None, **options: Any) -> int:
    """Compare B with A, the expected values.

    A and B are each a trace, a checkpoint or a directory of one, an .npz, .npy, .safetensors, .h5 or .keras file, a
    graph (.pb, .pbtxt, .meta), a SavedModel or hub directory, or package.module:function, a function that returns a
    model, a graph, or a mapping of names to arrays. Without --inputs, the stored values are compared. A trace and a
    graph or model are also compared by the recorded calls. Two directories with checkpoints of several steps are
    compared step by step.

    Values are equal if |B - A| <= atol + rtol * |A|. The default is rtol 1e-5 and atol 1e-6 for float32, and other
    values for other types. Status 0 if all is equal; 1 if anything differs or is on one side only, or if nothing that
    could differ was compared.

    With --inputs worst:SECONDS, the outputs are also compared on the worst inputs that are found within this time: by
    gradient ascent for floating inputs, by sampling for others. Floating inputs keep to what the starting inputs span,
    and made-up ones to -3 to 3, unless --range says otherwise.
    """
    from tf2bridge.proof.comparing.any_two import compare as compared
    from tf2bridge.proof.numbers.tolerance import Tolerance
    from tf2bridge.proof.reporting.comparison_text import as_json, print_text

    ranges = _ranges(options, save_inputs)
    tolerance = Tolerance(options["rtol"], options["atol"], not options["nan_differs"], not options["any_type"])
    comparison = compared(
        a,
        b,
        inputs=options["inputs"],
        names=options["tensors"],
        plan=options["plan"],
        match=options["match"] or "",
        tolerance=tolerance,
        subset=options["subset"],
        initial=options["initial"],
        every_tensor=options["every_tensor"],
        starts=options["starts"],
        ranges=ranges,
    )
    if save_inputs is not None:
        comparison = _with_saved(comparison, save_inputs)
    if output_format == "json":
        print_json(as_json(comparison))
    else:
        print_text(comparison)
    if html is not None:
        from tf2bridge.proof.reporting.pages import of_compared

        write_page(html, of_compared(comparison))
    return EQUAL if comparison.equal else DIFFERENT


def _ranges(options: dict[str, Any], save_inputs: Path | None) -> dict[str, tuple[float, float]]:
    """Returns input -> (low, high). Raises RangeError, and WorstError if there are no worst inputs to save."""
    from tf2bridge.proof.worst.options import is_worst
    from tf2bridge.proof.worst.ranges import parsed
    from tf2bridge.proof.worst.refusals import WorstError

    if save_inputs is not None and not is_worst(options["inputs"]):
        why = "there are no worst inputs to save, since no search is asked for"
        raise WorstError(f"--save-inputs {save_inputs}", why, "give --inputs worst:SECONDS, or leave it away")
    return parsed(options["ranges"])


def _with_saved(comparison: Compared, path: Path) -> Compared:
    """Returns the comparison with the name of the file, after the worst inputs were written to it."""
    assert comparison.worst is not None
    comparison.worst.save(path)
    return replace(comparison, worst=replace(comparison.worst, saved=str(path)))
