"""Predictors: call one with a dictionary of arrays, and get one."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

v1 = tf.compat.v1
SIGNATURE = "serving_default"
TAGS = "serve"


class Predictor:
    """A graph with its own session. A call feeds `feed_tensors` and returns the values of `fetch_tensors`."""

    def __init__(self, graph: Any, session: Any, feeds: dict[str, str], fetches: dict[str, str]) -> None:
        self._graph, self._session = graph, session
        self._feed_tensors = {key: graph.get_tensor_by_name(name) for key, name in feeds.items()}
        self._fetch_tensors = {key: graph.get_tensor_by_name(name) for key, name in fetches.items()}

    @property
    def graph(self) -> Any:
        """The graph of the model."""
        return self._graph

    @property
    def session(self) -> Any:
        """The session that predicts."""
        return self._session

    @property
    def feed_tensors(self) -> dict[str, Any]:
        """The tensors that are fed, by the keys of the input."""
        return self._feed_tensors

    @property
    def fetch_tensors(self) -> dict[str, Any]:
        """The tensors that are fetched, by the keys of the output."""
        return self._fetch_tensors

    def __repr__(self) -> str:
        return f"{type(self).__name__} with feed tensors {self._feed_tensors} and fetch_tensors {self._fetch_tensors}"

    def __call__(self, input_dict: dict[str, Any]) -> dict[str, Any]:
        """Returns the outputs for the inputs. Raises ValueError for a key that the model has not."""
        unexpected = sorted(input_dict.keys() - self._feed_tensors.keys())
        if unexpected:
            raise ValueError(f"the inputs {unexpected} are not of the model; it takes {sorted(self._feed_tensors)}")
        feed = {self._feed_tensors[key]: value for key, value in input_dict.items() if value is not None}
        values: dict[str, Any] = self._session.run(self._fetch_tensors, feed)
        return values


class SavedModelPredictor(Predictor):
    """Made by `from_saved_model`."""


class CoreEstimatorPredictor(Predictor):
    """Made by `from_estimator`."""


def from_saved_model(
    export_dir: str,
    signature_def_key: str | None = None,
    signature_def: Any = None,
    input_names: dict[str, str] | None = None,
    output_names: dict[str, str] | None = None,
    tags: str | None = None,
    graph: Any = None,
    config: Any = None,
) -> Predictor:
    """Returns a predictor of a SavedModel: of a signature ("serving_default"), or of tensors by name.

    `tags` are separated by commas ("serve").

    Raises:
        ValueError: arguments contradict each other, or the model lacks the signature or the tags.
    """
    _check_choice(signature_def_key, signature_def, input_names, output_names)
    wanted = [tag.strip() for tag in (tags or TAGS).split(",")]
    graph = graph or tf.Graph()
    with graph.as_default():
        session = v1.Session(config=config)
        model = _loaded(session, wanted, export_dir)
    if input_names is None or output_names is None:
        signature = signature_def or _signature(model, signature_def_key or SIGNATURE)
        input_names, output_names = _names(signature.inputs), _names(signature.outputs)
    return SavedModelPredictor(graph, session, input_names, output_names)


def from_estimator(
    estimator: Any, serving_input_receiver_fn: Any, output_key: str | None = None, graph: Any = None, config: Any = None
) -> Predictor:
    """Returns a predictor of an Estimator's latest checkpoint. Raises KeyError for an unknown `output_key`."""
    graph = graph or tf.Graph()
    with graph.as_default():
        receiver = serving_input_receiver_fn()
        spec = estimator.model_fn(receiver.features, None, "infer", estimator.config)
        output = spec.export_outputs.get(output_key or SIGNATURE)
        if output is None:
            raise KeyError(f"output_key must be one of {sorted(spec.export_outputs)}, not {output_key}")
        signature = output.as_signature_def(receiver.receiver_tensors)
        creator = v1.train.ChiefSessionCreator(config=config, checkpoint_dir=estimator.model_dir)
        session = v1.train.MonitoredSession(session_creator=creator)
    return CoreEstimatorPredictor(graph, session, _names(signature.inputs), _names(signature.outputs))


def _check_choice(key: Any, signature: Any, inputs: Any, outputs: Any) -> None:
    if (inputs is None) != (outputs is None):
        raise ValueError("give both input_names and output_names, or neither")
    if sum(choice is not None for choice in (key, signature, inputs)) > 1:
        raise ValueError("give one of signature_def_key, signature_def, or input_names and output_names")


def _loaded(session: Any, tags: list[str], folder: str) -> Any:
    try:
        return v1.saved_model.load(session, tags, folder)
    except RuntimeError as error:
        raise ValueError(f"{folder}: {error}") from None


def _signature(model: Any, key: str) -> Any:
    for name in (key, f"default_input_alternative:{key}"):  # the latter: exported by contrib.learn
        if name in model.signature_def:
            return model.signature_def[name]
    raise ValueError(f"the model has no signature {key!r}; it has {sorted(model.signature_def)}")


def _names(tensors: Any) -> dict[str, str]:
    return {key: tensor.name for key, tensor in tensors.items()}
