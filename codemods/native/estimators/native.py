"""Makes a program with an Estimator native, by way of the sessions that the Estimator made."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import replace

from codemods.native.estimators.rewriting import Plain
from codemods.native.estimators.settings import WHY
from codemods.native.facts import Facts
from codemods.native.native_map import Call
from codemods.native.refusals import NotNativeError
from codemods.native.rewriting import rewrite
from codemods.native.rewritten import Native

_SHUFFLED = "the input is shuffled anew in each run, so that no trace proves what this computes; record it unshuffled"


def native_of_estimator(
    plain: Plain,
    module: str,
    line: Callable[[int], int],
    file: Callable[[int], str],
    facts: Facts | None,
    is_idiomatic: bool,
    unbound: frozenset[str],
) -> Native:
    """Returns a native program that had an Estimator. For the arguments, see `rewrite`.

    Raises:
        NotNativeError: The program cannot become native; the error is at a line of the text with the Estimator.
    """
    try:
        made = rewrite(
            plain.text,
            module,
            lambda number: line(plain.line(number)),
            lambda number: file(plain.line(number)),
            facts,
            is_idiomatic,
            unbound,
        )
    except NotNativeError as error:
        where = ast.Pass(lineno=plain.line(getattr(error.node, "lineno", 1)), col_offset=0)
        raise NotNativeError(where, error.code, error.message) from error
    rows = _rows(made, plain, lambda number: f"{file(number)}:{line(number)}")
    shuffled = [(line(number), _SHUFFLED) for number in plain.shuffled]
    hooks = [(line(number), WHY) for number in plain.left_out]
    return replace(made, calls=tuple(rows), unproven=(*made.unproven, *shuffled), shown=(*made.shown, *hooks))


def _rows(made: Native, plain: Plain, place: Callable[[int], str]) -> list[Call]:
    """Returns a row for each call of the Estimator, which fed nothing: its graphs took what their inputs gave."""
    lines = {place(first): others for first, others in plain.sites.items()}
    return [
        replace(call, legacy=place(other), feeds=("",) * len(call.feeds)) if call.legacy in lines else call
        for call in made.calls
        for other in lines.get(call.legacy, (0,))
    ]
