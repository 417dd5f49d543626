"""Calls that change variables become methods of the variables."""

from __future__ import annotations

import ast

from codemods.native.kinds import v1_name
from codemods.native.places import place_of
from codemods.native.refusals import NotNativeError
from codemods.native.translations import Translation


def assign(translation: Translation, call: ast.Call) -> None:
    """tf.assign(ref, value) -> ref.assign(value)."""
    if len(call.args) == 2 and not call.keywords:
        name = (v1_name(translation.names, call.func) or "").rpartition(".")[2]
        translation.put(call, f"{translation.text(call.args[0])}.{name}({translation.text(call.args[1])})")


def scatter(translation: Translation, call: ast.Call) -> None:
    """tf.scatter_add(ref, rows, values) -> ref.scatter_add(tf.IndexedSlices(values, rows)), which has the same op."""
    ref, rows, values = (translation.argument(call, at, key) for at, key in enumerate(("ref", "indices", "updates")))
    if ref is None or rows is None or values is None or len(call.args) > 3 or place_of(ref) is None:
        raise NotNativeError(call, "NAT001", "write this with the variable, the rows and their values alone")
    name = (v1_name(translation.names, call.func) or "").rpartition(".")[2]
    slices = f"{translation.tf}.IndexedSlices({translation.text(values)}, {translation.text(rows)})"
    translation.put(call, f"{translation.text(ref)}.{name}({slices})")
