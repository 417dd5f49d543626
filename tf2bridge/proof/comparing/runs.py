"""Two sides that are run on the same inputs: their outputs, or all that both compute under one name."""

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
from tf2bridge.proof.comparing.stored import Chosen, alone, row
from tf2bridge.proof.numbers.distance import Distance
from tf2bridge.proof.numbers.pieces import Array
from tf2bridge.proof.numbers.tolerance import Tolerance, Verdict


def runner_of(side: Side) -> Runnable:
    """What runs a side. Raises NothingInCommonError."""
    if side.trace is not None:
        why = "its calls were recorded with their inputs; leave --inputs away to hold them against a graph or model"
        raise NothingInCommonError(side.name, "inputs", why)
    if side.runner is None:
        what = f"{_article(side.kind)} with no graph or model beside it"
        why = f"it is {what}; leave --inputs away to compare what it stores"
        raise NothingInCommonError(side.name, "inputs", why)
    return side.runner()


def _article(kind: str) -> str:
    if kind.endswith("s"):
        return kind
    return f"an {kind}" if kind.startswith(("a", "e", "i", "o", "n", "h5")) else f"a {kind}"


def compared(
    one: Side, other: Side, inputs: Any, chosen: Chosen, match: str, tolerance: Tolerance, every: bool
) -> tuple[list[Comparison], Matching, tuple[str, ...]]:
    """Returns the rows, what was paired, and notes. `one` is what is expected. See `compared.compare`."""
    a, b = runner_of(one), runner_of(other)
    fed = ports.paired(a.inputs, b.inputs, match)
    rows: list[Comparison] = []
    matching = Matching((), (), (), {})
    notes: list[str] = []
    for batch in batches(inputs, fed):
        if not matching.pairs:
            matching = _outputs(a, b, batch, match, every)
            _check(one, other, matching, chosen)
        pairs = [pair for pair in matching.pairs if chosen.has(*pair)]
        ours = computed(one, a, batch.a, [name for name, _ in pairs])
        theirs = computed(other, b, batch.b, [name for _, name in pairs])
        rows.extend(_rows(pairs, ours, theirs, batch, tolerance))
        notes.extend(note for note in batch.notes if note not in notes)
    if not chosen.subset:
        rows.extend(alone("output", matching, chosen))
    return rows, matching, tuple(notes)


def _outputs(a: Runnable, b: Runnable, batch: Batch, match: str, every: bool) -> Matching:
    if not every:
        return _found_within(a, b, ports.matched(a.outputs, b.outputs, match))
    ours, theirs = a.every(list(batch.a)), b.every(list(batch.b))
    found = by_name({each.name: each.aliases for each in ours}, {each.name: each.aliases for each in theirs})
    return Matching(found.pairs, (), (), found.how)


def _found_within(a: Runnable, b: Runnable, found: Matching) -> Matching:
    """The same with the outputs of one side paired that the other computes on the way, under the same name."""
    ends = [{each.name: each.aliases for each in side.outputs} for side in (a, b)]
    more = [(name, other) for name in found.only_a if (other := _inner(b, name, ends[0][name])) is not None]
    less = [(other, name) for name in found.only_b if (other := _inner(a, name, ends[1][name])) is not None]
    if not more and not less:
        return found
    return Matching(
        (*found.pairs, *more, *less),
        tuple(name for name in found.only_a if name not in dict(more)),
        tuple(name for name in found.only_b if name not in {other for _, other in less}),
        {**found.how, "an output of one side within the other": len(more) + len(less)},
    )


def _inner(side: Runnable, name: str, aliases: Sequence[str]) -> str | None:
    return next((found for each in (*aliases, name) if (found := side.find(each)) is not None), None)


def _check(one: Side, other: Side, matching: Matching, chosen: Chosen) -> None:
    if not matching.pairs:
        said = " and ".join(f"{', '.join(names[:5]) or 'nothing'}" for names in (matching.only_a, matching.only_b))
        raise NothingInCommonError(
            one.name, other.name, f"their outputs have no name in common ({said}); give --match position"
        )
    chosen.check([*(name for pair in matching.pairs for name in pair), *matching.only_a, *matching.only_b])


def _rows(
    pairs: Sequence[tuple[str, str]],
    ours: Mapping[str, Array],
    theirs: Mapping[str, Array],
    batch: Batch,
    tolerance: Tolerance,
) -> Iterator[Comparison]:
    for name, renamed in pairs:
        if name in ours and renamed in theirs:
            yield row("output", name, renamed, ours[name], theirs[renamed], tolerance, batch.call, batch.where)
        else:
            lacking = " and ".join(side for side, has in (("A", name in ours), ("B", renamed in theirs)) if not has)
            found = Distance(Verdict.MISSING, note=f"{lacking} gives no value for it")
            yield Comparison("output", batch.call, name, renamed if renamed != name else "", batch.where, (), found)


def computed(side: Side, runner: Runnable, feeds: Mapping[str, Array], names: Sequence[str]) -> dict[str, Array]:
    """What a side computes. Raises InputsError where TensorFlow or Keras refuses what it is given."""
    try:
        return runner.run(feeds, names)
    except BridgeError:
        raise
    except Exception as error:  # of whatever kind TensorFlow, Keras or a user's layer raises
        said = next((line for line in str(error).splitlines() if line.strip()), "")[:300]
        why = f"{side.name} cannot be run on them ({type(error).__name__}: {said})"
        raise InputsError(why, "give ones that it takes, by an .npz") from error
