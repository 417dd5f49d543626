"""The process of a task as the launcher starts it: `tf2bridge run`, connected to the launcher."""

from __future__ import annotations

import sys

from tf2bridge.train.clusters import link


def main() -> None:
    """Runs `tf2bridge run` with the arguments of this process, and exits."""
    link.connect()
    from tf2bridge.commands.command_line import main

    try:
        main(["run", *sys.argv[1:]])
    except SystemExit as ended:
        if not ended.code:
            link.ended_well()
        raise
