"""Models without inputs of their own get the names of 1.15 for what they were called with: "input_1", "output_1".

They are those of `input_names` and `output_names`. tf_keras leaves these None for a subclassed model that is trained
eagerly, and takes the names of layers for a Sequential model without `input_shape`.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable
from typing import Any

from tf2bridge.patching import put


def install() -> None:
    """Changes models that are trained eagerly, in this process."""
    model: Any = importlib.import_module("tf_keras.src.engine.training").Model
    put(model, "__call__", _naming(model.__call__))


def _naming(call: Callable[..., Any]) -> Callable[..., Any]:
    utils: Any = importlib.import_module("tf_keras.src.engine.compile_utils")
    of_graphs: Any = importlib.import_module("tf_keras.src.engine.training_v1").Model

    @functools.wraps(call)
    def called(self: Any, *args: Any, **kwargs: Any) -> Any:
        given = self.output_names
        outputs = call(self, *args, **kwargs)
        if given is None and not isinstance(self, of_graphs):
            inputs = args[0] if args else kwargs.get("inputs")
            if inputs is not None:
                self.__dict__["input_names"] = utils.create_pseudo_input_names(inputs)
            self.__dict__["output_names"] = utils.create_pseudo_output_names(outputs)
        return outputs

    return called
