"""The commands `tf2bridge fleet`: many files and repositories at once."""

from __future__ import annotations

import click

from tf2bridge.commands.ending import Commands


@click.group(cls=Commands)
def fleet() -> None:
    """List many models and repositories, work on all of them, and report."""
