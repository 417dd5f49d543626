"""Reads plans from files, as `Plan.save` wrote them or as a person changed them."""

from __future__ import annotations

import contextlib
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from tf2bridge.checkpoint.mapping import Plan
from tf2bridge.checkpoint.moves import Move, Shape, Step, TargetVariable
from tf2bridge.checkpoint.planning.plan_data import Question
from tf2bridge.checkpoint.planning.plan_file import VERSION
from tf2bridge.checkpoint.planning.refusals import PlanFileError
from tf2bridge.checkpoint.planning.toml_text import parsed
from tf2bridge.checkpoint.refusals import UnknownStepError
from tf2bridge.errors import NoSuchFileError
from tf2bridge.formats import sidecars
from tf2bridge.regular_files import text_of

_TYPED = re.compile(r"(?P<dtype>\w+) \[(?P<sizes>[\d, ]*)\]")


def load_plan(path: str | Path) -> Plan:
    """Returns the plan in a file that `Plan.save` wrote, or that a person changed.

    Raises:
        NoSuchFileError, NotRegularFileError, TooLargeFileError: The file cannot be read.
        PlanFileError: The file is no plan.
        ChecksumError: The file differs from its seal.
    """
    path = Path(path)
    try:
        text = text_of(path)
        sidecars.verify(path)
        tables = parsed(text)
    except FileNotFoundError as error:
        raise NoSuchFileError(path, "plan") from error
    except ValueError as error:
        raise PlanFileError(path, str(error)) from error
    with _as_plan_error(path):
        return _plan(path, tables)


def _plan(path: Path, tables: Mapping[str, Any]) -> Plan:
    known = {
        "version",
        "checkpoint",
        "target",
        "notes",
        "question",
        "move",
        "drop",
        "keep",
        "variables",
        "tensors",
        "keys",
    }
    if unknown := sorted(tables.keys() - known):
        raise PlanFileError(path, f"it has {', '.join(unknown)}, which is no part of a plan")
    if tables.get("version") != VERSION:
        raise PlanFileError(path, f"its version is {tables.get('version')!r}, and this tf2bridge reads {VERSION}")
    keys = tables.get("keys", {})
    typed = {name: _untyped(text) for name, text in tables.get("variables", {}).items()}
    variables = {name: TargetVariable(name, *facts, key=keys.get(name, "")) for name, facts in typed.items()}
    plan = Plan(
        tables["checkpoint"],
        tables["target"],
        tuple(_read_move(table) for table in tables.get("move", ())),
        dict(tables.get("drop", {})),
        dict(tables.get("keep", {})),
        tuple(_question(table) for table in tables.get("question", ())),
        tuple(tables.get("notes", ())),
        variables,
        {name: _untyped(text) for name, text in tables.get("tensors", {}).items()},
    )
    _check(path, plan)
    return plan


def _check(path: Path, plan: Plan) -> None:
    """Raises PlanFileError if an edit broke the plan: a variable has two places, no place, or is unknown."""
    asked = {question.name for question in plan.questions if question.about == "variable"}
    for name in [*(move.target for move in plan.moves), *plan.keeps, *asked]:
        if name not in plan.variables:
            raise PlanFileError(path, f"{name!r} is not one of its [variables]")
    targets = [move.target for move in plan.moves]
    if twice := sorted(name for name, count in Counter(targets).items() if count > 1):
        raise PlanFileError(path, f"two moves write {', '.join(map(repr, twice))}")
    if both := sorted(set(targets) & (plan.keeps.keys() | asked)):
        raise PlanFileError(path, f"{both[0]!r} is moved, and also kept or asked for")
    if absent := sorted(plan.variables.keys() - set(targets) - plan.keeps.keys() - asked):
        raise PlanFileError(
            path, f"it does not mention the variable {absent[0]!r}: add a [[move]], or a line under [keep]"
        )


def _question(table: Mapping[str, Any]) -> Question:
    about = "variable" if "variable" in table else "tensor"
    return Question(table[about], about, table["why"], tuple(table.get("candidates", ())))


def _read_move(table: Mapping[str, Any]) -> Move:
    given = table["from"]
    if not isinstance(given, (str, list)):
        raise ValueError(f"from = {given!r} is neither the name of a tensor nor a list of names")
    sources = (given,) if isinstance(given, str) else tuple(given)
    steps = tuple(_step(step) for step in table.get("steps", ()))
    return Move(table["target"], sources, steps, table.get("reason", "by hand"), table.get("certain", True))


def _step(table: Mapping[str, Any]) -> Step:
    from tf2bridge.checkpoint.steps import from_table  # with NumPy, which a plan of names alone does without

    return from_table(table)


@contextlib.contextmanager
def _as_plan_error(path: Path) -> Iterator[None]:
    """Raises a PlanFileError if something in the tables is missing, or has another type."""
    try:
        yield
    except KeyError as error:
        raise PlanFileError(path, f"a table lacks {error.args[0]!r}") from error
    except (UnknownStepError, TypeError, ValueError, AttributeError) as error:
        raise PlanFileError(path, str(error)) from error


def _untyped(text: str) -> tuple[Shape, str]:
    """Returns shape and dtype of a text such as "float32 [3, 4]". Raises ValueError for another text."""
    if (match := _TYPED.fullmatch(text)) is None:
        raise ValueError(f"{text!r} is no type with sizes, such as 'float32 [3, 4]'")
    return tuple(map(int, match["sizes"].split(","))) if match["sizes"].strip() else (), match["dtype"]
