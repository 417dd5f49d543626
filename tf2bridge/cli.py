"""The command line of tf2bridge: the entry of its script."""

from tf2bridge.commands.command_line import cli, main

__all__ = ["cli", "main"]
