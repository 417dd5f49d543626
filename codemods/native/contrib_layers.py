"""The layers of tf.contrib.layers and tf.contrib.slim: their options, as those of layers of Keras.

Their variables are called weights and biases, and most end with a ReLU (`layers.py` of 1.15.5).
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass

from codemods.names import Names
from codemods.native.kinds import v1_name
from codemods.native.places import named_arguments
from codemods.native.refusals import NotNativeError

_COMMON = "activation_fn normalizer_fn- normalizer_params-"
_VARIABLES = (
    "weights_initializer weights_regularizer- biases_initializer biases_regularizer- reuse variables_collections- "
    "outputs_collections- trainable scope"
)
_CONVOLUTION = f"inputs num_outputs kernel_size stride padding data_format- rate {_COMMON} {_VARIABLES}"
_ROWS: Mapping[str, tuple[str, str, str]] = {
    "fully_connected": ("Dense", "fully_connected", f"inputs num_outputs {_COMMON} {_VARIABLES}"),
    "conv2d": ("Conv2D", "Conv", _CONVOLUTION),
    "convolution2d": ("Conv2D", "Conv", _CONVOLUTION),
    **dict.fromkeys(
        ("conv2d_transpose", "convolution2d_transpose"),
        (
            "Conv2DTranspose",
            "Conv2d_transpose",
            f"inputs num_outputs kernel_size stride padding data_format- {_COMMON} {_VARIABLES}",
        ),
    ),
    "max_pool2d": ("MaxPooling2D", "", "inputs kernel_size stride padding data_format- outputs_collections- scope"),
    "avg_pool2d": ("AveragePooling2D", "", "inputs kernel_size stride padding data_format- outputs_collections- scope"),
}
"""Function -> the layer of Keras, the name of its scope, and its parameters. `name-` must be None."""
_SPELLED = {
    "num_outputs": {"Dense": "units", "Conv2D": "filters", "Conv2DTranspose": "filters"},
    "kernel_size": {"MaxPooling2D": "pool_size", "AveragePooling2D": "pool_size"},
    "stride": dict.fromkeys(("Conv2D", "Conv2DTranspose", "MaxPooling2D", "AveragePooling2D"), "strides"),
    "rate": {"Conv2D": "dilation_rate"},
    "activation_fn": dict.fromkeys(("Dense", "Conv2D", "Conv2DTranspose"), "activation"),
    "weights_initializer": dict.fromkeys(("Dense", "Conv2D", "Conv2DTranspose"), "kernel_initializer"),
    "biases_initializer": dict.fromkeys(("Dense", "Conv2D", "Conv2DTranspose"), "bias_initializer"),
}
"""Parameter -> layer -> the parameter of Keras, where it has another name."""
NAMES = frozenset(f"contrib.{module}.{name}" for module in ("layers", "slim") for name in _ROWS)


@dataclass(frozen=True)
class ContribLayer:
    """A call of a layer of tf.contrib.

    Attributes:
        layer: The class of Keras.
        inputs: What the layer is called with.
        given: Parameter of the class -> argument.
        name: The argument that names its variables.
        reuse: The argument that says whether they are those of another call.
        default_name: What its variables begin with where the call says no name.
    """

    layer: str
    inputs: ast.expr
    given: Mapping[str, ast.expr]
    name: ast.expr | None
    reuse: ast.expr | None
    default_name: str


def contrib_layer(call: ast.Call, names: Names) -> ContribLayer | None:
    """Returns a call of a layer of tf.contrib; None for other calls.

    Raises:
        NotNativeError: It has an option without a counterpart.
    """
    full = v1_name(names, call.func) or ""
    if full not in NAMES:
        return None
    layer, default, listed = _ROWS[full.rpartition(".")[2]]
    parameters = [word.rstrip("-") for word in listed.split()]
    if len(call.args) > len(parameters) or any(isinstance(part, ast.Starred) for part in call.args):
        raise NotNativeError(call, "NAT001", "this layer has options by position that have no counterpart; name them")
    given = named_arguments(call, parameters)
    none = {key for key, value in given.items() if isinstance(value, ast.Constant) and value.value is None}
    refused = sorted(given.keys() - {*parameters} | {word[:-1] for word in listed.split() if word[-1] == "-"})
    refused = [option for option in refused if option in given.keys() - none]
    if refused or "inputs" not in given:
        option = (refused or ["inputs"])[0]
        raise NotNativeError(call, "NAT001", f"the option {option} of this layer has no counterpart")
    inputs, scope, reuse = given.pop("inputs"), given.pop("scope", None), given.pop("reuse", None)
    chosen = {_SPELLED.get(key, {}).get(layer, key): value for key, value in given.items() if key not in none}
    chosen |= _defaults(layer, given, none)
    return ContribLayer(layer, inputs, chosen, scope, reuse, default)


def parameters_of(name: str) -> list[str]:
    """Returns the parameters of a layer of tf.contrib; none of other functions."""
    row = _ROWS.get(name.rpartition(".")[2]) if name in NAMES else None
    return [word.rstrip("-") for word in row[2].split()] if row is not None else []


def default_scope(name: str) -> str:
    """Returns the name of the scope of a layer of tf.contrib with variables; "" for other functions."""
    return _ROWS[name.rpartition(".")[2]][1] if name in NAMES else ""


def _defaults(layer: str, given: Mapping[str, ast.expr], none: set[str]) -> dict[str, ast.expr]:
    """Returns the options that Keras has otherwise where a call does not give them."""
    options: dict[str, ast.expr] = {}
    if layer.endswith("Pooling2D"):
        options |= {"strides": ast.Constant(2)} if "stride" not in given else {}
        return options
    options |= {"activation": ast.Constant("relu")} if "activation_fn" not in given else {}
    options |= {"use_bias": ast.Constant(False)} if "biases_initializer" in none else {}
    if layer != "Dense":
        options |= {"padding": ast.Constant("same")} if "padding" not in given else {}
    return options
