"""The result of running a program beside a trace, and what it proves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, Any

from tf2bridge.proof.comparing.rows import Comparison, first_divergence
from tf2bridge.proof.replaying.process import Seeds
from tf2bridge.proof.trajectories.control import Control
from tf2bridge.proof.trajectories.growth import Growth

if TYPE_CHECKING:
    from tf2bridge.proof.diverging.divergence import Divergence


class Outcome(Enum):
    """What a replay proves."""

    EQUAL = "equal"
    ROUNDING = "equal up to rounding"
    DIFFERENT = "NOT EQUAL"
    UNPROVEN = "NOT PROVEN"


@dataclass(frozen=True)
class Replay:
    """The result of running a program beside a trace.

    Attributes:
        rows: one `Comparison` for each tensor of the trace.
        seeds: how the op seeds came about.
        release: the TensorFlow that recorded the trace.
        status: the program's exit status on TensorFlow 2.
        recorded_status: its exit status when it was recorded.
        stopped: why the recording had been stopped early; empty if it is whole.
        printed: what the program printed, standard output and error together.
        variables: name -> {"shape", "dtype"} of those that it has now, whose shapes are known.
        divergence: the first op that parts both, where rows differ and it was found.
        not_searched: why it was not found; empty where it was, where all rows passed or nobody asked.
        growths: how the differences of what did not pass grow over the calls.
        controls: what rounding alone makes of the recorded program, by tensor; of those whose growth is not decided.
        notes, unproven: as of `comparing.two_traces.Found`.
        otherwise: what the program does otherwise in what was taken over from the trace, where no value can show it.
        rounding: why every difference is rounding, the evidence; empty where one is not, or is not known to be.
    """

    rows: list[Comparison]
    seeds: Seeds
    release: str
    status: int
    recorded_status: int
    stopped: str
    printed: str
    variables: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    divergence: Divergence | None = None
    not_searched: str = ""
    growths: Sequence[Growth] = ()
    controls: Mapping[str, Control] = field(default_factory=dict)
    notes: Sequence[str] = ()
    unproven: str = ""
    otherwise: Sequence[str] = ()
    rounding: str = ""

    @property
    def outcome(self) -> Outcome:
        """The worst outcome of all comparisons."""
        if not self.rows or self.unproven or self.stopped or self.status != self.recorded_status:
            return Outcome.UNPROVEN if first_divergence(self.rows) is None else Outcome.DIFFERENT
        if first_divergence(self.rows) is not None and not self.rounding:
            return Outcome.DIFFERENT
        if self.otherwise:
            return Outcome.UNPROVEN
        return Outcome.ROUNDING if self.rounding else Outcome.EQUAL

    @property
    def proven(self) -> bool:
        """Whether every tensor was compared and passed, the program ended as it had when it was recorded, and what was
        taken over from the trace is what the program says, too.
        """
        return self.outcome is Outcome.EQUAL

    def passes(self, accept_rounding: bool) -> bool:
        """Whether it is proven, or equal up to rounding where that is to pass."""
        return self.proven or (accept_rounding and self.outcome is Outcome.ROUNDING)
