"""Errors of `tf.contrib.learn`: data and methods that are not there."""

from __future__ import annotations

from tf2bridge.errors import BridgeError


class DataFilesMissingError(BridgeError, FileNotFoundError):
    """Raised if data that TF 1.x downloaded is not on this machine."""

    def __init__(self, directory: str, files: list[str]) -> None:
        super().__init__(f"{directory}: {', '.join(files)} not found; put the files there (nothing is downloaded)")


class UnsafePickleError(BridgeError):
    """A pickled vocabulary names a class that no vocabulary holds."""

    def __init__(self, name: str) -> None:
        super().__init__(f"the pickle asks for {name}, which no saved VocabularyProcessor holds; it is not loaded")


class SessionBundleError(BridgeError, NotImplementedError):
    """`Estimator.export` wrote SessionBundles, which no TensorFlow 2 can load."""

    def __init__(self) -> None:
        super().__init__(
            "tf.contrib.learn.Estimator.export wrote SessionBundles, which TensorFlow 2 cannot load; use "
            "export_savedmodel"
        )
