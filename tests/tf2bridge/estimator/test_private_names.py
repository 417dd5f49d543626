"""The private names of estimator that the catalog lists are in genuine TensorFlow 1.15.5, with these arguments."""

from __future__ import annotations

import inspect
import json
import subprocess
from typing import Any

import pytest
import tensorflow as tf

from tests import oracles
from tf2bridge.estimator import catalog
from tf2bridge.v1.catalog import TREE
from tf2bridge.v1.namespace import resolve

PRIVATE = [name for name in catalog.OWN if name.startswith("python.estimator.")]
ABSTRACT = "python.estimator.canned.head._Head"
PROBE = """
import importlib, inspect, json, sys
found = {}
for name in sys.argv[1:]:
    module, _, last = name.rpartition(".")
    value = getattr(importlib.import_module("tensorflow_estimator." + module), last)
    try:
        found[name] = list(inspect.signature(value).parameters)
    except (TypeError, ValueError):  # a constant, or a class without a constructor of its own
        found[name] = []
print(json.dumps(found))
"""


def parameters(value: Any) -> list[str]:
    try:
        return list(inspect.signature(value).parameters)
    except (TypeError, ValueError):
        return []


@pytest.mark.oracle
def test_the_genuine_names_take_these_arguments() -> None:
    command = [str(oracles.interpreter("1.15.5")), "-c", PROBE, *PRIVATE]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    genuine = json.loads(done.stdout.splitlines()[-1])
    ours = {name: parameters(resolve(TREE, name)) for name in PRIVATE}
    different = {name: (genuine[name], ours[name]) for name in genuine if genuine[name] != ours[name]}
    assert set(different) <= {ABSTRACT}


@pytest.mark.parametrize("name", PRIVATE)
def test_the_name_resolves(name: str) -> None:
    assert resolve(TREE, name) is not None


def test_version_2_of_the_parsing_spec_takes_columns_of_sequences() -> None:
    spec = resolve(TREE, "python.estimator.canned.parsing_utils.classifier_parse_example_spec_v2")
    numbers = tf.feature_column.sequence_numeric_column("a")
    assert spec([numbers], label_key="b") == {
        "a": tf.io.VarLenFeature(tf.float32),
        "b": tf.io.FixedLenFeature((1,), tf.int64),
    }
