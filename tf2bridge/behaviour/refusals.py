"""Errors and warnings of programs that run as a release of TensorFlow 1.x."""

from __future__ import annotations

from tf2bridge.errors import BridgeError


class ArgumentError(BridgeError, TypeError):
    """A call does not fit the function's parameters in the release whose namespace is in use."""

    def __init__(self, function: str, parameters: str, why: str) -> None:
        super().__init__(f"tf.{function}({parameters}) {why}; pass the arguments as that release takes them")


class FlagsError(BridgeError, AttributeError):
    """A flag was used that the program does not define."""

    def __init__(self, name: str, defined: list[str]) -> None:
        super().__init__(f"the program defines no flag {name!r}; it defines {', '.join(defined) or 'none'}")


class MissingDeviceError(BridgeError):
    """A program places operations on GPUs that are not there, and does not allow soft placement."""

    def __init__(self, numbers: str, there: str) -> None:
        super().__init__(
            f"the program asks for GPU {numbers}, {there}, and its session sets allow_soft_placement=False: no GPU of "
            "that number; remove the setting from its tf.ConfigProto, so that existing devices compute the operations, "
            "or ask for fewer GPUs (such programs have a flag, --num_gpus=1)"
        )


class NewerTensorFlowWarning(UserWarning):
    """The installed TensorFlow is newer than the releases that tf2bridge was tested with."""


class SecondReleaseWarning(UserWarning):
    """A process that follows one release switches to another."""


class UncertainSeedWarning(UserWarning):
    """An op seed was taken after a call whose number of operations was not measured."""


class UnknownKerasError(BridgeError):
    """tf_keras lacks a part that tf2bridge changes, so its release is an untested one."""

    def __init__(self, installed: str, missing: str) -> None:
        super().__init__(
            f"tf_keras {installed} cannot be made to work as in TensorFlow 1.x ({missing}): install the one for "
            "your TensorFlow, pip install 'tf2bridge[tf]'"
        )
