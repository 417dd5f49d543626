"""The commands `tf2bridge inspect`, `audit` and `export`, for files that contain a graph."""

from __future__ import annotations

import dataclasses
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from codemods.printable import visible
from tf2bridge.commands.output import DIFFERENT, EQUAL, output_format, print_json, print_lines, say

outputs_option = click.option(
    "--outputs", help="Names of the output tensors, separated by commas.  [default: the serving signature's]"
)
inputs_option = click.option(
    "--inputs", help="Names of the input tensors, separated by commas.  [default: the placeholders of the outputs]"
)
tags_option = click.option("--tags", help="The tags of a SavedModel's graph, separated by commas.")


def module_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Adds the options of a command that loads a graph, which `module_of` takes."""
    for option in (
        click.option("--allow-ops", help="Operation types that may touch files or Python, separated by commas."),
        click.option(
            "--asset",
            "assets",
            multiple=True,
            metavar="NAME=FILE",
            help="The file to read for a file name in the graph; may be repeated.",
        ),
        click.option(
            "--checkpoint",
            type=click.Path(path_type=Path),
            help="The checkpoint with the variables, if it is not beside the graph.",
        ),
        click.option("--signature", help="The name of a signature of the SavedModel."),
        *(tags_option, inputs_option, outputs_option),
    ):
        command = option(command)
    return command


@click.command()
@click.argument("path", type=click.Path(path_type=Path))
@outputs_option
@inputs_option
@tags_option
@click.option("--html", type=click.Path(path_type=Path), help="Draw the graph into this HTML file.")
@click.option("--dot", type=click.Path(path_type=Path), help="Draw the graph into this Graphviz file.")
@click.option(
    "--tensorboard", type=click.Path(path_type=Path), help="Write the graph into this log directory for TensorBoard."
)
@click.option("--tensors", is_flag=True, help="Show the tensors of a checkpoint, not the graph beside it.")
@click.option("--values", is_flag=True, help="Show also minimum, maximum and number of NaNs of each tensor.")
@output_format
def inspect(path: Path, output_format: str, tensors: bool, values: bool, **options: Any) -> int:
    """Show what PATH contains.

    PATH is a graph, a metagraph, a SavedModel or hub directory, an event file, a checkpoint or a trace. Of a checkpoint
    this shows the graph in its .meta, if there is one, and its tensors. If a program was killed while it was recorded,
    PATH may be the folder that is left of its trace.
    """
    from tf2bridge.formats.checkpoints.described import holds_no_graph, is_prefix
    from tf2bridge.proof.traces.described import is_trace

    if is_trace(path):
        return _inspect_trace(path, output_format)
    if tensors or values or holds_no_graph(path):
        return _inspect_tensors(path, values, output_format)
    from tf2bridge.formats.graphs import picture
    from tf2bridge.formats.graphs.described import described, ends_of
    from tf2bridge.formats.graphs.described_text import print_text
    from tf2bridge.formats.graphs.event_writer import write_log
    from tf2bridge.formats.graphs.reader import read

    graph = read(path, _listed(options["tags"]))
    ends = ends_of(graph, _listed(options["inputs"]), _listed(options["outputs"]))
    facts = described(graph, ends)
    if options["html"]:
        _write(options["html"], picture.as_html(graph, ends))
    if options["dot"]:
        _write(options["dot"], picture.as_dot(graph))
    if options["tensorboard"]:
        write_log(graph.graph_def, options["tensorboard"])
    if not is_prefix(path):
        _print(facts, output_format, print_text)
    elif output_format == "json":
        print_json(facts | {"checkpoint": _tensors(path, values)})
    else:
        stored = _tensors(path, values)  # read before anything is printed, because the checkpoint may be damaged
        print_text(facts)
        click.echo()
        _print_tensors(stored)
    return EQUAL


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(visible(text, keep="\n"), "utf-8", newline="\n")
    except OSError as error:
        error.filename = str(path)
        raise


def _inspect_trace(path: Path, output_format: str) -> int:
    from tf2bridge.proof.traces.described import described, lines

    _print(described(path), output_format, lambda facts: print_lines(lines(facts)))
    return EQUAL


def _inspect_tensors(path: Path, values: bool, output_format: str) -> int:
    _print(_tensors(path, values), output_format, _print_tensors)
    return EQUAL


def _tensors(path: Path, values: bool) -> dict[str, Any]:
    from tf2bridge.formats.checkpoints.described import described
    from tf2bridge.formats.checkpoints.opening import open as open_checkpoint

    with open_checkpoint(path) as checkpoint:
        return described(checkpoint, values)


def _print_tensors(facts: dict[str, Any]) -> None:
    from tf2bridge.formats.checkpoints.described import lines, print_text

    if sys.stdout.isatty():
        print_text(facts)
    else:
        print_lines(lines(facts))


def _print(facts: dict[str, Any], output_format: str, print_text: Callable[[dict[str, Any]], None]) -> None:
    if output_format == "json":
        print_json(facts)
    else:
        print_text(facts)


@click.command()
@click.argument("path", type=click.Path(path_type=Path))
@tags_option
@output_format
def audit(path: Path, tags: str | None, output_format: str) -> int:
    """List what the graph in PATH would do besides computing.

    The list has operations that read or write files, call Python, talk to other processes, print, or end the process,
    and operations that are not known to be harmless. None of them runs unless it is permitted. Status 1 if there are
    any.
    """
    from tf2bridge.formats.graphs.audit import audit as refused_operations
    from tf2bridge.formats.graphs.reader import read

    operations = refused_operations(read(path, _listed(tags)).graph_def)
    if output_format == "json":
        print_json([dataclasses.asdict(operation) for operation in operations])
    else:
        print_lines(map(str, operations))
        say(f"{len(operations)} operations do more than compute; they run only if they are permitted")
    return DIFFERENT if operations else EQUAL


@click.command()
@click.argument("source")
@click.argument("output", type=click.Path(path_type=Path))
@click.option(
    "--format",
    "form",
    type=click.Choice(["saved_model", "frozen", "tflite"]),
    default="saved_model",
    show_default=True,
    help="The format of OUTPUT.",
)
@module_options
@click.option(
    "--shape",
    "shapes",
    multiple=True,
    metavar="INPUT=SIZES",
    help="Sizes of an input for tflite, such as x=1,20,3; may be repeated.",
)
@click.option("--sha256", is_flag=True, help="Also write OUTPUT.sha256, which is checked whenever OUTPUT is loaded.")
@click.option("--force", is_flag=True, help="Replace OUTPUT if it exists.")
def export(source: str, output: Path, form: str, sha256: bool, force: bool, **options: Any) -> int:
    """Write the graph in SOURCE, with its variables, to OUTPUT.

    This replaces freeze_graph. Only what the outputs need is written, without the training part. SOURCE is a file, a
    directory, or package.module:function, a function that returns the result of tf2bridge.load or tf2bridge.wrap.
    """
    from tf2bridge.formats import sidecars
    from tf2bridge.proof.replaying.process import require_tensorflow

    require_tensorflow("exporting a graph")
    if os.path.lexists(output) and not force:
        raise click.UsageError(f"{output} exists: choose another OUTPUT, or pass --force")
    shapes = dict(_sizes(text) for text in options.pop("shapes"))
    if shapes and form != "tflite":
        raise click.UsageError(
            "--shape is only for --format tflite; the other formats accept every shape that the graph accepts"
        )
    module = module_of(source, options)
    module.export(output, form, shapes)
    sidecars.renew(output, sha256)
    ends = ", ".join(f"{name} {spec.shape}" for name, spec in module.outputs.items())
    say(f"{output}: {form} of {', '.join(module.inputs) or 'no inputs'} -> {ends}")
    return EQUAL


def module_of(source: str, options: dict[str, Any]) -> Any:
    """Returns the requested graph as a live object."""
    from tf2bridge.graph.load import BESIDE, load
    from tf2bridge.graph.named_module import built_by
    from tf2bridge.named_code import names_code

    if names_code(source):
        given = [f"--{name.replace('_', '-')}" for name, value in options.items() if value]
        if given:
            raise click.UsageError(
                f"{', '.join(given)}: not for a graph that the code {source} builds; the code decides these itself"
            )
        return built_by(source)
    listed = {name: _listed(options[name]) for name in ("outputs", "inputs", "allow_ops", "tags")}
    return load(
        source,
        listed["outputs"],
        listed["inputs"],
        options["checkpoint"] or BESIDE,
        allow_ops=listed["allow_ops"] or (),
        tags=listed["tags"],
        signature=options["signature"],
        assets=dict(_pair(text) for text in options["assets"]),
    )


def _sizes(given: str) -> tuple[str, list[int | None]]:
    name, mark, sizes = given.partition("=")
    if not mark or not name or not all(size.isdecimal() or size == "?" for size in sizes.split(",") if sizes):
        raise click.UsageError(
            f"--shape {given}: write INPUT=SIZES, such as x=1,20,3, with ? for a size that stays open"
        )
    return name, [None if size == "?" else int(size) for size in sizes.split(",") if sizes]


def _pair(given: str) -> tuple[str, str]:
    name, mark, file = given.partition("=")
    if not mark or not name or not file:
        raise click.UsageError(f"--asset {given}: write NAME=FILE, with the name that the graph has")
    return name, file


def _listed(names: str | None) -> list[str] | None:
    return names.split(",") if names else None
