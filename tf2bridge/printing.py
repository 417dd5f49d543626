"""The console that results are printed on: text from outside is shown by it, and never obeyed."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from codemods.printable import visible

_PLAIN_WIDTH = 400


class OutputConsole(Console):
    """Standard output, without markup and emoji in text; where it is no terminal, so wide that few lines are folded.

    What a terminal would obey is printed as an escape. Line breaks stay, for texts have several lines: whoever puts a
    name into a text makes it `printable` first.
    """

    def __init__(self, plain_width: int = _PLAIN_WIDTH) -> None:
        super().__init__(markup=False, emoji=False, highlight=False)
        if not self.is_terminal:
            self.width = plain_width

    def on_broken_pipe(self) -> None:
        """Says so; rich would end the process with status 1."""
        raise BrokenPipeError(errno.EPIPE, os.strerror(errno.EPIPE))

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """Returns the segments of something to be printed, each with what a terminal would obey as an escape."""
        for segment in super().render(renderable, options):
            shown = segment.control or segment.text.isprintable()
            yield segment if shown else Segment(visible(segment.text, keep="\n"), segment.style)
