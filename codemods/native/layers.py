"""The layers of tf.layers as layers of Keras: one object for each call, made before the functions that use it."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass

from codemods.names import Names
from codemods.native.batch_norm import LAYER, Normalization, normalization
from codemods.native.batch_norm import NAMES as NORMALIZATIONS
from codemods.native.contrib_layers import NAMES as OF_CONTRIB
from codemods.native.contrib_layers import contrib_layer
from codemods.native.kinds import v1_name
from codemods.native.places import named_arguments
from codemods.native.refusals import NotNativeError
from codemods.native.variable_store import STORED

_CONVOLUTION = (
    "inputs filters kernel_size strides padding data_format {}activation use_bias kernel_initializer bias_initializer"
)
_POOLING = "inputs pool_size strides padding data_format name"
_ROWS: Mapping[str, tuple[str, str]] = {
    "layers.dense": ("Dense", "inputs units activation use_bias kernel_initializer bias_initializer"),
    "layers.conv2d": ("Conv2D", _CONVOLUTION.format("dilation_rate ")),
    "layers.conv1d": ("Conv1D", _CONVOLUTION.format("dilation_rate ")),
    "layers.conv2d_transpose": ("Conv2DTranspose", _CONVOLUTION.format("")),
    "layers.max_pooling2d": ("MaxPooling2D", _POOLING),
    "layers.average_pooling2d": ("AveragePooling2D", _POOLING),
    "layers.flatten": ("Flatten", "inputs name"),
    "contrib.layers.flatten": ("Flatten", "inputs outputs_collections scope"),
    "contrib.slim.flatten": ("Flatten", "inputs outputs_collections scope"),
}
"""Function of TensorFlow 1 -> the layer of Keras that computes the same, and the function's first parameters."""
_WITH_VARIABLES = frozenset(("Dense", "Conv2D", "Conv1D", "Conv2DTranspose", LAYER))
NAMES = frozenset(_ROWS) | NORMALIZATIONS | OF_CONTRIB


@dataclass(frozen=True)
class LayerCall:
    """A call of tf.layers.

    Attributes:
        call: The call.
        layer: The class of Keras.
        inputs: What the layer is called with.
        given: Parameter of the class -> argument, in the order of the call.
        name: The layer's name, if the call gives one.
        normalization: The call as one that normalizes by batches, if it is one.
        of_contrib: The default name, for a layer of tf.contrib.
    """

    call: ast.Call
    layer: str
    inputs: ast.expr
    given: Mapping[str, ast.expr]
    name: str | None
    normalization: Normalization | None = None
    of_contrib: str = ""

    @property
    def has_variables(self) -> bool:
        """Whether the layer has variables, so that all its uses must be of one object."""
        return self.layer in _WITH_VARIABLES

    @property
    def variables(self) -> tuple[str, str]:
        """The names of its weights and its bias in TensorFlow 1."""
        return ("weights", "biases") if self.of_contrib else ("kernel", "bias")

    @property
    def default_name(self) -> str:
        """The name that TensorFlow 1 gives to a layer without one."""
        if self.normalization is not None:
            return "BatchNorm" if self.normalization.trains else "batch_normalization"
        if self.of_contrib:
            return self.of_contrib
        return {"Dense": "dense", "Conv2D": "conv2d", "Conv1D": "conv1d"}.get(self.layer, "conv2d_transpose")


def layer_call(call: ast.Call, names: Names) -> LayerCall | None:
    """Returns a call of tf.layers; None for other calls.

    Raises:
        NotNativeError: It has an option without a counterpart.
    """
    row = _ROWS.get(v1_name(names, call.func) or "")
    if row is None:
        return _normalizing(call, names) or _of_contrib(call, names)
    layer, listed = row
    parameters = listed.split()
    if len(call.args) > len(parameters) or any(isinstance(part, ast.Starred) for part in call.args):
        raise NotNativeError(call, "NAT001", "this layer has options by position that have no counterpart; name them")
    given = named_arguments(call, parameters)
    name = given.pop("scope" if "scope" in parameters else "name", None)
    reuse = given.pop("reuse", None)
    inputs = given.pop("inputs", None)
    unknown = sorted(given.keys() - {*parameters, "trainable", "dilation_rate"})
    if unknown or inputs is None:
        raise NotNativeError(
            call, "NAT001", f"the option {(unknown or ['inputs'])[0]} of this layer has no counterpart"
        )
    if name is None and not _is_default(reuse):
        raise NotNativeError(call, "NAT005", "the source does not say which layer is used again here; name it")
    stated = name.value if isinstance(name, ast.Constant) else None
    if name is not None and not isinstance(stated, str):
        raise NotNativeError(call, "NAT005", "the name of this layer is not a text in the source")
    return LayerCall(call, layer, inputs, given, stated if isinstance(stated, str) else None)


def _of_contrib(call: ast.Call, names: Names) -> LayerCall | None:
    """Returns a call of a layer of tf.contrib; None for other calls."""
    known = contrib_layer(call, names)
    if known is None:
        return None
    name = _stated_name(call, known.name, known.reuse) if known.default_name else None
    return LayerCall(call, known.layer, known.inputs, known.given, name, of_contrib=known.default_name)


def _stated_name(call: ast.Call, name: ast.expr | None, reuse: ast.expr | None) -> str | None:
    """Returns the name of a layer; None if it has its default name.

    Raises:
        NotNativeError: The source does not say it.
    """
    stated = name.value if isinstance(name, ast.Constant) else name
    if (stated is None and not _is_default(reuse)) or not isinstance(stated, str | None):
        raise NotNativeError(call, "NAT005", "the source does not say which layer this is; name it by a text")
    return stated


def _normalizing(call: ast.Call, names: Names) -> LayerCall | None:
    """Returns a call that normalizes by batches as a call of a layer; None for other calls."""
    known = normalization(call, names)
    if known is None:
        return None
    stated = _stated_name(call, known.name, known.reuse)
    return LayerCall(call, LAYER, known.inputs, known.given, stated, known)


def _is_default(reuse: ast.expr | None) -> bool:
    return reuse is None or (isinstance(reuse, ast.Constant) and not reuse.value)


class VariableScopes:
    """The variable scopes that are open while kinds are evaluated, and the names of the layers made in them."""

    def __init__(self) -> None:
        self.names: dict[ast.Call, str] = {}
        self.prefixes: dict[ast.Call, str] = {}
        self._open: list[str | NotNativeError | None] = []
        self._counts: dict[str, int] = {}

    @property
    def prefix(self) -> str:
        """What names of variables begin with here.

        Raises:
            NotNativeError: The source does not say the name of a scope.
        """
        self.require_known()
        return "".join(f"{name}/" for name in self._open if name is not None)

    @property
    def is_in_store(self) -> bool:
        """Whether a scope of the store is open, which counts the layers in it by itself."""
        return None in self._open

    def require_known(self) -> None:
        """Refuses a variable in a scope whose name the source does not say. Such a scope of ops alone is no matter.

        Raises:
            NotNativeError: There is such a scope.
        """
        for name in self._open:
            if isinstance(name, NotNativeError):
                raise name

    def open(self, statement: ast.stmt, names: Names) -> int:
        """Opens the scopes of a `with`; returns how many. A layer without a name counts anew in each."""
        if not isinstance(statement, ast.With):
            return 0
        opened = 0
        for item in statement.items:
            if is_stored_scope(item.context_expr, names):
                self._open.append(None)
                opened += 1
                continue
            try:
                name: str | NotNativeError | None = scope_name(item.context_expr, names)
            except NotNativeError as error:
                name = error
            if name is None:
                continue
            self._open.append(name)
            opened += 1
            if not any(isinstance(other, NotNativeError) for other in self._open):
                for key in [key for key in self._counts if key.startswith(self.prefix)]:
                    del self._counts[key]
        return opened

    def close(self, count: int) -> None:
        """Closes the last scopes."""
        del self._open[len(self._open) - count :]

    def add_variable(self, call: ast.Call) -> None:
        """Notes the scope of a variable.

        Raises:
            NotNativeError: The same call makes variables in several scopes.
        """
        if self.prefixes.setdefault(call, self.prefix) != self.prefix:
            message = f"this call makes variables in {self.prefixes[call]} and in {self.prefix}; give each its own call"
            raise NotNativeError(call, "NAT005", message)

    def add(self, call: ast.Call, name: str | None, default: str) -> None:
        """Gives a layer its name.

        Raises:
            NotNativeError: The same call makes another layer each time.
        """
        key = self.prefix + (name or default)
        if name is None:
            count = self._counts.get(key, 0)
            self._counts[key] = count + 1
            key = f"{key}_{count}" if count else key
        if self.names.setdefault(call, key) != key:
            message = f"this call makes several layers, {self.names[call]} and {key}; give each its own call"
            raise NotNativeError(call, "NAT005", message)


def is_scope(context: ast.expr, names: Names) -> bool:
    """Returns whether a `with` opens a scope of names or variables."""
    return isinstance(context, ast.Call) and v1_name(names, context.func) in ("variable_scope", "name_scope", "device")


def is_stored_scope(context: ast.expr, names: Names) -> bool:
    """Returns whether a `with` opens a scope of the store under a name, for all its statements."""
    if not isinstance(context, ast.Call) or v1_name(names, context.func) != f"{STORED}variable_scope":
        return False
    first = named_arguments(context, ("name_or_scope",)).get("name_or_scope", ast.Constant(None))
    return not (isinstance(first, ast.Constant) and first.value is None)


def waits_for(context: ast.expr, names: Names) -> ast.expr | None:
    """Returns what the ops in a `with tf.control_dependencies(ops)` wait for; None for other contexts."""
    if isinstance(context, ast.Call) and v1_name(names, context.func) == "control_dependencies" and context.args:
        return context.args[0]
    return None


def scope_name(context: ast.expr, names: Names) -> str | None:
    """Returns the name that a `with` adds to variables; None if it adds none.

    Raises:
        NotNativeError: The source does not say the name, or the scope has options.
    """
    if not isinstance(context, ast.Call) or v1_name(names, context.func) != "variable_scope":
        return None
    first = context.args[0] if context.args else None
    options = {keyword.arg for keyword in context.keywords} - {"reuse"}
    if not (isinstance(first, ast.Constant) and isinstance(first.value, str)) or options or len(context.args) > 1:
        raise NotNativeError(
            context, "NAT005", "the source does not say the name of this variable scope, or it has options"
        )
    return first.value
