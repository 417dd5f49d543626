"""Command lines of which all but the last words are equal: their options are read once, as click takes longer than
small work.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import click

_MARK = "--"
"""What follows it are arguments."""
_STANDS_FOR = "argument-{}"


class _Line(NamedTuple):
    command: click.Command
    values: dict[str, Any]
    """The values of the command's parameters; those of its arguments are replaced."""


class Lines:
    """Runs commands of a group. It remembers the values of options, and reads the arguments after `--` each time."""

    def __init__(self, group: click.Group, prog_name: str) -> None:
        self._group, self._prog_name = group, prog_name
        self._root = click.Context(group, info_name=prog_name, **group.context_settings)
        self._lines: dict[tuple[str, ...], _Line | None] = {}

    def run(self, words: Sequence[str]) -> Any:
        """Returns what the command returns. Raises what the group's `main` raises without the standalone mode."""
        end = words.index(_MARK) if _MARK in words else 0
        arguments = words[end + 1 :]
        key = (*words[:end], str(len(arguments)))
        if key not in self._lines:
            self._lines[key] = self._read(words[:end], len(arguments))
        line = self._lines[key]
        if line is None:
            return self._group.main(list(words), prog_name=self._prog_name, standalone_mode=False)
        command = line.command
        with click.Context(command, self._root, command.name, **command.context_settings) as context:
            values = dict(line.values)
            for parameter, argument in zip(_arguments(command), arguments, strict=True):
                values[parameter.name or ""] = parameter.process_value(context, _raw(parameter, argument))
            context.params = values
            return command.invoke(context)

    def _read(self, words: Sequence[str], count: int) -> _Line | None:
        """Returns a line whose arguments are not known yet; None if each such line must be read as a whole."""
        command = self._group.commands.get(words[0]) if words else None
        if (
            command is None
            or len(_arguments(command)) != count
            or any(parameter.callback for parameter in command.params)
        ):
            return None
        stand_ins = [_STANDS_FOR.format(number) for number in range(count)]
        context = command.make_context(words[0], [*words[1:], _MARK, *stand_ins], parent=self._root)
        for parameter, stand_in in zip(_arguments(command), stand_ins, strict=True):
            if context.params[parameter.name or ""] != parameter.process_value(context, _raw(parameter, stand_in)):
                return None  # a word before the mark is an argument, too
        return _Line(command, context.params)


def _arguments(command: click.Command) -> list[click.Parameter]:
    return [parameter for parameter in command.params if isinstance(parameter, click.Argument)]


def _raw(parameter: click.Parameter, argument: str) -> str | tuple[str, ...]:
    return argument if parameter.nargs == 1 else (argument,)
