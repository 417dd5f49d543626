"""Writes plans as TOML files, which people can read and change, and which can be applied again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from codemods.printable import unicode_text
from tf2bridge.checkpoint.moves import Move, Shape
from tf2bridge.checkpoint.planning.plan_data import PlanData
from tf2bridge.checkpoint.planning.toml_text import key, quoted, written
from tf2bridge.whole_file import write_whole

VERSION = 1
_HEAD = """\
# A plan of tf2bridge: what happens to each tensor of a checkpoint, and where each variable of the target comes from.
# To answer a question, add a [[move]] (target, from, and steps if necessary), or a line under [drop] for a tensor of
# the checkpoint, or a line under [keep] for a variable of the target. Then delete the question.
"""


def as_toml(plan: PlanData) -> str:
    """Returns the plan as the text of its file."""
    return "\n".join([_HEAD, *_lines(plan)]) + "\n"


def save(plan: PlanData, path: Path) -> None:
    """Writes the file completely or not at all."""
    write_whole(path, as_toml(plan))


def _lines(plan: PlanData) -> Iterator[str]:
    yield f"version = {VERSION}"
    yield f"checkpoint = {quoted(unicode_text(plan.source))}"  # a file's name may be no UTF-8
    yield f"target = {quoted(unicode_text(plan.target))}"
    if plan.notes:
        yield "notes = [" + "".join(f"\n  {quoted(note)}," for note in plan.notes) + "\n]"
    for question in plan.questions:
        yield "\n[[question]]"
        yield f"{question.about} = {quoted(question.name)}"
        yield f"why = {quoted(question.why)}"
        yield f"candidates = {written(question.candidates)}"
    for move in plan.moves:
        yield from _move(move)
    for title, reasons in (("drop", plan.drops), ("keep", plan.keeps)):
        if reasons:
            yield f"\n[{title}]"
            yield from (f"{key(name)} = {quoted(why)}" for name, why in reasons.items())
    variables = {name: (variable.shape, variable.dtype) for name, variable in plan.variables.items()}
    for title, values in (("variables", variables), ("tensors", plan.tensors)):
        yield f"\n[{title}]"
        yield from (f"{key(name)} = {quoted(_typed(shape, dtype))}" for name, (shape, dtype) in values.items())
    if any(variable.key for variable in plan.variables.values()):
        yield "\n# Where tf.train.Checkpoint(model=...) looks for the variables."
        yield "[keys]"
        yield from (
            f"{key(name)} = {quoted(variable.key)}" for name, variable in plan.variables.items() if variable.key
        )


def _typed(shape: Shape, dtype: str) -> str:
    """Returns a type and sizes on one line, such as "float32 [3, 4]": thousands of tables would take long to read."""
    return f"{dtype} {list(shape)}"


def _move(move: Move) -> Iterator[str]:
    yield "\n[[move]]"
    yield f"target = {quoted(move.target)}"
    yield f"from = {written(move.sources[0] if len(move.sources) == 1 else move.sources)}"
    if move.steps:
        from tf2bridge.checkpoint.steps import to_table

        yield f"steps = [{', '.join(written(to_table(step)) for step in move.steps)}]"
    yield f"reason = {quoted(move.reason)}"
    if not move.certain:
        yield "certain = false"
