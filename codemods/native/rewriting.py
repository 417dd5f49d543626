"""Rewrites one file with sessions into one with functions: as it is, and else in other ways, one after another."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import replace

from codemods.native import (
    printed,
    run_options,
)
from codemods.native.dropped_remainders import with_dropped_remainders
from codemods.native.facts import Facts
from codemods.native.fed_quotients import with_fed_quotients
from codemods.native.fetch_lists import with_fetches
from codemods.native.inlining import Inlined, prepared, unchanged, without_records
from codemods.native.later_names import with_later_names
from codemods.native.parts_apart import of_graphs_apart, of_objects_apart
from codemods.native.plain_sessions import completed, moved_error, with_plain_sessions
from codemods.native.public_names import with_public_names
from codemods.native.refusals import NotNativeError
from codemods.native.rewriting_text import rewritten
from codemods.native.rewritten import Native, Program
from codemods.native.scopes_of_ops import with_scopes_of_ops
from codemods.native.sessions_of_methods import with_own_sessions
from codemods.native.stored_variables import with_stored_variables
from codemods.native.texts_of_runs import with_formats
from codemods.native.towers import with_towers_apart


def rewrite(
    text: str,
    module: str = "train",
    line: Callable[[int], int] = int,
    file: Callable[[int], str] | None = None,
    facts: Facts | None = None,
    is_idiomatic: bool = False,
    unbound: frozenset[str] = frozenset(),
) -> Native:
    """Returns a text without sessions.

    Args:
        text: The text as the compat target makes it, or one of TensorFlow 1.
        module: The name of the file as a module, for the map.
        line: Gives the line of the legacy file for a line of the text.
        file: Gives that file, where the text is joined from several.
        facts: What a trace of the program knows.
        is_idiomatic: Whether optimizers become those of Keras where it has them.
        unbound: The names that nothing binds in the author's file.

    Raises:
        NotNativeError: The program cannot become native; the error says why, and where.
    """
    program = Program(module, line, file or (lambda _: f"{module}.py"), facts, is_idiomatic, unbound)
    plain = with_plain_sessions(text, facts.release if facts is not None else "")
    if plain is None:
        return _of_plain(text, program)
    try:
        made = _of_plain(plain.made.text, replace(program.moved(plain.made.line), has_hooks=True))
    except NotNativeError as error:
        raise moved_error(error, plain.made) from error
    return completed(made, plain, text, program)


def _of_plain(text: str, program: Program) -> Native:
    """Rewrites a text whose sessions are plain ones, and else with its towers one after another."""
    try:
        return _of_one_tower(text, program)
    except NotNativeError:
        apart = with_towers_apart(text)
        if apart is None:
            raise
    return _again(unchanged(text).then(apart), program, _of_one_tower)


def _of_one_tower(text: str, program: Program) -> Native:
    """Rewrites a text, and else without its prints of tensors."""
    text, options = run_options.without_run_options(with_scopes_of_ops(with_public_names(text)))
    text = with_fetches(with_formats(with_fed_quotients(with_dropped_remainders(text))))
    shown = [(number, run_options.WHY) for number in options]
    while True:
        try:
            made = _with_store(text, program)
            return replace(made, shown=tuple((program.line(number), why) for number, why in sorted(shown)))
        except NotNativeError as error:
            quiet = printed.without_print(text, error)
            if quiet is None:
                raise
            text, number = quiet
            shown.append((number, printed.WHY))


def _with_store(text: str, program: Program) -> Native:
    """Rewrites a text, and else with a store of the variables that its functions make."""
    try:
        return _of_sessions(text, program)
    except NotNativeError as error:
        stored = with_stored_variables(text) if printed.without_print(text, error) is None else None
        if stored is None:
            raise
        try:
            return _again(unchanged(text).then(stored), program, _of_sessions)
        except NotNativeError:
            if error.code != "NAT005":
                raise error from None  # that of the author's own text says more
            raise


def _of_sessions(text: str, program: Program) -> Native:
    """Rewrites a text, and else with one session for each object whose methods open sessions."""
    try:
        return _attempt(text, program)
    except NotNativeError:
        own = with_own_sessions(text)
        if own is None:
            raise
    return _again(unchanged(text).then(own), program, _attempt)


def _attempt(text: str, program: Program) -> Native:
    """Rewrites a text as it is, and else with the functions that build parts of its graph at their calls."""
    try:
        return rewritten(text, program)
    except NotNativeError as error:
        apart = of_graphs_apart(text, program, _attempt)
        if apart is not None:
            return apart
        inlined = prepared(text) or unchanged(text)
        apart = of_objects_apart(inlined, program, _attempt)
        if apart is not None:
            return apart
        thorough = prepared(text, thorough=True)
        if inlined.text == text and error.place is None and thorough is None:
            raise
    try:
        return _with_later_names(inlined, program)
    except NotNativeError:
        for other in (thorough, without_records(text)):
            if other is not None and other.text != inlined.text:
                with contextlib.suppress(NotNativeError):  # the error of the text nearest to the author's says more
                    return _with_later_names(other, program)
        raise


def _with_later_names(inlined: Inlined, program: Program) -> Native:
    """Rewrites a text, and gives a name that a later part of it binds anew another one where that is needed."""
    while True:
        try:
            return rewritten(inlined.text, program.moved(inlined.line))
        except NotNativeError as error:
            later = with_later_names(inlined.text, error.place) if error.place is not None else None
            if later is None:
                raise moved_error(error, inlined) from error
            inlined = replace(inlined, text=later)


def _again(now: Inlined, program: Program, rewriting: Callable[[str, Program], Native]) -> Native:
    """Rewrites a text that was made of the program's. The lines of errors are those of the program's."""
    try:
        return rewriting(now.text, program.moved(now.line))
    except NotNativeError as error:
        raise moved_error(error, now) from error
