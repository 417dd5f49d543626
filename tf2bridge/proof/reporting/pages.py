"""Makes the pages of replays and comparisons."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from importlib.metadata import version
from typing import TYPE_CHECKING

from tf2bridge.proof.comparing.outcome import Compared
from tf2bridge.proof.comparing.rows import Comparison
from tf2bridge.proof.replaying.outcomes import Outcome, Replay
from tf2bridge.proof.reporting.comparison_text import summary as compared_summary
from tf2bridge.proof.reporting.drawing import drawn
from tf2bridge.proof.reporting.graph_text import summary as graph_summary
from tf2bridge.proof.reporting.page import Page
from tf2bridge.proof.reporting.replay_text import kernels_line, summary
from tf2bridge.proof.reporting.worst_section import section
from tf2bridge.proof.traces.reader import Trace
from tf2bridge.proof.trajectories.growth import growths

if TYPE_CHECKING:
    from tf2bridge.proof.diverging.ops_seen import Evidence
    from tf2bridge.proof.replaying.graphs import GraphReplay


def of_replay(
    replay: Replay,
    recorded: Trace,
    command: Sequence[str],
    title: str = "",
    sections: Sequence[tuple[str, str]] = (),
) -> Page:
    """Returns the page of a program that was run beside a trace; `title` and `sections` as in `Page`."""
    program = " ".join(command)
    return Page(
        title=title or f"{program} beside {recorded.path.name}",
        expected=f"{recorded.path.name}, recorded by TensorFlow {replay.release}",
        actual=f"{program}, run by TensorFlow {version('tensorflow')}",
        equal=replay.outcome in (Outcome.EQUAL, Outcome.ROUNDING),
        verdict=replay.outcome.value,
        conclusion=summary(replay),
        rows=replay.rows,
        divergence=replay.divergence.text if replay.divergence is not None else replay.not_searched,
        growths=growths(replay.rows) if all(row.passed for row in replay.rows if row.kind == "initial") else (),
        controls=replay.controls,
        graph=_graph(replay.rows, recorded, replay.divergence.evidence if replay.divergence is not None else None),
        sections=sections,
    )


def of_compared(compared: Compared) -> Page:
    """Returns the page of a comparison of two sides."""
    a, b = (f"{name} ({kind})" for name, kind in zip((compared.a, compared.b), compared.kinds, strict=True))
    return Page(
        title=f"{compared.b} beside {compared.a}",
        expected=a,
        actual=b,
        equal=compared.equal,
        conclusion=compared_summary(compared),
        rows=compared.rows,
        growths=growths(compared.rows),
        sections=[section(compared.worst)] if compared.worst is not None else (),
    )


def of_graphs(replay: GraphReplay, recorded: Trace) -> Page:
    """Returns the page of recorded graphs run in a session, with the conclusions of the other ways."""
    first = replay.ways[0]
    return Page(
        title=f"the graphs of {recorded.path.name}",
        expected=f"{recorded.path.name}, recorded by TensorFlow {replay.release}",
        actual=f"its graphs in {first.name}, run by TensorFlow {version('tensorflow')}",
        equal=replay.proven,
        conclusion="\n".join([*(graph_summary(way, replay.release) for way in replay.ways), kernels_line()]),
        rows=first.rows,
        growths=growths(first.rows),
        graph=_graph(first.rows, recorded),
    )


def _graph(rows: Sequence[Comparison], recorded: Trace, evidence: Evidence | None = None) -> str:
    """Returns the graph in which the program made most of its calls."""
    most = Counter(call.graph for call in recorded.program_calls).most_common(1)
    return drawn(recorded.path.name, recorded.graph_def(most[0][0]), rows, evidence) if most else ""
