"""Errors of the TF 1.x namespace. (Not called `errors`: `tf.errors` is a name of TensorFlow.)"""

from __future__ import annotations

from tf2bridge.errors import BridgeError

ADVICE = {
    "contrib.slim": "nearest is tf2bridge.v1.layers",
    "contrib.seq2seq": "nearest are tf2bridge.v1.contrib.legacy_seq2seq and tf2bridge.v1.nn.dynamic_rnn",
    "contrib.layers": "nearest is tf2bridge.v1.layers",
    "contrib.rnn": "nearest is tf2bridge.v1.nn.rnn_cell",
    "contrib.distributions": "use the package tensorflow_probability",
    "contrib.data": "nearest is tf2bridge.v1.data",
    "contrib.crf": "nothing took its place; copy what you need of it into the program",
    "contrib": "nothing in TensorFlow 2 took its place; copy what you need of it into the program",
    "estimator": "write the training loop with tf2bridge.v1.train.MonitoredTrainingSession",
    "nn.rnn_cell": "nearest are BasicLSTMCell, LSTMCell, GRUCell and MultiRNNCell of tf2bridge.v1.nn.rnn_cell",
    "python": "it was private to TensorFlow; use the public name instead",
    "models": "the models were moved out of TensorFlow in 0.12; copy the file into the program",
}
"""What to do instead, by the longest dotted prefix of the name."""


def advice(dotted: str) -> str:
    """Returns what to use instead of the TF1 name `dotted`."""
    parts = dotted.split(".")
    prefixes = (".".join(parts[:count]) for count in range(len(parts), 0, -1))
    fitting = (ADVICE[prefix] for prefix in prefixes if prefix in ADVICE)
    return next(fitting, "tf.compat.v1 has no such name; look it up in the release that the program was written for")


class UnavailableNameError(BridgeError, AttributeError):
    """A TF 1.x name that tf2bridge lacks. An AttributeError, so that `hasattr` and `getattr(..., default)` work."""

    def __init__(self, dotted: str, advice: str) -> None:
        super().__init__(f"tf.{dotted} is not available on TensorFlow 2: {advice}")


class ArgumentError(BridgeError, TypeError):
    """A call does not fit the parameters that the function had in the release whose namespace is in use."""

    def __init__(self, function: str, parameters: str, why: str) -> None:
        super().__init__(f"tf.{function}({parameters}) {why}; pass the arguments as that release takes them")


class FlagsError(BridgeError, AttributeError):
    """A flag was used that the program does not define."""

    def __init__(self, name: str, defined: list[str]) -> None:
        super().__init__(f"the program defines no flag {name!r}; it defines {', '.join(defined) or 'none'}")


class DataFilesMissingError(BridgeError, FileNotFoundError):
    """Data that TF 1.x downloaded by itself is not on this machine."""

    def __init__(self, directory: str, files: list[str]) -> None:
        super().__init__(f"{directory}: {', '.join(files)} not found; put the files there (nothing is downloaded)")


class UnsafePickleError(BridgeError):
    """A pickled vocabulary names a class that no vocabulary holds."""

    def __init__(self, name: str) -> None:
        super().__init__(f"the pickle asks for {name}, which no saved VocabularyProcessor holds; it is not loaded")
