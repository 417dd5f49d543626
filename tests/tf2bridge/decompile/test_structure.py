"""Name scopes of equal contents as classes of layers."""

from __future__ import annotations

import ast
import importlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import tf2bridge
from tests.tf2bridge.decompile.written import check_equal
from tf2bridge import v1
from tf2bridge.decompile import package
from tf2bridge.decompile.decompiling import text_of
from tf2bridge.decompile.idioms.layer import Weight
from tf2bridge.decompile.structure.templates import skeleton, template

SPECS = {"images": tf.TensorSpec([None, 8, 8, 3])}


def unit(x: Any, filters: int, strides: int, name: str) -> Any:
    with v1.variable_scope(name):
        y = v1.layers.conv2d(x, filters, 3, strides, "same", activation=tf.nn.relu, name="first")
        y = v1.layers.conv2d(y, filters, 1, name="second")
        return tf.tanh(y + v1.layers.conv2d(x, filters, 1, strides, name="shortcut"))


def classes(source: str) -> dict[str, list[str]]:
    """Returns the name of each class -> the expressions that make its attributes."""
    found = {}
    for part in ast.parse(source).body:
        if isinstance(part, ast.ClassDef):
            makes = [node for node in ast.walk(part) if isinstance(node, ast.Assign)]
            found[part.name] = [ast.unparse(made.value) for made in makes if isinstance(made.targets[0], ast.Attribute)]
    return found


def test_equal_scopes_are_one_class(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def build(images: Any) -> Any:
        x = images
        for number, (filters, strides) in enumerate([(4, 1), (6, 2), (6, 1), (8, 2)]):
            x = unit(x, filters, strides, f"unit_{number}")
        return tf.reduce_mean(x, [1, 2])

    module = tf2bridge.wrap(build, inputs=SPECS)
    text = text_of(module, "about")
    written = classes(text.source)
    assert written["Model"] == ["[Unit(4, 1), Unit(6, 2), Unit(6, 1), Unit(8, 2)]"]
    assert "for unit in self.unit:" in text.source
    assert written["Unit"][0] == "keras.layers.Conv2D(filters, 3, strides=strides, padding='same', activation='relu')"
    assert text.contents.names["unit.2.shortcut.kernel"] == Weight(("unit_2/shortcut/kernel",))
    check_equal(text, module, {}, tmp_path / "structured", monkeypatch)


def test_a_layer_that_two_scopes_call_is_in_no_class(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def build(images: Any) -> Any:
        x = images
        for number in range(4):
            with v1.variable_scope("shared", reuse=v1.AUTO_REUSE):
                x = v1.layers.conv2d(x, 3, 3, padding="same", name="convolution")
            with v1.name_scope(f"unit_{number}"):
                x = tf.sqrt(tf.square(x) + float(number)) + tf.tanh(x)
        return x

    module = tf2bridge.wrap(build, inputs=SPECS)
    text = text_of(module, "about")
    assert sum(made.startswith("keras.layers.Conv2D") for part in classes(text.source).values() for made in part) == 1
    check_equal(text, module, {}, tmp_path / "shared", monkeypatch)


def test_a_class_holds_layers_whose_variables_are_read_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def build(images: Any) -> Any:
        x = images
        for number in range(4):
            x = unit(x, 3, 1, f"unit_{number}")
        kernels = [variable for variable in v1.trainable_variables() if "kernel" in variable.name]
        return x, tf.add_n([tf.nn.l2_loss(kernel) for kernel in kernels])

    module = tf2bridge.wrap(build, inputs=SPECS)
    text = text_of(module, "about")
    assert classes(text.source)["Model"] == ["[Unit() for _ in range(4)]"]
    assert "tf.nn.l2_loss(self.unit[3].shortcut.kernel)" in text.source
    check_equal(text, module, {}, tmp_path / "decayed", monkeypatch)


def test_what_needs_no_input_is_in_the_class_that_uses_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def build(images: Any) -> Any:
        x = images
        for number in range(4):
            scale = v1.get_variable(f"scale_{number}", [3])
            with v1.name_scope("scales"):
                positive = tf.exp(scale)
            with v1.name_scope(f"unit_{number}"):
                x = tf.tanh(v1.layers.conv2d(x, 3, 1, name=f"convolution_{number}") * positive) + tf.sin(x)
        return x

    module = tf2bridge.wrap(build, inputs=SPECS)
    text = text_of(module, "about")
    assert text.source.count("tf.exp(") == 1
    check_equal(text, module, {}, tmp_path / "scaled", monkeypatch)


def test_normalization_in_training_is_in_the_class_of_its_scope(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The layers change their averages, which nothing waits for: in which class they do so makes no difference."""

    def build(images: Any, training: Any) -> Any:
        x = images
        for number in range(6):
            with v1.variable_scope(f"unit_{number}"):
                for part in "ab":
                    x = v1.layers.conv2d(x, 3, 1, use_bias=False, name=f"convolution_{part}")
                    options = {"updates_collections": None, "is_training": training, "fused": True}
                    x = tf.nn.relu(v1.contrib.layers.batch_norm(x, decay=0.9, scope=f"norm_{part}", **options))
        return x

    module = tf2bridge.wrap(build, inputs={**SPECS, "training": tf.TensorSpec([], tf.bool)})
    text = text_of(module, "about")
    assert text.source.count("normalization.BatchNormalization(") == 2
    for training in (True, False):
        check_equal(text, module, {"training": np.array(training)}, tmp_path / f"norm_{training}", monkeypatch)


def test_scopes_that_depend_on_each_other_stay_as_they_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def build(images: Any) -> Any:
        parts = []
        for number in range(4):
            with v1.name_scope(f"first_{number}") as scope:
                x = tf.square(v1.layers.conv2d(images, 3, 1, name=f"convolution_{number}")) + 1.0
            between = tf.tanh(x)
            with v1.name_scope(scope):  # the same scope again: it needs what needs it
                parts.append(tf.sqrt(between * between + x))
        return np.prod([1.0]) * sum(parts)

    module = tf2bridge.wrap(build, inputs=SPECS)
    check_equal(text_of(module, "about"), module, {}, tmp_path / "entered_twice", monkeypatch)


def test_templates() -> None:
    made = [
        ["self.a = keras.layers.Dense(3)"],
        ["self.a = keras.layers.Dense(4, activation='relu')"],
        ["self.a = keras.layers.Dense(5, activation='relu')"],
    ]
    assert len({skeleton(statements, {}) for statements in made}) == 1
    result = template(made, {})
    assert result.signature == {"units": None, "activation": "'relu'"}
    assert result.statements == ("self.a = keras.layers.Dense(units, activation=activation)",)
    assert result.calls == ["3, activation=None", "4", "5"]
    nested = [[f"self.b = Unit({units})"] for units in result.calls]
    outer = template(nested, {"Unit": result.signature})
    assert outer.signature == {"units": None, "activation": "'relu'"}
    assert outer.calls == result.calls
    assert skeleton(["self.a = keras.layers.Dense(3)"], {}) != skeleton(["self.a = keras.layers.Conv1D(3, 1)"], {})


def test_layers_are_built_for_their_shapes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = tf2bridge.wrap(lambda images: unit(images, 4, 2, "unit"), inputs=SPECS)
    with package.new_package(tmp_path / "built", text_of(module, "about"), {}, "about") as folder:
        monkeypatch.syspath_prepend(str(folder.parent))
        model = importlib.import_module("built").load()
    assert model.call.experimental_get_tracing_count() == 0
    kernels = {variable.name.partition(":")[0]: variable for variable in module.variables}
    assert np.array_equal(model.shortcut.kernel, kernels["unit/shortcut/kernel"])


@pytest.mark.parametrize(("side", "needs_trace"), [(4, False), (None, True)])
def test_a_layer_of_open_sizes_is_built_where_it_is_called(side: int | None, needs_trace: bool) -> None:
    def build(x: Any) -> Any:
        alpha = v1.get_variable("alpha", [3])
        return tf.maximum(0.0, x) + alpha * tf.minimum(0.0, x)

    text = text_of(tf2bridge.wrap(build, inputs={"x": tf.TensorSpec([None, side, 3])}), "about")
    assert "keras.layers.PReLU" in text.source
    assert text.contents.needs_trace is needs_trace
