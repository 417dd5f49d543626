"""Compares the model with what the old graph computed: the numbers in recorded.npz, recorded_2.npz and so on.

Each file is about other inputs: the first about made-up or given ones, others about inputs that lead to other branches
of the graph, or on which the model and the graph differed most in a search.

`in NAME` holds an input, `out NUMBER` an output, `gradient PATH` the gradient of the weighted sum of the first
output with respect to a variable, `gradient in NAME` that with respect to an input, `after PATH` a variable after the
call; `trainable` holds the paths of the variables that train, `changed` those of the variables that the call changes.
`rounding NAME`, if it is there, is the most that an array of the old graph changed when its inputs and variables were
rounded up or down by one digit.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import keras
import numpy as np

from . import load, weights

_RECORDED = Path(__file__).with_name("recorded.npz")
_BY_TENSORFLOW = keras.backend.backend() == "tensorflow"
LARGEST = 1e-5
"""The largest difference that is allowed, as a part of the largest number of an array."""

SMALL_GRADIENT = 1e-2
"""The part of the largest gradient below which a gradient is rounding to the digits that are compared.

LARGEST of it is 1e-7, about one rounding of float32. A bias of keys before a softmax has such a gradient: it is 0.
"""


ROUNDINGS = 5
"""How many times `rounding NAME` an array may differ: the model rounds in other places, and more often."""


def test_outputs_gradients_and_state_are_those_of_the_old_graph() -> None:
    measured = differences()
    allowed = {
        name: limit for label, expected in _examples().items() for name, limit in limits(expected, label).items()
    }
    assert measured
    assert {name: (size, allowed[name]) for name, size in measured.items() if not size <= allowed[name]} == {}


def differences(
    model: Any = None, compute: Callable[[dict[str, Any], Any], dict[str, Any]] | None = None
) -> dict[str, float]:
    """Returns name of a recorded array -> its largest difference, as a part of its largest number.

    For gradients, that number is at least `SMALL_GRADIENT` of the largest gradient of all.

    Args:
        model: The model. It is loaded unless it is given.
        compute: What to call in place of `computed`.
    """
    if model is None:
        model = load()
    compute = compute or computed
    measured = {}
    for label, expected in _examples().items():
        sizes = _sizes(expected)
        for name, array in compute(expected, model).items():
            measured[name + label] = _difference(expected[name], array) / sizes[name]
    return measured


def limits(expected: dict[str, Any], label: str = "") -> dict[str, float]:
    """Returns name of a recorded array -> the largest difference that is allowed, as a part of its largest number."""
    roundings = {name: float(expected.get(f"rounding {name}", 0.0)) for name in expected}
    return {name + label: max(LARGEST, ROUNDINGS * roundings[name] / size) for name, size in _sizes(expected).items()}


def label_of(number: int) -> str:
    """Returns what follows the names of the arrays of an example, which are counted from 1."""
    return f" (example {number})" if number > 1 else ""


def _examples() -> dict[str, dict[str, Any]]:
    """Returns the label of each file -> its arrays."""
    files = {1: _RECORDED} | {int(path.stem[9:]): path for path in _RECORDED.parent.glob("recorded_[0-9]*.npz")}
    return {label_of(number): _arrays(files[number]) for number in sorted(files)}


def _arrays(path: Path) -> dict[str, Any]:
    with np.load(path) as recorded:
        return dict(recorded)


def _sizes(expected: dict[str, Any]) -> dict[str, float]:
    """Returns the number that the differences of each array are parts of."""
    sizes = {name: _size(array) for name, array in expected.items()}
    least = SMALL_GRADIENT * max((size for name, size in sizes.items() if name.startswith("gradient ")), default=0.0)
    return {name: max(size, least if name.startswith("gradient ") else 0.0) or 1.0 for name, size in sizes.items()}


def computed(expected: dict[str, Any], model: Any) -> dict[str, Any]:
    """Returns what the model computes in place of each array that is recorded: gradients on TensorFlow alone.

    The variables of the model have afterwards the values that they had before.
    """
    with _put_back(model) as changed:
        arrays = computed_by_keras(model, expected) if not _BY_TENSORFLOW else computed_by_tensorflow(model, expected)
        arrays["trainable"] = np.array(sorted(_trained(model)), np.str_)
    arrays["changed"] = np.array(changed, np.str_)
    if _BY_TENSORFLOW and any(name.startswith("gradient ") for name in expected):
        with _put_back(model):
            arrays |= gradients(model, expected)
    return {name: array for name, array in arrays.items() if name in expected}


@contextlib.contextmanager
def _put_back(model: Any) -> Iterator[list[str]]:
    """Gives the variables of the model back the values that they had before a with block.

    Yields a list that has the paths of the variables that have changed, once the block has ended.
    """
    before = {path: _values(model, path) for path in weights.names()}
    changed: list[str] = []
    try:
        yield changed
    finally:
        changed += sorted(path for path, array in before.items() if not _is_same(array, _values(model, path)))
        for path in changed:
            weights.attribute(model, path).assign(before[path])


def _trained(model: Any) -> Iterator[str]:
    """Yields the path of each variable that trains; of one that the old graph did not have, its name."""
    paths = {id(weights.attribute(model, path)): path for path in weights.names()}
    for variable in model.trainable_variables:
        yield paths.get(id(variable), f"{variable.name}, no variable of the old graph")


def computed_by_keras(model: Any, expected: dict[str, Any]) -> dict[str, Any]:
    """Returns the outputs of the model and its variables after the call, on any backend of Keras."""
    inputs = {name: keras.ops.convert_to_tensor(expected[f"in {name}"]) for name in model.legacy_inputs}
    outputs = _outputs(model, inputs)
    arrays = {f"out {number}": keras.ops.convert_to_numpy(output) for number, output in enumerate(outputs)}
    after = {name: weights.attribute(model, name[6:]) for name in expected if name.startswith("after ")}
    return arrays | {name: keras.ops.convert_to_numpy(variable) for name, variable in after.items()}


def computed_by_tensorflow(model: Any, expected: dict[str, Any]) -> dict[str, Any]:
    """Returns the outputs of the model, and its variables after the call."""
    outputs = _outputs(model, _inputs(model, expected))
    arrays = {f"out {number}": output.numpy() for number, output in enumerate(outputs)}
    return arrays | {name: variable_at(model, name[6:]).numpy() for name in expected if name.startswith("after ")}


def gradients(model: Any, expected: dict[str, Any]) -> dict[str, Any]:
    """Returns the gradients that are recorded, of the weighted sum of the first output."""
    import tensorflow as tf

    inputs = _inputs(model, expected)
    sources = {name[9:]: variable_at(model, name[9:]) for name in expected if _is_of_a_variable(name)}
    sources |= {f"in {name}": tensor for name, tensor in inputs.items() if tensor.dtype.is_floating}
    with by_operation(model, inputs), tf.GradientTape() as tape:
        tape.watch([tensor for tensor in inputs.values() if tensor.dtype.is_floating])
        total = weighted_sum(_outputs(model, inputs)[0])
    arrays = {}
    for name, gradient in tape.gradient(total, sources).items():
        wanted = expected.get(f"gradient {name}")
        if wanted is not None:  # a branch that is not taken has none, where the old graph has zeros
            array = np.zeros_like(wanted) if gradient is None else np.asarray(tf.convert_to_tensor(gradient))
            arrays[f"gradient {name}"] = array
    return arrays


def _inputs(model: Any, expected: dict[str, Any]) -> dict[str, Any]:
    import tensorflow as tf

    return {name: tf.convert_to_tensor(expected[f"in {name}"]) for name in model.legacy_inputs}


@contextlib.contextmanager
def by_operation(model: Any, inputs: dict[str, Any]) -> Iterator[None]:
    """Runs a model without loops and conditions operation by operation: its gradients need no trace, which is slow.

    Args:
        model: The model, which has been called on inputs of these shapes.
        inputs: The name of each input -> a tensor.
    """
    import tensorflow as tf

    before = tf.config.functions_run_eagerly()
    call = getattr(model, "call", model.__call__)
    is_traced = hasattr(call, "get_concrete_function")
    graph = call.get_concrete_function(*inputs.values()).graph.as_graph_def() if is_traced else None
    tf.config.run_functions_eagerly(before or (graph is not None and not graph.library.function))
    try:
        yield
    finally:
        tf.config.run_functions_eagerly(before)


def _outputs(model: Any, inputs: dict[str, Any]) -> list[Any]:
    outputs = model(*inputs.values())
    return [outputs] if len(model.legacy_outputs) == 1 else list(outputs)


def weighted_sum(tensor: Any) -> Any:
    """Returns the sum of all elements of a tensor of TensorFlow with the weights 1, 2, ... 7, 1, 2, ...

    The plain sum of what softmax gives is always 1, and its gradient is what rounding leaves.
    """
    import tensorflow as tf

    factors = tf.cast(tf.range(tf.size(tensor)) % 7 + 1, tensor.dtype)
    return tf.reduce_sum(tf.reshape(tensor, [-1]) * factors)


def _is_of_a_variable(name: str) -> bool:
    return name.startswith("gradient ") and not name.startswith("gradient in ")


def variable_at(model: Any, path: str) -> Any:
    """Returns the `tf.Variable` at a path of attributes, which Keras keeps in a variable of its own."""
    variable = weights.attribute(model, path)
    return variable.value if isinstance(variable, keras.Variable) else variable


def _values(model: Any, path: str) -> Any:
    """Returns what a variable holds now."""
    if _BY_TENSORFLOW:
        return np.asarray(variable_at(model, path).read_value())  # a variable that changes gets other memory
    return np.array(keras.ops.convert_to_numpy(variable_at(model, path)))  # that of PyTorch shares the memory


def _is_same(array: Any, other: Any) -> bool:
    """Returns True if two arrays of one variable are the same; what is no number is the same as itself."""
    if array.dtype.kind != "O":
        array, other = np.ascontiguousarray(array).view(np.uint8), np.ascontiguousarray(other).view(np.uint8)
    return np.array_equal(array, other)


def wide(array: Any) -> Any:
    """Returns the numbers in a type whose differences do not overflow."""
    return array.astype(np.complex128 if array.dtype.kind == "c" else np.float64)


def _size(array: Any) -> float:
    """Returns the largest number of an array."""
    if array.dtype.kind not in "fciu":
        return 1.0
    numbers = array if array.dtype.kind == "f" else wide(array)
    return float(np.max(np.abs(numbers), initial=0.0, where=np.isfinite(array)))


def _difference(expected: Any, array: Any) -> float:
    """Returns the largest difference of two arrays; infinity if they cannot be compared."""
    if expected.dtype.kind in "SU" or array.dtype.kind in "OSb":
        same = expected.shape == array.shape and np.array_equal(expected, array.astype(expected.dtype))
        return 0.0 if same else float("inf")
    if expected.shape != array.shape or expected.dtype != array.dtype:
        return float("inf")
    finite = np.isfinite(expected)
    if not np.array_equal(finite, np.isfinite(array)):
        return float("inf")
    with np.errstate(invalid="ignore"):
        is_float = expected.dtype.kind == "f"
        difference = np.subtract(expected, array, dtype=np.float64) if is_float else wide(expected) - wide(array)
    return float(np.max(np.abs(difference), initial=0.0, where=finite))
