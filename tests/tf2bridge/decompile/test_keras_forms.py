"""Each form of the table for `keras.ops` computes what the operation computes, on each backend that is installed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

from tests.tf2bridge.decompile import keras_battery
from tf2bridge.decompile import backends
from tf2bridge.decompile.attributes import attribute_value
from tf2bridge.decompile.ir import Function, Kind, Node, Spec, Value, constant_node
from tf2bridge.decompile.keras_calls import keras_call, keras_form
from tf2bridge.decompile.keras_forms import KERAS_FORMS
from tf2bridge.decompile.raw_calls import evaluate
from tf2bridge.internals.framework import op_def_registry

_OF_VARIABLES = ("AssignVariableOp", "AssignAddVariableOp", "AssignSubVariableOp", "ResourceGather")
"""Operations on variables: models of fixtures/graphs have them, see test_keras_ops.py."""


def node_of(case: keras_battery.Case) -> tuple[Node, list[Any]]:
    """Returns the node of a case, and its inputs as arrays."""
    definition = op_def_registry.get(case.op)
    attributes = {a.name: attribute_value(a.default_value) for a in definition.attr if a.HasField("default_value")}
    attributes |= {name: _attribute(name, value) for name, value in case.attributes.items()}
    owner, arrays, inputs = Function(), [], []
    for number, (argument, given) in enumerate(zip(_arguments(definition, attributes), case.inputs, strict=True)):
        is_constant = isinstance(given, list)
        array = np.asarray(given[0], _type_of(argument, given[0], attributes)) if is_constant else given
        dtype = tf.as_dtype(array.dtype)
        if argument.type_attr:
            attributes[argument.type_attr] = dtype
        parameter = Node(f"x{number}", Kind.PARAMETER, [], {}, [Spec(dtype, array.shape)], owner)
        inputs.append(Value(constant_node(f"c{number}", array, dtype, owner) if is_constant else parameter, 0))
        arrays.append(array)
    return Node("node", case.op, inputs, attributes, [], owner), arrays


def _arguments(definition: Any, attributes: dict[str, Any]) -> list[Any]:
    """Returns the definition of each input; several if an input is a list."""
    return [
        argument
        for argument in definition.input_arg
        for _ in range(attributes[argument.number_attr] if argument.number_attr else 1)
    ]


def _attribute(name: str, value: Any) -> Any:
    return tf.as_dtype(value) if name in ("DstT", "output_type") else value


def _type_of(argument: Any, given: Any, attributes: dict[str, Any]) -> Any:
    """Returns the type of a constant: that of the inputs before, if it is one number, or that of shapes."""
    if np.ndim(given) == 0 and isinstance(attributes.get(argument.type_attr), tf.DType):
        return attributes[argument.type_attr].as_numpy_dtype
    return np.float32 if isinstance(given, float) else np.int32


@pytest.fixture(scope="module")
def battery() -> tuple[list[dict[str, Any]], dict[str, Any], set[str]]:
    """Returns the expressions, their arrays, and the templates that they are made by."""
    lines, arrays, templates = [], {}, set()
    for case in keras_battery.cases():
        node, given = node_of(case)
        results = evaluate(node, given)
        node.outputs = [Spec(tf.as_dtype(result.dtype), result.shape) for result in results]
        form = keras_form(node)
        text = keras_call(node, _text)
        if form is None or text is None:
            # where PyTorch differs, or a release of Keras that lacks the function
            assert case.op.startswith("AvgPool") or not KERAS_FORMS[case.op], case
            continue
        templates.add(f"{case.op} {form.template}")
        for number, array in enumerate(given):
            arrays[f"{len(lines)} in {number}"] = array
        for number, array in enumerate(results):
            arrays[f"{len(lines)} out {number}"] = array
        lines.append({"text": text, "inputs": len(given), "outputs": len(results)})
    return lines, arrays, templates


def _text(value: Value) -> str:
    if value.node.op == "Const":
        array = value.node.attributes["value"]
        return f"keras.ops.array({array.tolist()!r}, {array.dtype.name!r})"
    return value.node.name


def test_every_form_is_tried(battery: Any) -> None:
    pairs = [(op, form) for op, forms in KERAS_FORMS.items() for form in forms if op not in _OF_VARIABLES]
    every = {f"{op} {form.template}" for op, form in pairs}
    assert every - battery[2] == set()


def test_forms_compute_on_tensorflow_what_the_operations_compute(battery: Any) -> None:
    assert keras_battery.differing(*battery[:2]) == []


@pytest.mark.parametrize("backend", ["jax", "torch"])
def test_forms_compute_the_same_on_other_backends(backend: str, battery: Any, tmp_path: Path) -> None:
    if backend not in backends.installed():
        pytest.skip(f"{backend} is not installed: it comes with the extra `backends`")
    lines, arrays, _ = battery
    (tmp_path / "battery.json").write_text(json.dumps(lines), "utf-8")
    np.savez(tmp_path / "battery.npz", **arrays)
    environment = {**os.environ, "KERAS_BACKEND": backend}
    command = [sys.executable, keras_battery.__file__, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.strip().splitlines()[-1]) == []
