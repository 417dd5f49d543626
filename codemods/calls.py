"""Rewrites calls from one list of parameters to another: arguments whose place or name changed get a keyword."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from codemods.rewording import Rewording

Signature = tuple[str, ...]
Renames = Mapping[str, str]


class Plan(NamedTuple):
    """The new form of a call's arguments.

    `keywords`: argument -> its new keyword; other arguments stay unchanged. `lost`: parameters that no longer exist.
    """

    keywords: tuple[tuple[int | str, str], ...] = ()
    lost: tuple[str, ...] = ()

    @property
    def changes(self) -> bool:
        """Whether the call has to be rewritten, or cannot be."""
        return bool(self.keywords or self.lost)


def is_plain(call: ast.Call) -> bool:
    """Returns whether every argument can be seen: no `*args`, no `**kwargs`."""
    starred = any(isinstance(argument, ast.Starred) for argument in call.args)
    return not starred and all(keyword.arg for keyword in call.keywords)


def bound(call: ast.Call, signature: Signature) -> dict[str, ast.expr] | None:
    """Returns parameter -> argument of a call; None if the call does not fit the signature."""
    positional = [name for name in signature if not name.startswith("*")]
    if not is_plain(call) or len(call.args) > len(positional):
        return None
    arguments = dict(zip(positional, call.args, strict=False))
    for keyword in call.keywords:
        if keyword.arg is None or keyword.arg in arguments or keyword.arg not in positional:
            return None
        arguments[keyword.arg] = keyword.value
    return arguments


def plan(call: ast.Call, old: Signature, new: Signature, renames: Renames) -> Plan | None:
    """Returns how to rewrite a call of `old` as a call of `new` with the same meaning; None if it does not fit `old`.

    `renames` are parameters of `old` that have another name in `new`.
    """
    if bound(call, old) is None:
        return None
    keywords: list[tuple[int | str, str]] = []
    lost: list[str] = []
    moved = False
    for place, name in enumerate(old[: len(call.args)]):
        moved = moved or not _keeps_place(place, old, new, renames)
        if moved:
            _assign(place, name, new, renames, keywords, lost)
    for keyword in call.keywords:
        if keyword.arg is not None and keyword.arg not in new:
            _assign(keyword.arg, keyword.arg, new, renames, keywords, lost)
    return Plan(tuple(keywords), tuple(lost))


def _assign(
    key: int | str, name: str, new: Signature, renames: Renames, keywords: list[tuple[int | str, str]], lost: list[str]
) -> None:
    target = renames.get(name, name)
    if target in new:
        keywords.append((key, target))
    else:
        lost.append(name)


def _keeps_place(place: int, old: Signature, new: Signature, renames: Renames) -> bool:
    """Returns whether a positional argument still has the same meaning at its place."""
    name, target = old[place], renames.get(old[place], old[place])
    if place >= len(new) or new[place].startswith(("*", "_")):
        return False
    if new[place] in (name, target):
        return True
    return new[place] not in old and _is_trailing_alias(place, old, new, renames)


def _is_trailing_alias(place: int, old: Signature, new: Signature, renames: Renames) -> bool:
    """Returns whether `new` keeps the old name only as a deprecated keyword, after all parameters that followed it.

    reduce_sum(input, axis, keep_dims, name) became reduce_sum(input, axis, keepdims, name, keep_dims).
    """
    name = renames.get(old[place], old[place])
    followers = [new.index(other) for other in old[place + 1 :] if other in new]
    return name in new and bool(followers) and new.index(name) > max(followers)


def written(made: Plan) -> Rewording:
    """Returns the rewrite of a call by a plan."""
    return Rewording(made.keywords)


def with_keyword(name: str, value: str) -> Rewording:
    """Returns the rewrite that adds an argument at the end of a call."""
    return Rewording(added=((name, value),))


def without(*names: str) -> Callable[[Any], Any]:
    """Returns the rewrite that removes these keywords from a call."""

    def shorter(node: Any) -> Any:
        import libcst as cst

        kept = [argument for argument in node.args if argument.keyword is None or argument.keyword.value not in names]
        if kept and kept[-1] is not node.args[-1]:
            kept[-1] = kept[-1].with_changes(comma=cst.MaybeSentinel.DEFAULT)
        return node.with_changes(args=kept)

    return shorter
