"""What programs read of recurrent layers is what 1.15.5 says."""

from __future__ import annotations

from tests.same_text import lines

_PROGRAM = """
import importlib
import {module} as tf
{enable}
layers = importlib.import_module("{module}.python.keras.layers.recurrent_v2")
for kind in (layers.GRU, layers.LSTM):
    print([kind(2, **given).could_use_cudnn for given in (dict(), dict(activation="relu"), dict(use_bias=False))])
    layer = kind(2)
    layer.could_use_cudnn = False
    print(layer.could_use_cudnn)
"""


def test_whether_a_gpu_could_compute_it() -> None:
    assert lines(_PROGRAM, None, "1.15.5") == lines(_PROGRAM, "1.15.5")
