"""Runs a program many times, and tests whether its results have the distribution of many recordings."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tf2bridge.proof.comparing.two_traces import why_cut
from tf2bridge.proof.replaying.process import recorded_anew
from tf2bridge.proof.replaying.seeding import RULE
from tf2bridge.proof.traces.reader import Trace
from tf2bridge.proof.trajectories.distributions import Alike, alike, require_enough
from tf2bridge.proof.trajectories.quantities import of_trace, over_runs
from tf2bridge.proof.trajectories.refusals import NothingToTestError


@dataclass(frozen=True)
class Many:
    """The results of many runs.

    Attributes:
        found: one test for each quantity of both programs. release: the TensorFlow that recorded the old runs. ended:
        exit statuses of the old runs, and of the new ones. only_old, only_new: quantities that only one program has.
        calls: how many calls the old runs made, and the new ones. cut: why recordings do not hold all of their runs,
        one line each. some_only: quantities that some runs of a program have, and others have not.
    """

    found: list[Alike]
    release: str
    ended: tuple[tuple[int, ...], tuple[int, ...]]
    only_old: tuple[str, ...]
    only_new: tuple[str, ...]
    calls: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())
    cut: tuple[str, ...] = ()
    some_only: tuple[str, ...] = ()

    @property
    def told_apart(self) -> bool:
        """Whether a quantity differs or is not in all runs, runs were cut, or ended or went on in different ways."""
        lacking = self.only_old or self.only_new or self.some_only or self.cut
        is_otherwise = set(self.ended[0]) != set(self.ended[1]) or self.other_lengths
        return not self.found or any(test.different for test in self.found) or bool(lacking) or is_otherwise

    @property
    def other_lengths(self) -> bool:
        """Whether all new runs made more calls than any old one, or all made fewer."""
        old, new = self.calls
        return bool(old and new) and (max(new) < min(old) or min(new) > max(old))


def replay_many(
    recorded: Sequence[Trace],
    command: Sequence[str],
    cwd: Path,
    recording: Sequence[str],
    *,
    api: str = "",
    on_run: Callable[[int], None] | None = None,
) -> Many:
    """Runs a program as often as it was recorded, and compares the results.

    Args:
        recorded: traces of one program, of runs that differ by their random numbers alone. command, api: as for
        `replay`. cwd: each run has a copy of this directory to itself. recording: as for `recorded_anew`. on_run: a
        function that gets the number of finished runs.

    Raises:
        NothingToTestError: the program fetched no single number and trained no variable, then or now.
        TooFewRunsError, NotFiniteRunError: see `alike`.
        MissingExtraError, ReplayFailedError: see `replay`.
    """
    old = [of_trace(trace) for trace in recorded]
    old_runs = over_runs(old)
    require_enough(len(recorded), len(recorded), len(old_runs))
    new, ended, calls = [], [], []
    with tempfile.TemporaryDirectory(prefix="tf2bridge-runs-") as scratch:
        for number in range(len(recorded)):
            run_in = Path(scratch, str(number), cwd.resolve().name)
            shutil.copytree(cwd, run_in, symlinks=True)
            with recorded_anew(recorded[number], command, run_in, recording, api=api, seeds=RULE) as run:
                new.append(of_trace(run.trace))
                ended.append(run.status)
                calls.append(len(run.trace.program_calls))
            shutil.rmtree(run_in)
            if on_run is not None:
                on_run(number + 1)
    kept = {*old_runs, *over_runs(new)}
    new_runs = _renamed(old_runs, over_runs(new))
    if not old_runs.keys() & new_runs.keys():
        raise NothingToTestError(recorded[0].path, " ".join(command))
    return Many(
        found=alike(old_runs, new_runs),
        release=recorded[0].release,
        ended=(tuple(trace.exit_status for trace in recorded), tuple(ended)),
        only_old=tuple(name for name in old_runs if name not in new_runs),
        only_new=tuple(name for name in new_runs if name not in old_runs),
        calls=(tuple(len(trace.program_calls) for trace in recorded), tuple(calls)),
        cut=tuple(f"{trace.path}: {why}" for trace in recorded if (why := why_cut(trace))),
        some_only=tuple(sorted({name for runs in (old, new) for run in runs for name in run} - kept)),
    )


def _renamed(old: Mapping[str, list[float]], new: Mapping[str, list[float]]) -> dict[str, list[float]]:
    """Returns the new quantities under their old names.

    Quantities with other names are paired in order, if both sides have as many.
    """
    left_old = [name for name in old if name not in new]
    left_new = [name for name in new if name not in old]
    if len(left_old) != len(left_new):
        return dict(new)
    names = dict(zip(left_new, left_old, strict=True))
    return {names.get(name, name): values for name, values in new.items()}
