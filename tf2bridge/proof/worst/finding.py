"""`worst_inputs`: the inputs on which two sides differ most."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import TYPE_CHECKING, Any

import numpy as np

from tf2bridge.proof.comparing import ports
from tf2bridge.proof.comparing import runs as running
from tf2bridge.proof.comparing.inputs import is_random, seed_of
from tf2bridge.proof.comparing.matching import BY_NAME, Matching
from tf2bridge.proof.comparing.opening import side_of
from tf2bridge.proof.comparing.refusals import InputsError, NothingInCommonError
from tf2bridge.proof.comparing.sides import Side
from tf2bridge.proof.comparing.stored_rows import Chosen
from tf2bridge.proof.numbers.tolerance import DEFAULT, Tolerance
from tf2bridge.proof.worst.measuring import Both, Measured, Meter, least_sizes
from tf2bridge.proof.worst.outcome import SearchedInput, Way, WorstInputs
from tf2bridge.proof.worst.points import Space
from tf2bridge.proof.worst.ranges import by_input
from tf2bridge.proof.worst.refusals import WorstError
from tf2bridge.proof.worst.search import Limits, Search
from tf2bridge.proof.worst.slopes import Slopes
from tf2bridge.proof.worst.starts import Start, point_of, searched, starts, texts_of

if TYPE_CHECKING:
    import tensorflow as tf

MADE_UP = "random:0"
SECONDS = 10.0


@dataclass(frozen=True)
class Task:
    """The search to run; see `worst_inputs`."""

    starts: Any
    seconds: float
    runs: int | None
    ranges: Mapping[str, tuple[float, float]]
    chosen: Chosen
    match: str
    tolerance: Tolerance
    seed: int | None = None

    def __post_init__(self) -> None:
        if not 0 < self.seconds < inf:
            raise WorstError("worst inputs", f"{self.seconds} is no number of seconds above 0", "give one, such as 30")
        if self.runs is not None and self.runs < 1:
            raise WorstError("worst inputs", f"{self.runs} runs find nothing", "give 1 or more, or leave runs away")


def worst_inputs(
    a: Any,
    b: Any,
    *,
    specs: Mapping[str, tf.TensorSpec] | None = None,
    starts: Any = MADE_UP,
    seconds: float = SECONDS,
    runs: int | None = None,
    ranges: Mapping[str, tuple[float, float]] | None = None,
    names: Sequence[str] | None = None,
    match: str = BY_NAME,
    tolerance: Tolerance = DEFAULT,
    seed: int | None = None,
) -> WorstInputs:
    """Returns the inputs on which B differs most from A, the expected side.

    Floating inputs climb the gradient of the difference. Other inputs, and inputs that no gradient reaches, are
    sampled. What is returned was measured, and is never an estimate. The same seed gives the same points; how many of
    them are reached in the time depends on the machine. For the same result each time, give `runs`.

        worst = proof.worst_inputs(old_gelu, new_gelu, specs={"x": tf.TensorSpec([16])}, ranges={"x": (-6, 6)})
        worst.start, worst.figure, worst.inputs["x"]

    Args:
        a, b: what `compare` takes and can be run; or functions of tensors, which take the inputs of `specs` in order,
            and return a tensor, or a structure of tensors.
        specs: name -> shape and type of the inputs, for functions; sizes may be open.
        starts: the inputs to start from: what `compare` takes as `inputs`, or a list of mappings.
        seconds: how long to search. A run of both sides is not interrupted.
        runs: the most runs of both sides; None for as many as the time allows.
        ranges: input -> its lowest and its highest number. Without it, the input keeps to what the starts span, and a
            made-up floating input to -3 to 3.
        names: patterns of the outputs to search for; none for all.
        match: how inputs and outputs are paired, "name" or "position".
        tolerance: the tolerances of each type, for the verdicts.
        seed: of the search; None for that of "random:SEED", or 0.

    Raises:
        WorstError: the time or the number of runs is none.
        RangeError: a range does not fit.
        InputsError: a side cannot be run on any starting input.
        NothingInCommonError: a side cannot be run, or they share no input or no output.
    """
    from tf2bridge.proof.worst.functions import side_of_function

    first = next(iter(starts), None) if isinstance(starts, list | tuple) else starts
    sample = first if isinstance(first, Mapping) else {}
    sides = [
        side_of_function(model, specs, sample) if specs is not None and callable(model) else side_of(model)
        for model in (a, b)
    ]
    try:
        chosen = Chosen(tuple(names or ()))
        task = Task(starts, seconds, runs, ranges or {}, chosen, match, tolerance, seed)
        return search_sides(sides[0], sides[1], task)[0]
    finally:
        for model, side in zip((a, b), sides, strict=True):
            if not hasattr(model, "close"):  # what the caller opened stays open
                side.close()


def search_sides(side_a: Side, side_b: Side, task: Task) -> tuple[WorstInputs, Matching]:
    """Returns the worst inputs of two sides, and the pairs of outputs. Raises what `worst_inputs` does."""
    began = time.monotonic()
    both, matching = _both(side_a, side_b, task)
    limits = Limits(time.monotonic() + task.seconds, task.runs)
    meter = Meter(both)
    seed = task.seed if task.seed is not None else seed_of(task.starts) if is_random(task.starts) else 0
    stated = by_input(task.ranges, both.ports)
    started = _run_starts(starts(task.starts, both.ports, stated), meter, limits)
    points = [point_of(start.batch, both.ports) for start, _ in started]
    inputs = searched(both.ports, points, stated, is_random(task.starts))
    random = np.random.default_rng(seed)
    slopes = Slopes(both, random)
    space = Space(inputs, random, texts_of(points))
    measured = [result for _, result in started]
    search = Search(meter, space, slopes, points, measured, least_sizes(measured), limits)
    search.run()
    asked = [(start, result) for start, result in started if start.is_asked] or started
    notes = [*dict.fromkeys(note for start, _ in started for note in start.batch.notes), *_repeated(meter, *started[0])]
    return WorstInputs(
        outputs=search.outputs,
        searched=tuple(_explained(inputs, slopes, search.ascents)),
        starts=len(started),
        runs=meter.runs,
        ascents=search.ascents,
        seconds=time.monotonic() - began,
        seed=seed,
        failed=dict(meter.failed),
        progress=tuple(search.progress),
        notes=tuple(notes),
        start_rows=tuple(row for _, result in asked for row in result.rows),
    ), matching


def _both(side_a: Side, side_b: Side, task: Task) -> tuple[Both, Matching]:
    """Returns both sides ready to run. Raises NothingInCommonError if they share no input or no output."""
    runners = running.runner_of(side_a), running.runner_of(side_b)
    fed = ports.paired(runners[0].inputs, runners[1].inputs, task.match)
    if not any(port.a and port.b for port in fed):
        names = [", ".join(port.name for port in runner.inputs) or "none" for runner in runners]
        why = f"they have no input in common ({names[0]} and {names[1]}), so nothing can be searched"
        raise NothingInCommonError(side_a.name, side_b.name, f"{why}; give --match position")
    matching = running.outputs_of(*runners, task.match)
    running.check(side_a, side_b, matching, task.chosen)
    pairs = [pair for pair in matching.pairs if task.chosen.has(*pair)]
    if not pairs:
        chosen = ", ".join(task.chosen.patterns)
        raise NothingInCommonError(side_a.name, side_b.name, f"no output of both has a name of {chosen}")
    return Both((side_a, side_b), runners, fed, pairs, task.tolerance), matching


def _run_starts(given: Iterator[Start], meter: Meter, limits: Limits) -> list[tuple[Start, Measured]]:
    """Returns the starts that both sides can be run on, at least one, with their comparisons."""
    started: list[tuple[Start, Measured]] = []
    refusal: InputsError | None = None
    for start in given:
        if started and limits.reached(meter.runs):
            break
        try:
            started.append((start, meter.of_batch(start.batch, "output")))
        except InputsError as error:
            refusal = refusal or error
            meter.count(error)
    if not started:
        assert refusal is not None  # inputs without a batch are an error before
        raise refusal
    return started


def _repeated(meter: Meter, start: Start, first: Measured) -> list[str]:
    """Returns a note if a second run on the same inputs gives other differences."""
    again = meter.of_batch(start.batch, "output")
    figures = [[(row.distance.max_abs, row.distance.mismatches) for row in part.rows] for part in (first, again)]
    if figures[0] == figures[1]:
        return []
    return ["the sides give other numbers when they are run again on the same inputs: chance is part of what was found"]


def _explained(inputs: Mapping[str, SearchedInput], slopes: Slopes, ascents: int) -> Iterator[SearchedInput]:
    """Yields the inputs; those that no gradient reached were sampled, with the reason."""
    refused = next(iter(slopes.refused), "")
    reason = f"not differentiable: {refused}" if refused else "no gradient of an output reaches it"
    for name, how in inputs.items():
        is_sampled = how.way is Way.GRADIENT and ascents and name not in slopes.reached
        yield replace(how, way=Way.SAMPLED, why=reason) if is_sampled else how
