"""Refuses inputs of Keras layers that 1.15 refused and tf_keras takes, in the words of 1.15.

A convolution of 1.15 took inputs of one rank; tf_keras accepts further batch dimensions. Layers that merge took at
least two inputs.
"""

from __future__ import annotations

import functools
import importlib
import re
from typing import Any

from tf2bridge.patching import put

_CONVOLUTIONS = ("base_conv", "base_depthwise_conv")
_MERGE = "A merge layer should be called on a list of at least 2 inputs. Got 1 inputs."
_CONCATENATE = "A `Concatenate` layer should be called on a list of at least 2 inputs"


def install() -> None:
    """Installs the changes in this process."""
    spec: Any = importlib.import_module("tf_keras.src.engine.input_spec")
    for name in _CONVOLUTIONS:
        module: Any = importlib.import_module(f"tf_keras.src.layers.convolutional.{name}")
        put(module, "InputSpec", _of_one_rank)
    put(spec, "assert_input_compatibility", _with_plain_sizes(spec.assert_input_compatibility))
    for file, name, text in (("base_merge", "_Merge", _MERGE), ("concatenate", "Concatenate", _CONCATENATE)):
        layer: Any = getattr(importlib.import_module(f"tf_keras.src.layers.merging.{file}"), name)
        put(layer, "build", _of_two(layer.build, text))


def _of_one_rank(min_ndim: int | None = None, axes: dict[int, int] | None = None) -> Any:
    """Returns the InputSpec of a convolution for one rank. tf_keras makes it for all ranks from `min_ndim` on."""
    spec: Any = importlib.import_module("tf_keras.src.engine.input_spec")
    return spec.InputSpec(ndim=min_ndim, axes=axes)


def _with_plain_sizes(check: Any) -> Any:
    """Returns the check of inputs with errors that show a shape as numbers. In 1.x its dimensions are objects."""

    @functools.wraps(check)
    def changed(*arguments: Any, **keywords: Any) -> None:
        try:
            check(*arguments, **keywords)
        except ValueError as error:
            error.args = (re.sub(r"Dimension\((\w+)\)", r"\1", str(error)),)
            raise

    return changed


def _of_two(build: Any, text: str) -> Any:
    @functools.wraps(build)
    def changed(self: Any, input_shape: Any) -> None:
        if isinstance(input_shape, list) and len(input_shape) == 1:
            raise ValueError(text)
        build(self, input_shape)

    return changed
