"""Processors that this one can be told to compute as: those with fewer instructions.

oneDNN's matrix products, which TensorFlow since 1.13 calls within Eigen's, and NumPy choose their kernels by the
processor.
"""

from __future__ import annotations

import os

import numpy as np

WITH_ONEDNN = {"TENSORFLOW_USE_CUSTOM_CONTRACTION_KERNEL": "true"}  # else the tests leave its matrix products out
PROCESSORS = {
    **{isa: {"ONEDNN_MAX_CPU_ISA": isa} for isa in ("SSE41", "AVX2", "AVX512_CORE", "AVX512_CORE_VNNI", "DEFAULT")},
    "numpy": {"NPY_DISABLE_CPU_FEATURES": " ".join(np.show_config("dicts")["SIMD Extensions"].get("found", []))},
}


def switches(processor: str) -> dict[str, str]:
    """Returns the environment variables that have a process compute as a processor: none for ""."""
    return {**WITH_ONEDNN, **PROCESSORS[processor]} if processor else {}


def chosen() -> str:
    """Returns the processor that TF2BRIDGE_PROCESSOR names, as which the tests of conformance compute; "" if none."""
    return os.environ.get("TF2BRIDGE_PROCESSOR", "")
