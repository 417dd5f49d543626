"""Runs two sides on the same inputs, and compares their outputs, or all tensors of one name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tf2bridge.errors import BridgeError
from tf2bridge.proof.comparing import ports
from tf2bridge.proof.comparing.inputs import Batch, batches
from tf2bridge.proof.comparing.matching import Matching, by_name
from tf2bridge.proof.comparing.refusals import InputsError, NothingInCommonError
from tf2bridge.proof.comparing.rows import Comparison
from tf2bridge.proof.comparing.sides import Runnable, Side
from tf2bridge.proof.comparing.stored_rows import Chosen, alone, row
from tf2bridge.proof.numbers.distance import Distance
from tf2bridge.proof.numbers.pieces import Array
from tf2bridge.proof.numbers.tolerance import Tolerance, Verdict


def runner_of(side: Side) -> Runnable:
    """Returns the runner of a side. Raises NothingInCommonError if it cannot be run."""
    if side.trace is not None:
        why = "its calls were recorded with their inputs; leave --inputs away to hold them against a graph or model"
        raise NothingInCommonError(side.name, "inputs", why)
    if side.runner is None:
        subject = f"{_article(side.kind)} with no graph or model beside it"
        why = f"it is {subject}; leave --inputs away to compare what it stores"
        raise NothingInCommonError(side.name, "inputs", why)
    return side.runner()


def _article(kind: str) -> str:
    if kind.endswith("s"):
        return kind
    return f"an {kind}" if kind.startswith(("a", "e", "i", "o", "n", "h5")) else f"a {kind}"


def compared(
    side_a: Side, side_b: Side, inputs: Any, chosen: Chosen, match: str, tolerance: Tolerance, every: bool
) -> tuple[list[Comparison], Matching, tuple[str, ...]]:
    """Returns the rows, the pairs, and notes. `side_a` is what is expected. See `any_two.compare`."""
    a, b = runner_of(side_a), runner_of(side_b)
    fed = ports.paired(a.inputs, b.inputs, match)
    rows: list[Comparison] = []
    matching = Matching((), (), (), {})
    notes: list[str] = []
    for batch in batches(inputs, fed):
        if not matching.pairs:
            matching = _every(a, b, batch) if every else outputs_of(a, b, match)
            check(side_a, side_b, matching, chosen)
        pairs = [pair for pair in matching.pairs if chosen.has(*pair)]
        ours = computed(side_a, a, batch.a, [name for name, _ in pairs])
        theirs = computed(side_b, b, batch.b, [name for _, name in pairs])
        rows.extend(rows_of(pairs, ours, theirs, batch, tolerance))
        notes.extend(note for note in batch.notes if note not in notes)
    if not chosen.subset:
        rows.extend(alone("output", matching, chosen))
    return rows, matching, tuple(notes)


def outputs_of(a: Runnable, b: Runnable, match: str) -> Matching:
    """Returns the pairs of outputs; an output of one side may be an inner tensor of the other."""
    return _found_within(a, b, ports.matched(a.outputs, b.outputs, match))


def _every(a: Runnable, b: Runnable, batch: Batch) -> Matching:
    ours, theirs = a.every(list(batch.a)), b.every(list(batch.b))
    matching = by_name({port.name: port.aliases for port in ours}, {port.name: port.aliases for port in theirs})
    return Matching(matching.pairs, (), (), matching.how)


def _found_within(a: Runnable, b: Runnable, matching: Matching) -> Matching:
    """Adds pairs of an output of one side with an inner tensor of the same name on the other."""
    ends = [{port.name: port.aliases for port in side.outputs} for side in (a, b)]
    more = [(name, other) for name in matching.only_a if (other := _inner(b, name, ends[0][name])) is not None]
    less = [(other, name) for name in matching.only_b if (other := _inner(a, name, ends[1][name])) is not None]
    if not more and not less:
        return matching
    return Matching(
        (*matching.pairs, *more, *less),
        tuple(name for name in matching.only_a if name not in dict(more)),
        tuple(name for name in matching.only_b if name not in {other for _, other in less}),
        {**matching.how, "an output of one side within the other": len(more) + len(less)},
    )


def _inner(side: Runnable, name: str, aliases: Sequence[str]) -> str | None:
    return next((name_inside for alias in (*aliases, name) if (name_inside := side.find(alias)) is not None), None)


def check(side_a: Side, side_b: Side, matching: Matching, chosen: Chosen) -> None:
    """Raises NothingInCommonError if no outputs are paired, NoSuchTensorError for a pattern that matches no output."""
    if not matching.pairs:
        names_of_both = " and ".join(
            f"{', '.join(names[:5]) or 'nothing'}" for names in (matching.only_a, matching.only_b)
        )
        raise NothingInCommonError(
            side_a.name, side_b.name, f"their outputs have no name in common ({names_of_both}); give --match position"
        )
    chosen.check([*(name for pair in matching.pairs for name in pair), *matching.only_a, *matching.only_b])


def rows_of(
    pairs: Sequence[tuple[str, str]],
    ours: Mapping[str, Array],
    theirs: Mapping[str, Array],
    batch: Batch,
    tolerance: Tolerance,
    kind: str = "output",
) -> Iterator[Comparison]:
    """Yields a comparison for each pair of outputs; MISSING if a side gives no value for it."""
    for name, renamed in pairs:
        if name in ours and renamed in theirs:
            yield row(kind, name, renamed, ours[name], theirs[renamed], tolerance, batch.call, batch.where)
        else:
            lacking = " and ".join(side for side, has in (("A", name in ours), ("B", renamed in theirs)) if not has)
            missing = Distance(Verdict.MISSING, note=f"{lacking} gives no value for it")
            yield Comparison(kind, batch.call, name, renamed if renamed != name else "", batch.where, (), missing)


def computed(side: Side, runner: Runnable, feeds: Mapping[str, Array], names: Sequence[str]) -> dict[str, Array]:
    """Returns what a side computes. Raises InputsError if TensorFlow or Keras refuses the inputs."""
    try:
        return runner.run(feeds, names)
    except BridgeError:
        raise
    except Exception as error:  # of whatever kind TensorFlow, Keras or a user's layer raises
        raise cannot_run(side.name, error) from error


def cannot_run(name: str, error: Exception) -> InputsError:
    """Returns the error of a side, by its name, that cannot be run on inputs."""
    reason = next((line for line in str(error).splitlines() if line.strip()), "")[:300]
    why = f"{name} cannot be run on them ({type(error).__name__}: {reason})"
    return InputsError(why, "give ones that it takes, by an .npz")
