"""The names of `tf2bridge.v1` and `tf2bridge.v0`: what resolves, what is refused, and what importing them changes."""

from __future__ import annotations

import importlib
import pkgutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tf2bridge import v0, v1
from tf2bridge.v0.catalog import TREE as V0
from tf2bridge.v1.catalog import CATALOGS
from tf2bridge.v1.catalog import TREE as V1
from tf2bridge.v1.namespace import resolve


def run_python(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)


def test_importing_a_namespace_does_not_import_tensorflow() -> None:
    done = run_python(
        "import sys, tf2bridge.v0.nn.rnn_cell, tf2bridge.v1.contrib.layers\n"
        "from tf2bridge import v1 as tf\n"
        "assert tf.nn.rnn_cell.__name__ == 'tf2bridge.v1.nn.rnn_cell'\n"
        "assert 'tensorflow' not in sys.modules"
    )
    assert done.returncode == 0, done.stderr


def test_every_catalogue_is_listed() -> None:
    root = Path(v1.__file__).parents[2]
    beside = [path for path in (root / "tf2bridge/v1/catalog").glob("*.py") if path.stem != "__init__"]
    parts = [path for path in (root / "tf2bridge").rglob("catalog.py") if "v0" not in path.parts]
    files = {".".join(path.relative_to(root).with_suffix("").parts) for path in (*beside, *parts)}
    assert set(CATALOGS) == files
    assert len(CATALOGS) == len(files)


def test_using_a_namespace_switches_nothing() -> None:
    import tensorflow as tf

    assert v1.layers.dense
    assert v0.nn.rnn_cell.GRUCell
    assert tf.executing_eagerly()
    assert isinstance(tf.TensorShape([3])[0], int)
    assert tf.compat.v1.resource_variables_enabled()


@pytest.mark.parametrize("tree", [V0, V1], ids=lambda tree: tree.package)
def test_every_name_of_the_catalog_resolves(tree: Any) -> None:
    for name in sorted(tree.names | tree.namespaces | set(tree.moved)):
        assert tree.has_ended(name) or resolve(tree, name) is not None


@pytest.mark.parametrize("tree", [V0, V1], ids=lambda tree: tree.package)
def test_no_file_of_ours_hides_a_name_of_tensorflow(tree: Any) -> None:
    import tensorflow as tf

    for package in ("", *sorted(tree.namespaces)):
        name = f"{tree.package}.{package}".rstrip(".")
        files = {module.name for module in pkgutil.iter_modules(importlib.import_module(name).__path__)}
        assert not files & set(dir(tf.compat.v1)), name


def test_names_of_0_12_keep_their_meaning_beside_those_of_1_15() -> None:
    assert int(v1.mul(2, 3)) == 6
    assert v1.pack([1, 2]).numpy().tolist() == [1, 2]
    assert v1.concat([[1], [2]], 0).numpy().tolist() == [1, 2]
    assert v0.concat(0, [[1], [2]]).numpy().tolist() == [1, 2]


def test_private_modules_take_the_public_parameters() -> None:
    assert v0.python.ops.array_ops.concat is v0.concat
    assert v0.python.ops.nn_ops.conv2d is v0.nn.conv2d
    assert v1.python.ops.rnn_cell.GRUCell is v1.nn.rnn_cell.GRUCell
    assert v1.python.framework.ops.Tensor is v1.Tensor


def test_a_name_that_cannot_work_says_what_to_use() -> None:
    with pytest.raises(
        AttributeError, match=r"tf\.contrib\.bayesflow \(TensorFlow 0\.12\.1 to 1\.15\.5\) is not .*tensorflow_prob"
    ):
        _ = v1.contrib.bayesflow
    with pytest.raises(AttributeError, match="did you mean concat"):
        _ = v1.concatt
    assert not hasattr(v1, "distributed_everything")


def test_an_argument_out_of_place_shows_the_old_parameters() -> None:
    with pytest.raises(TypeError, match=r"tf\.concat\(concat_dim, values, name\) has no parameter 'axis'"):
        v0.concat([[1], [2]], axis=0)
    with pytest.raises(TypeError, match="takes a bool for each dimension"):
        v0.reverse([1, 2], [0])


def test_old_classes_are_the_classes_of_tensorflow() -> None:
    sparse = v0.SparseTensor(indices=[[0]], values=[1.0], shape=[2])
    assert isinstance(sparse, v0.SparseTensor)
    assert isinstance(sparse, v1.SparseTensor)

    class Slower(v0.train.ExponentialMovingAverage):  # type: ignore[misc]  # made at run time
        pass

    average = Slower(0.5, None, "slower")
    assert average.name == "slower"
    assert isinstance(average, v1.train.ExponentialMovingAverage)


def test_a_missing_tensorflow_names_the_extra() -> None:
    done = run_python("import sys; sys.modules['tensorflow'] = None\nfrom tf2bridge import v1\nv1.constant")
    assert "MissingExtraError" in done.stderr
    assert "pip install 'tf2bridge[tf]'" in done.stderr
