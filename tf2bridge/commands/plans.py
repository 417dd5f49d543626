"""The command `tf2bridge plan`: maps the tensors of a checkpoint to the variables of a model."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import click

from tf2bridge.commands.output import DIFFERENT, EQUAL, output_format, print_json, say


@click.command()
@click.argument("checkpoint", type=click.Path(path_type=Path))
@click.option("--into", required=True, metavar="TARGET", help="package.module:function, a graph, or a list of shapes.")
@click.option("--output", "-o", type=click.Path(path_type=Path), help="Write the plan to this file, as TOML.")
@click.option(
    "--rule",
    "rules",
    multiple=True,
    metavar="OLD=NEW",
    help="A regular expression for whole tensor names, and the new name; may be repeated.",
)
@click.option("--drop", multiple=True, metavar="PATTERN", help="Tensors that are not needed; may be repeated.")
@click.option("--keep", multiple=True, metavar="PATTERN", help="Variables that keep their values; may be repeated.")
@click.option("--averages", is_flag=True, help="Use the moving averages that the checkpoint has.")
@click.option("--forget-bias", type=float, help="The forget_bias of the LSTM cells.  [default: from the .meta, or 1]")
@click.option(
    "--learning-rate", type=float, help="The learning rate, for momentum if the target's optimizer has a schedule."
)
@click.option("--iterations", type=int, help="The number of training steps, if the checkpoint does not have it.")
@click.option("--lossy", is_flag=True, help="Cast to the target's types even if that loses digits.")
@click.option("--verify-with", type=click.Path(path_type=Path), metavar="META", help="Compare with this legacy graph.")
@output_format
def plan(checkpoint: Path, into: str, output: Path | None, output_format: str, **options: Any) -> int:
    """Map CHECKPOINT into a model, a graph, or names with their shapes.

    Status 1 if something is left to decide. The plan names it, with candidates.
    """
    from tf2bridge.checkpoint.planning.matching import plan as made
    from tf2bridge.formats.checkpoints.opening import open as opened

    rules = [_rule(text) for text in options.pop("rules")]
    with opened(checkpoint) as source:
        mapping = made(source, into, rules, **options)
    if output:
        mapping.save(output)
        say(f"{output}: the plan; review it, edit it, and pass it to `tf2bridge convert --plan`")
    if output_format == "json":
        print_json(as_json(mapping))
    else:
        click.echo(str(mapping))
    return EQUAL if mapping.complete else DIFFERENT


def as_json(plan: Any) -> dict[str, Any]:
    """Returns the plan as plain values."""
    from tf2bridge.checkpoint.steps import to_table

    moves = [
        {
            "target": move.target,
            "from": list(move.sources),
            "steps": [to_table(step) for step in move.steps],
            "reason": move.reason,
            "certain": move.certain,
        }
        for move in plan.moves
    ]
    return {
        "checkpoint": plan.source,
        "target": plan.target,
        "complete": plan.complete,
        "moves": moves,
        "drops": dict(plan.drops),
        "keeps": dict(plan.keeps),
        "questions": [dataclasses.asdict(question) for question in plan.questions],
        "notes": list(plan.notes),
    }


def _rule(given: str) -> tuple[str, str]:
    old, mark, new = given.partition("=")
    if not mark or not old:
        raise click.UsageError(f"--rule {given}: write OLD=NEW, such as 'old/(.*)=new/\\1'")
    return old, new
