"""The kernels for comparisons with an old release: those that every processor has, without oneDNN.

oneDNN chooses its kernels by the processor. TensorFlow uses it in two places, and reads both switches when it is
imported, or at its first matrix product:

- Since 2.9 whole operations run in oneDNN, if the processor has AVX512_VNNI or the like (release notes of 2.9). Sums
  are taken in another order, QuantizeV2 rounds otherwise, and some operations are fused. No release from 0.12 to 1.15
  did so.
- Since 1.13 matrix products and convolutions of Eigen call oneDNN's product of two blocks
  (core/kernels/eigen_contraction_kernel.cc of 1.15.5). Releases up to 1.12 did not.
"""

from __future__ import annotations

import os

_OFF = {"TF_ENABLE_ONEDNN_OPTS": "0", "TENSORFLOW_USE_CUSTOM_CONTRACTION_KERNEL": "false"}
_ON = {"TF_ENABLE_ONEDNN_OPTS": "1", "TENSORFLOW_USE_CUSTOM_CONTRACTION_KERNEL": "true"}


def environment() -> dict[str, str]:
    """Returns the environment of a process whose numbers are compared.

    It is that of this process, with oneDNN off in both places unless this process sets the switches.
    """
    return {**_OFF, **os.environ}


def choose(*, onednn: bool = False) -> None:
    """Sets the switches for this process and its children; call it before TensorFlow is imported.

    Without `onednn` a switch that the user has set stays as it is.
    """
    if onednn:
        os.environ.update(_ON)
    else:
        os.environ.update(environment())


def quantizes_by_processor() -> bool:
    """Returns whether oneDNN's kernel of QuantizeV2 is on, which may give other values on another processor."""
    return os.environ.get("TF_ENABLE_ONEDNN_OPTS") != "0"


def description() -> str:
    """Returns one line for a report: which kernels `environment` asks for."""
    chosen = environment()
    if all(chosen[name] == value for name, value in _OFF.items()):
        return "oneDNN is off (0.12 to 1.12 had none), so that all processors compute alike; --onednn leaves it on"
    settings = ", ".join(f"{name}={chosen[name]}" for name in _OFF)
    return f"oneDNN is not all off ({settings}): the last digits, and quantized values, depend on the processor"
