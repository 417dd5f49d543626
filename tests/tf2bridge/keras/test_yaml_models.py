"""Configurations of models as YAML: written, read back, and never more than a configuration."""

from __future__ import annotations

import sys

import pytest
import yaml

from tests.same_text import lines

_PROGRAM = """
import sys
import {module} as tf
{enable}
layers = [tf.keras.layers.Conv2D(2, 3, input_shape=(5, 5, 1)), tf.keras.layers.Flatten(), tf.keras.layers.Dense(1)]
model = tf.keras.Sequential(layers)
text = model.to_yaml()
again = tf.keras.models.model_from_yaml(text)
print(again.output_shape, [layer.name for layer in again.layers], again.to_json() == model.to_json())
print(tf.keras.models.model_from_yaml(TEXT).layers[0].strides)
for text in ("!!python/object/apply:os.getcwd []", "!!python/name:os.system"):
    try:
        tf.keras.models.model_from_yaml(text)
    except Exception as error:
        print(type(error).__name__)
"""
_OF_1_15 = yaml.dump(
    {
        "class_name": "Sequential",
        "config": {
            "name": "sequential",
            "layers": [
                {
                    "class_name": "Conv2D",
                    "config": {
                        "name": "conv2d",
                        "batch_input_shape": (None, 5, 5, 1),
                        "filters": 2,
                        "kernel_size": (3, 3),
                        "strides": (shared := (1, 1)),
                        "dilation_rate": shared,
                        "kernel_initializer": {"class_name": "GlorotUniform", "config": {"seed": None}},
                    },
                }
            ],
        },
    }
)
"""As 1.15.5 writes it, where tuples that are one object have an anchor."""


def test_a_model_is_written_and_read() -> None:
    assert "&id001 !!python/tuple" in _OF_1_15
    text = _PROGRAM.replace("TEXT", repr(_OF_1_15).replace("{", "{{").replace("}", "}}"))
    assert lines(text, None, "1.15.5") == [
        "(None, 1) ['conv2d', 'flatten', 'dense'] True",
        "(1, 1)",
        "ConstructorError",
        "ConstructorError",
    ]


def test_without_the_package_the_error_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    from tf2bridge.behaviour.old_keras import yaml_models

    monkeypatch.setitem(sys.modules, "yaml", None)
    with pytest.raises(ImportError, match=r"Requires yaml module installed \(`pip install pyyaml`\)"):
        yaml_models.model_from_yaml("")
