"""Errors of running a legacy program."""

from __future__ import annotations

from tf2bridge.errors import BridgeError


class UnreadableProgramError(BridgeError):
    """A file of the program is neither Python 3 nor Python 2, or cannot be read."""

    def __init__(self, why: str) -> None:
        super().__init__(f"{why}; it cannot be run")


class Keras3NameError(BridgeError, ImportError):
    """The program imports a name that Keras 2, which `import keras` means under `tf2bridge run`, does not have."""

    def __init__(self, module: str, names: tuple[str, ...]) -> None:
        wanted = ".".join([module, *names[:1]]) if names and names[0] != "*" else module
        super().__init__(
            f"{wanted} is no name of Keras 2, which `import keras` means in a program of TensorFlow 1.x; "
            "run the part that needs Keras 3 as a program of its own, without tf2bridge"
        )


class EagerProcessError(BridgeError):
    """The process has already executed TensorFlow operations eagerly."""

    def __init__(self) -> None:
        super().__init__(
            "this process has already executed TensorFlow operations eagerly, and a TensorFlow 1.x program needs graph "
            "mode from the start: run it in a process of its own, `python -m tf2bridge run ...`"
        )
