"""Shows the tests of many runs: a line for each quantity, JSON for programs."""

from __future__ import annotations

import dataclasses
from typing import Any

from codemods.printable import printable
from tf2bridge.printing import OutputConsole
from tf2bridge.proof.replaying.many import Many
from tf2bridge.proof.reporting.replay_text import kernels_line


def print_text(many: Many) -> None:
    """Prints a line for each quantity and the conclusion on standard output."""
    console = OutputConsole()
    for test in many.found:
        console.print(printable(test.why), style="bold red" if test.different else "")
    console.print(summary(many))
    console.print(kernels_line())


def summary(many: Many) -> str:
    """Returns the conclusion in a few lines."""
    old, new = many.ended
    lines = [printable(f"only {side}: {', '.join(names)}") for side, names in _alone(many) if names]
    if set(old) != set(new):
        lines.append(f"the programs ended otherwise: status {_text(old)} when recorded, {_text(new)} now")
    if many.other_lengths:
        lines.append(f"the programs made {_text(many.calls[0])} calls when recorded, {_text(many.calls[1])} now")
    lines += [printable(f"not all of it is there: {why}") for why in many.cut]
    if many.some_only:
        lines.append(printable(f"not tested, since not all runs have it: {', '.join(many.some_only)}"))
    runs = f"{len(old)} runs of TensorFlow {printable(many.release)} and {len(new)} of TensorFlow 2"
    if many.told_apart:
        lines.append(f"DIFFERENT: {runs}")
    else:
        lines.append(f"not told apart: {runs}; the intervals above are what they leave open")
    return "\n".join(lines)


def as_json(many: Many) -> dict[str, Any]:
    """Returns the tests as plain JSON values."""
    return {
        "told_apart": many.told_apart,
        "release": many.release,
        "statuses": {"old": many.ended[0], "new": many.ended[1]},
        "only_old": many.only_old,
        "only_new": many.only_new,
        "some_only": many.some_only,
        "calls": {"old": many.calls[0], "new": many.calls[1]},
        "cut": many.cut,
        "quantities": [dataclasses.asdict(test) for test in many.found],
    }


def _alone(many: Many) -> tuple[tuple[str, tuple[str, ...]], ...]:
    return ("in the recordings", many.only_old), ("in the runs now", many.only_new)


def _text(numbers: tuple[int, ...]) -> str:
    return ", ".join(map(str, sorted(set(numbers))))
