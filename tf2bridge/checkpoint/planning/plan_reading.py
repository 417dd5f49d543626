"""Plans read from their files, as they were written or as a person changed them."""

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
    """Reads a plan that `Plan.save` wrote, or a person changed. Raises NoSuchFileError, NotRegularFileError,
    TooLargeFileError, PlanFileError, and ChecksumError where it is other than its sidecar says.
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
    with _said(path):
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
        raise PlanFileError(path, f"it says {', '.join(unknown)}, which no plan has")
    if tables.get("version") != VERSION:
        raise PlanFileError(path, f"its version is {tables.get('version')!r}, and this tf2bridge reads {VERSION}")
    keys = tables.get("keys", {})
    typed = {name: _untyped(each) for name, each in tables.get("variables", {}).items()}
    variables = {name: TargetVariable(name, *each, key=keys.get(name, "")) for name, each in typed.items()}
    plan = Plan(
        tables["checkpoint"],
        tables["target"],
        tuple(_read_move(each) for each in tables.get("move", ())),
        dict(tables.get("drop", {})),
        dict(tables.get("keep", {})),
        tuple(_question(each) for each in tables.get("question", ())),
        tuple(tables.get("notes", ())),
        variables,
        {name: _untyped(each) for name, each in tables.get("tensors", {}).items()},
    )
    _check(path, plan)
    return plan


def _check(path: Path, plan: Plan) -> None:
    """Every variable has one place, and none is unknown: what an edit may have broken."""
    asked = {each.name for each in plan.questions if each.about == "variable"}
    for name in [*(move.target for move in plan.moves), *plan.keeps, *asked]:
        if name not in plan.variables:
            raise PlanFileError(path, f"{name!r} is not one of its [variables]")
    targets = [move.target for move in plan.moves]
    if twice := sorted(name for name, count in Counter(targets).items() if count > 1):
        raise PlanFileError(path, f"two moves write {', '.join(map(repr, twice))}")
    if both := sorted(set(targets) & (plan.keeps.keys() | asked)):
        raise PlanFileError(path, f"{both[0]!r} is moved, and kept or asked for as well")
    if absent := sorted(plan.variables.keys() - set(targets) - plan.keeps.keys() - asked):
        raise PlanFileError(
            path, f"nothing is said of the variable {absent[0]!r}: add a [[move]], or a line under [keep]"
        )


def _question(said: Mapping[str, Any]) -> Question:
    about = "variable" if "variable" in said else "tensor"
    return Question(said[about], about, said["why"], tuple(said.get("candidates", ())))


def _read_move(said: Mapping[str, Any]) -> Move:
    given = said["from"]
    if not isinstance(given, (str, list)):
        raise ValueError(f"from = {given!r} is neither the name of a tensor nor a list of names")
    sources = (given,) if isinstance(given, str) else tuple(given)
    steps = tuple(_step(each) for each in said.get("steps", ()))
    return Move(said["target"], sources, steps, said.get("reason", "by hand"), said.get("certain", True))


def _step(said: Mapping[str, Any]) -> Step:
    from tf2bridge.checkpoint.steps import from_table  # with NumPy, which a plan of names alone does without

    return from_table(said)


@contextlib.contextmanager
def _said(path: Path) -> Iterator[None]:
    """What is missing or of another kind in the tables, as the error of the file."""
    try:
        yield
    except KeyError as error:
        raise PlanFileError(path, f"a table lacks {error.args[0]!r}") from error
    except (UnknownStepError, TypeError, ValueError, AttributeError) as error:
        raise PlanFileError(path, str(error)) from error


def _untyped(said: str) -> tuple[Shape, str]:
    """Raises ValueError for a text that is none of these."""
    if (found := _TYPED.fullmatch(said)) is None:
        raise ValueError(f"{said!r} is no type with sizes, as 'float32 [3, 4]'")
    return tuple(map(int, found["sizes"].split(","))) if found["sizes"].strip() else (), found["dtype"]
