"""What the commands share: their exit status and the format of what they print."""

from __future__ import annotations

import json
from typing import Any

import click

EQUAL, DIFFERENT, WRONG = 0, 1, 2

output_format = click.option(
    "--output-format",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="What to print on standard output.",
)


def print_json(value: Any) -> None:
    """Prints the value as JSON."""
    click.echo(json.dumps(value, indent=1, allow_nan=False))
