"""The process of a task as the launcher starts it: `tf2bridge run`, connected to the launcher."""

from __future__ import annotations

from collections.abc import Sequence

from tf2bridge.train.clusters import link


def main(arguments: Sequence[str]) -> None:
    """Runs `tf2bridge run` with `arguments`, and exits."""
    link.connect()
    from tf2bridge.cli import main

    try:
        main(["run", *arguments])
    except SystemExit as ended:
        if not ended.code:
            link.ended_well()
        raise
