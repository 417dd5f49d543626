"""Every public name of 1.15.5's core resolves in `tf2bridge.v1` and takes 1.15.5's arguments, or its error says why.

The names, and the arguments of functions that changed, are those of codemods/symbols/data, built from the releases.
"""

from __future__ import annotations

import inspect
from typing import Any

import pytest

from codemods.symbols import lookup, names, signature
from tf2bridge.v1.catalog import TREE
from tf2bridge.v1.exclusions import exclusion
from tf2bridge.v1.namespace import resolve
from tf2bridge.v1.refusals import UnavailableNameError

RELEASE = "1.15.5"
BOUND_OTHERWISE = {
    "Tensor": "programs do not construct tensors",
    "RaggedTensor": "its constructor is private (`internal`)",
    "autograph.experimental.set_loop_options": "back_prop is gone: a loop has a gradient where one is taken",
    "errors.UnknownError": "error_code is the fourth of *args",
    "data.experimental.OptionalStructure": "value_structure is called element_spec",
    "OptionalSpec": "value_structure is called element_spec",
    "function": "its options after `autograph` are given by name",
    "random.experimental.create_rng_state": "algorithm is called alg",
    "tpu.replicate": "maximum_shapes is gone; it needs a TPU",
    "einsum": "it takes any number of inputs",
}
"""Names of 1.15.5 whose arguments are others today, and why that is let be."""


def core() -> list[str]:
    """The public names of 1.15.5 outside contrib."""
    result = [name for name in names() if not name.startswith(("contrib", "python."))]
    return [name for name in result if RELEASE in (lookup(name) or pytest.fail(name)).releases]


@pytest.mark.parametrize("part", sorted({name.partition(".")[0] for name in core()}))
def test_every_name_resolves_or_says_why_not(part: str) -> None:
    missing = []
    for name in core():
        if name.partition(".")[0] == part:
            try:
                resolve(TREE, name)
            except UnavailableNameError as error:
                if exclusion(name) is None:
                    missing.append(f"{name}: {error}")
    assert not missing, "\n".join(missing)


def positional(function: Any) -> list[str] | None:
    """The names of positional parameters, None where the function does not say."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return None
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return [parameter.name for parameter in parameters if parameter.kind in kinds and parameter.name != "self"]


def test_changed_functions_take_the_arguments_of_1_15() -> None:
    wrong = []
    for name in core():
        wanted = signature(name, RELEASE)
        if wanted is None or name in BOUND_OTHERWISE or exclusion(name) is not None:
            continue
        taken = positional(resolve(TREE, name))
        listed = [item for item in wanted if not item.startswith("*")]
        if taken is not None and taken[: len(listed)] != listed:
            wrong.append(f"{name} takes {taken}, and took {listed}")
    assert not wrong, "\n".join(wrong)
