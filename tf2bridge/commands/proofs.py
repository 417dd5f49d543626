"""compare: any two of trace, checkpoint, graph, model and arrays."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import click

from tf2bridge.commands.output import DIFFERENT, EQUAL, html_option, output_format, print_json, write_page
from tf2bridge.commands.proving import onednn_option


@click.command()
@click.argument("a", metavar="A")
@click.argument("b", metavar="B")
@click.option("--inputs", metavar="INPUTS", help="Run both on these: an .npz, a trace, or random:SEED.")
@click.option(
    "--tensors", multiple=True, metavar="PATTERN", help="Only tensors with such a name on either side; repeat."
)
@click.option("--every-tensor", is_flag=True, help="With --inputs, compare all tensors of one name, not just outputs.")
@click.option(
    "--plan", type=click.Path(path_type=Path), help="What becomes of A's tensors: a file of `tf2bridge plan`."
)
@click.option(
    "--match", type=click.Choice(["name", "plan", "position"]), help="How tensors are paired; by default by name."
)
@click.option("--rtol", type=click.FloatRange(min=0), help="Relative tolerance of floating numbers, of every type.")
@click.option("--atol", type=click.FloatRange(min=0), help="Absolute tolerance of floating numbers, of every type.")
@click.option("--subset", is_flag=True, help="What only one side has is no difference.")
@click.option("--initial", is_flag=True, help="Of a trace, take the first values of its variables, not the last.")
@click.option("--nan-differs", is_flag=True, help="NaN is equal to nothing, not even to NaN.")
@click.option("--any-type", is_flag=True, help="Compare numbers of different types by their values.")
@onednn_option
@output_format
@html_option
def compare(a: str, b: str, output_format: str, html: Path | None, **options: Any) -> int:
    """Compare B with A, which is what is expected.

    A and B are each a trace, a checkpoint or a directory of one, an .npz, .npy, .safetensors, .h5 or .keras file, a
    graph (.pb, .pbtxt, .meta), a SavedModel or hub directory, or package.module:function, which returns a model, a
    graph, or a mapping of names to arrays. Without --inputs what they store is compared; a trace with a graph or model
    by the recorded calls, too. Two directories of checkpoints of several steps are compared step by step.

    |B - A| <= atol + rtol * |A|, by default with rtol 1e-5 and atol 1e-6 for float32, and others for other types.
    Status 0 if all is equal; 1 if anything differs, is on one side only, or if nothing was compared that could differ.
    """
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    from tf2bridge.proof.comparing.any_two import compare as compared
    from tf2bridge.proof.numbers.tolerance import Tolerance
    from tf2bridge.proof.reporting.comparison_text import as_json, print_text

    tolerance = Tolerance(options["rtol"], options["atol"], not options["nan_differs"], not options["any_type"])
    found = compared(
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
    )
    if output_format == "json":
        print_json(as_json(found))
    else:
        print_text(found)
    if html is not None:
        from tf2bridge.proof.reporting.pages import of_compared

        write_page(html, of_compared(found))
    return EQUAL if found.equal else DIFFERENT
