"""What the processor changes in TensorFlow's numbers."""

from __future__ import annotations

from pathlib import Path

_DESCRIBED = Path("/proc/cpuinfo")

HAS_AMX = _DESCRIBED.is_file() and "amx_tile" in _DESCRIBED.read_text()
"""Whether it multiplies tiles. oneDNN, which TensorFlow from 2.9 on calls, then takes kernels that sum in another order
(a gradient is off by 4e-6 of its largest number), and a QuantizeV2 that rounds otherwise (a step of 255 in the input).
"""
