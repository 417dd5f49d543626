"""Input receivers: the tensors that an exported model is fed, and the features that it makes of them."""

from __future__ import annotations

import collections
from collections.abc import Callable
from typing import Any

import tensorflow as tf

from tf2bridge.estimator import input_results
from tf2bridge.estimator.graphs import new_graph

v1 = tf.compat.v1

SINGLE_FEATURE = "feature"
SINGLE_LABEL = "label"
SINGLE_RECEIVER = "input"
_NAMES = {"feature": SINGLE_FEATURE, "label": SINGLE_LABEL}


class ServingInputReceiver(
    collections.namedtuple("ServingInputReceiver", ["features", "receiver_tensors", "receiver_tensors_alternatives"])
):
    """Features as a dict, and the tensors to feed, under their names in the signature.

    Raises:
        ValueError: A value is not a tensor, or a key is not a string.
    """

    __slots__ = ()

    def __new__(
        cls, features: Any, receiver_tensors: Any, receiver_tensors_alternatives: Any = None
    ) -> ServingInputReceiver:
        features = checked_tensors(features, "feature", integer_keys=True)
        receiver_tensors = checked_tensors(receiver_tensors, "receiver_tensor")
        if receiver_tensors_alternatives is not None:
            if not isinstance(receiver_tensors_alternatives, dict):
                raise ValueError(f"receiver_tensors_alternatives must be a dict: {receiver_tensors_alternatives}.")
            for name, tensors in receiver_tensors_alternatives.items():
                receiver_tensors_alternatives[name] = checked_tensors(tensors, "receiver_tensors_alternative")
        return super().__new__(cls, features, receiver_tensors, receiver_tensors_alternatives)


class TensorServingInputReceiver(
    collections.namedtuple(
        "TensorServingInputReceiver", ["features", "receiver_tensors", "receiver_tensors_alternatives"]
    )
):
    """A ServingInputReceiver for a model whose features are one tensor. Raises ValueError for other features."""

    __slots__ = ()

    def __new__(
        cls, features: Any, receiver_tensors: Any, receiver_tensors_alternatives: Any = None
    ) -> TensorServingInputReceiver:
        if features is None:
            raise ValueError("features must be defined.")
        _check_tensor(features, "feature")
        receiver = ServingInputReceiver(features, receiver_tensors, receiver_tensors_alternatives)
        return super().__new__(
            cls, receiver.features[SINGLE_FEATURE], receiver.receiver_tensors, receiver.receiver_tensors_alternatives
        )


class SupervisedInputReceiver(
    collections.namedtuple("SupervisedInputReceiver", ["features", "labels", "receiver_tensors"])
):
    """Features, labels and the tensors to feed, for a meta graph of training or evaluation."""

    __slots__ = ()

    def __new__(cls, features: Any, labels: Any, receiver_tensors: Any) -> SupervisedInputReceiver:
        checked_tensors(features, "feature", integer_keys=True)
        checked_tensors(labels, "label", integer_keys=True)
        return super().__new__(cls, features, labels, checked_tensors(receiver_tensors, "receiver_tensor"))


class UnsupervisedInputReceiver(ServingInputReceiver):
    """Features without labels, for a meta graph of training or evaluation."""

    __slots__ = ()

    def __new__(cls, features: Any, receiver_tensors: Any) -> UnsupervisedInputReceiver:
        return super().__new__(cls, features, receiver_tensors)  # type: ignore[return-value]  # of this class


def checked_tensors(tensors: Any, kind: str, integer_keys: bool = False) -> dict[Any, Any]:
    """Returns the tensors as a dict. Raises ValueError for None, for other values than tensors, and for wrong keys."""
    if tensors is None:
        raise ValueError(f"{kind}s must be defined.")
    if not isinstance(tensors, dict):
        tensors = {_NAMES.get(kind, SINGLE_RECEIVER): tensors}
    for name, tensor in tensors.items():
        if not isinstance(name, (str, int) if integer_keys else str):
            kinds = "strings or ints" if integer_keys else "strings"
            raise ValueError(f"{kind} keys must be {kinds}: {name}.")
        _check_tensor(tensor, f"{kind} {name}" if name else kind)
    named: dict[Any, Any] = tensors
    return named


def _check_tensor(tensor: Any, kind: str) -> None:
    if not isinstance(tensor, (tf.Tensor, tf.SparseTensor)):
        if hasattr(tensor, "tensor"):  # it converts to a tensor
            tf.convert_to_tensor(tensor)
        else:
            raise ValueError(f"{kind} must be a Tensor or SparseTensor.")


def build_parsing_serving_input_receiver_fn(
    feature_spec: Any, default_batch_size: int | None = None
) -> Callable[[], Any]:
    """Returns a receiver function that is fed serialized tf.Examples, "examples", and parses them."""

    def serving_input_receiver_fn() -> Any:
        examples = v1.placeholder(tf.string, [default_batch_size], name="input_example_tensor")
        return ServingInputReceiver(v1.io.parse_example(examples, feature_spec), {"examples": examples})

    return serving_input_receiver_fn


def build_raw_serving_input_receiver_fn(features: Any, default_batch_size: int | None = None) -> Callable[[], Any]:
    """Returns a receiver function that is fed tensors like `features`, a dict of tensors."""

    def serving_input_receiver_fn() -> Any:
        tensors = {name: _placeholder(tensor, default_batch_size) for name, tensor in features.items()}
        return ServingInputReceiver(tensors, tensors)

    return serving_input_receiver_fn


def build_raw_supervised_input_receiver_fn(
    features: Any, labels: Any, default_batch_size: int | None = None
) -> Callable[[], Any]:
    """Returns a receiver function that is fed tensors like `features` and `labels`, each a tensor or a dict.

    Raises:
        ValueError: Features and labels share a key.
    """
    names = [
        set(tensors) if isinstance(tensors, dict) else {name}
        for tensors, name in ((features, SINGLE_RECEIVER), (labels, SINGLE_LABEL))
    ]
    if twice := names[0] & names[1]:
        raise ValueError(f"Features and labels must have distinct keys. Found overlapping keys: {twice}")

    def supervised_input_receiver_fn() -> Any:
        fed: dict[Any, Any] = {}
        receivers = [_placeholders(features, SINGLE_RECEIVER, default_batch_size, fed)]
        receivers.append(_placeholders(labels, SINGLE_LABEL, default_batch_size, fed))
        return SupervisedInputReceiver(receivers[0], receivers[1], fed)

    return supervised_input_receiver_fn


def build_supervised_input_receiver_fn_from_input_fn(input_fn: Any, **input_fn_args: Any) -> Callable[[], Any]:
    """Returns a receiver function that is fed tensors like those of `input_fn`, which runs once, in a new graph."""
    with new_graph():
        features, labels, _ = input_results.parsed(input_fn(**input_fn_args))
    return build_raw_supervised_input_receiver_fn(features, labels)


def _placeholders(tensors: Any, name: str, batch: int | None, fed: dict[Any, Any]) -> Any:
    if not isinstance(tensors, dict):
        fed[name] = _placeholder(tensors, batch)
        return fed[name]
    placeholders = {key: _placeholder(tensor, batch) for key, tensor in tensors.items()}
    fed.update(placeholders)
    return placeholders


def _placeholder(tensor: Any, batch: int | None) -> Any:
    """Returns a placeholder of a tensor's dtype and name, with another batch size. Eager tensors have no name."""
    shape = tf.TensorShape([batch]).concatenate(tensor.get_shape()[1:])
    name = None if tf.is_tensor(tensor) and not hasattr(tensor, "graph") else tensor.op.name
    return v1.placeholder(tensor.dtype, shape, name=name)
