"""The result of running a program beside a trace, and what it proves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, Any

from codemods.native.choices import KerasChoice
from tf2bridge.proof.comparing.rows import Comparison, first_divergence
from tf2bridge.proof.replaying.process import Seeds
from tf2bridge.proof.trajectories.control import Control
from tf2bridge.proof.trajectories.growth import Growth

if TYPE_CHECKING:
    from tf2bridge.proof.diverging.divergence import Divergence


class Outcome(Enum):
    """The result of a replay."""

    EQUAL = "equal"
    ROUNDING = "equal up to rounding"
    DIFFERENT = "NOT EQUAL"
    UNPROVEN = "NOT PROVEN"


@dataclass(frozen=True)
class Replay:
    """The result of running a program beside a trace.

    Attributes:
        rows: One `Comparison` for each tensor of the trace.
        seeds: Where the op seeds come from.
        release: The TensorFlow release that recorded the trace.
        status: The program's exit status on TensorFlow 2.
        recorded_status: The program's exit status when it was recorded.
        stopped: Why the recording stopped early; empty if the trace is complete.
        printed: The program's output, standard output and error together.
        variables: Name -> {"shape", "dtype"} of the program's variables on TensorFlow 2 whose shapes are known.
        divergence: The first op that differs, if rows differ and the search found it.
        not_searched: Why the search found no op; empty if it found one, if all rows passed, or if it was not asked for.
        growths: How differences grow over the calls, for the tensors that did not pass.
        controls: Tensor -> how far rounding alone moves the recorded program, where the growth does not decide.
        notes, unproven: See `comparing.two_traces.Found`.
        otherwise: Differences of the program that no value can show, because the values were taken from the trace.
        is_native: Whether the program has no sessions, so that it cannot be given the recorded feeds.
        rounding: The evidence that every difference is rounding; empty without such evidence.
        choices: What a native program takes of Keras, by its map.
        exact: The result of the same program with the exact classes in their place; None if it was not run.
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
    is_native: bool = False
    choices: Sequence[KerasChoice] = ()
    exact: Replay | None = None

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
        """Whether the program is proven equal.

        That is: every tensor was compared and passed, the program ended as it did when it was recorded, and it agrees
        with what was taken from the trace.
        """
        return self.outcome is Outcome.EQUAL

    def passes(self, accept_rounding: bool) -> bool:
        """Returns whether the program is proven equal, or, if `accept_rounding`, equal up to rounding."""
        return self.proven or (accept_rounding and self.outcome is Outcome.ROUNDING)
