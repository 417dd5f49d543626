"""Shows a replay of recorded graphs: a table for each way of running them, JSON for programs."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from codemods.printable import printable
from tf2bridge import kernels
from tf2bridge.printing import OutputConsole
from tf2bridge.proof.comparing.rows import first_divergence
from tf2bridge.proof.numbers.tolerance import Verdict
from tf2bridge.proof.reporting.figures import figure, row_as_json
from tf2bridge.proof.reporting.replay_text import describe, kernels_line, table

if TYPE_CHECKING:
    from tf2bridge.proof.replaying.graphs import GraphReplay, WayOfRunning


def print_text(replay: GraphReplay) -> None:
    """Prints the table of the first way, the tables of others that differ, and the conclusions."""
    console = OutputConsole()
    for number, way in enumerate(replay.ways):
        if not number or first_divergence(way.rows) is not None:
            console.print(table(way.rows))
    for way in replay.ways:
        console.print(summary(way, replay.release))
    if replay.stopped:
        console.print(printable(f"NOT PROVEN: not all is compared: {replay.stopped}"))
    console.print(kernels_line())


def summary(way: WayOfRunning, release: str) -> str:
    """Returns the conclusion of one way in a few lines, with the parts of the trace that it did not run."""
    bad = first_divergence(way.rows)
    failed = sum(not row.passed for row in way.rows)
    calls = len({row.call for row in way.rows if row.call is not None})
    equal = sum(row.distance.verdict is Verdict.EQUAL for row in way.rows)
    if bad is not None:
        conclusion = f"{failed} of {len(way.rows)} tensors differ; first divergence: {describe(bad)}"
    elif way.unproven:
        conclusion = printable(f"NOT PROVEN: {way.unproven}")
    else:
        needed = max(row.distance.needed_rtol for row in way.rows)
        conclusion = (
            f"{len(way.rows)} tensors of {calls} calls all equal ({equal} bit for bit, the others need rtol "
            f"{figure(needed)})"
        )
    times = Counter(way.left_out)
    notes = [f"  {printable(line)}" + (f" ({count} times)" if count > 1 else "") for line, count in times.items()]
    return "\n".join([f"the recorded graph of TensorFlow {printable(release)} in {way.name}: {conclusion}", *notes])


def as_json(replay: GraphReplay) -> dict[str, Any]:
    """Returns the replay as plain JSON values."""
    ways = {}
    for way in replay.ways:
        bad = first_divergence(way.rows)
        ways[way.name] = {
            "first_divergence": None if bad is None else describe(bad),
            "left_out": way.left_out,
            "missed": way.missed,
            "rows": [row_as_json(row) for row in way.rows],
        }
    facts = {"proven": replay.proven, "unproven": replay.unproven, "release": replay.release}
    return facts | {"kernels": kernels.description(), "ways": ways}
