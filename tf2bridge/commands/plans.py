"""plan: which tensor of a checkpoint becomes which variable."""

from __future__ import annotations

import dataclasses
import os
from pathlib import Path
from typing import Any

import click

from tf2bridge.commands.output import DIFFERENT, EQUAL, output_format, print_json, say


@click.command()
@click.argument("checkpoint", type=click.Path(path_type=Path))
@click.option("--into", required=True, metavar="TARGET", help="package.module:function, a graph, or a list of shapes.")
@click.option("--output", "-o", type=click.Path(path_type=Path), help="Write the plan to this file, as TOML.")
@click.option(
    "--rule", "rules", multiple=True, metavar="OLD=NEW", help="A regular expression of whole names and what it becomes."
)
@click.option("--drop", multiple=True, metavar="PATTERN", help="Tensors that are not needed; repeat.")
@click.option("--keep", multiple=True, metavar="PATTERN", help="Variables that stay as they are; repeat.")
@click.option("--averages", is_flag=True, help="Take moving averages where the checkpoint has them.")
@click.option("--forget-bias", type=float, help="What the LSTM cells were made with; else the .meta's, or 1.")
@click.option("--learning-rate", type=float, help="For momentum, where the target's optimizer has a schedule.")
@click.option("--iterations", type=int, help="The steps that were taken, where the checkpoint does not say them.")
@click.option("--lossy", is_flag=True, help="Cast to the target's types where that loses digits.")
@click.option("--verify-with", type=click.Path(path_type=Path), metavar="META", help="The legacy graph, to compare.")
@output_format
def plan(checkpoint: Path, into: str, output: Path | None, output_format: str, **options: Any) -> int:
    """Map CHECKPOINT into a model, a graph, or names with their shapes.

    Status 1 if something is left to decide: the plan says what, with candidates.
    """
    from tf2bridge.checkpoint.planning.matching import plan as made
    from tf2bridge.formats.checkpoints.opening import open as opened

    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    rules = [_rule(each) for each in options.pop("rules")]
    with opened(checkpoint) as source:
        found = made(source, into, rules, **options)
    if output:
        found.save(output)
        say(f"{output}: the plan, to be read, changed and given to `tf2bridge convert --plan`")
    if output_format == "json":
        print_json(as_json(found))
    else:
        click.echo(str(found))
    return EQUAL if found.complete else DIFFERENT


def as_json(found: Any) -> dict[str, Any]:
    """The plan as plain values."""
    from tf2bridge.checkpoint.steps import to_table

    moves = [
        {
            "target": move.target,
            "from": list(move.sources),
            "steps": [to_table(step) for step in move.steps],
            "reason": move.reason,
            "certain": move.certain,
        }
        for move in found.moves
    ]
    return {
        "checkpoint": found.source,
        "target": found.target,
        "complete": found.complete,
        "moves": moves,
        "drops": dict(found.drops),
        "keeps": dict(found.keeps),
        "questions": [dataclasses.asdict(each) for each in found.questions],
        "notes": list(found.notes),
    }


def _rule(given: str) -> tuple[str, str]:
    old, mark, new = given.partition("=")
    if not mark or not old:
        raise click.UsageError(f"--rule {given}: write OLD=NEW, as 'old/(.*)=new/\\1'")
    return old, new
