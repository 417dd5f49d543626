"""`tf2bridge.v1` and `tf2bridge.v0` as packages: every module of TensorFlow 1.x imports by any of its paths."""

from __future__ import annotations

import importlib
import importlib.util
import pickle
import pydoc
import subprocess
import sys

import pytest

from tf2bridge import v1
from tf2bridge.v1.catalog import TREE
from tf2bridge.v1.genuine import names, origin, starred
from tf2bridge.v1.namespace import resolve

PATHS = (
    "contrib.framework.python.ops.arg_scope",
    "contrib.slim.python.slim.data",
    "contrib.slim.python.slim.nets.inception_v3",
    "contrib.slim.nets.inception_v3",
    "keras.layers",
    "strings",
    "examples.tutorials.mnist.input_data",
    "python.estimator.mode_keys",
    "python.ops.math_ops",
)


@pytest.mark.parametrize("path", PATHS)
def test_a_module_imports_as_the_object_that_its_name_means(path: str) -> None:
    module = importlib.import_module(f"tf2bridge.v1.{path}")
    assert importlib.import_module(f"tf2bridge.v1.{path}") is module
    if path != "contrib.framework.python.ops.arg_scope":  # there the attribute is the function, as in TensorFlow
        assert pydoc.locate(f"tf2bridge.v1.{path}") is module
    assert getattr(module.__spec__, "name", None)  # importing it left TensorFlow's own modules as they were


def test_import_statements_of_rewritten_programs(tmp_path: object) -> None:
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            "from tf2bridge.v1.contrib.framework.python.ops.arg_scope import *\n"
            "from tf2bridge.v1.keras.layers import Dense\n"
            "import tf2bridge.v1.examples.tutorials.mnist.input_data\n"
            "import tf2bridge.v1.contrib.slim.python.slim.data as data\n"
            "from tf2bridge import v1\n"
            "assert arg_scope is v1.contrib.framework.arg_scope\n"
            "assert tf2bridge.v1.examples.tutorials.mnist.input_data.read_data_sets\n"
            "import tf2bridge.v1.contrib.framework.python.ops.arg_scope as hidden\n"
            "assert hidden is arg_scope\n",
        ],
        capture_output=True,
        text=True,
        check=False,
        cwd=str(tmp_path),
    )
    assert done.returncode == 0, done.stderr


def test_a_function_is_pickled_by_the_place_that_its_module_names() -> None:
    function = v1.contrib.layers.l2_regularizer
    assert pickle.loads(pickle.dumps(function)) is function  # made on the line itself


def test_a_module_that_is_not_available_says_why() -> None:
    with pytest.raises(ImportError, match=r"decode with tf\.audio"):
        importlib.import_module("tf2bridge.v1.contrib.ffmpeg")
    with pytest.raises(ImportError, match=r"decode with tf\.audio"):
        from tf2bridge.v1.contrib import ffmpeg  # noqa: F401
    with pytest.raises(ModuleNotFoundError, match="No module named"):
        importlib.import_module("tf2bridge.v1.contrib.no_such_part")
    assert importlib.util.find_spec("tf2bridge.v1.no_such_part") is None


def test_a_module_shows_what_it_imported_itself() -> None:
    import numpy as np

    assert origin("contrib.layers.python.layers.initializers", "math") == ("/math", "")
    assert resolve(TREE, "contrib.learn.python.learn.estimators.estimator.np") is np
    assert resolve(TREE, "contrib.layers.python.layers.layers.array_ops") is v1.python.ops.array_ops
    assert resolve(TREE, "contrib.slim.add_arg_scope") is v1.contrib.framework.add_arg_scope


def test_a_public_path_shows_what_the_module_behind_it_imported() -> None:
    resnet_utils = v1.contrib.slim.nets.resnet_v2.resnet_utils
    assert resnet_utils.resnet_arg_scope is v1.contrib.slim.nets.resnet_utils.resnet_arg_scope


def test_dir_and_star_imports_give_what_the_release_gave() -> None:
    path = "contrib.framework.python.ops.arg_scope"
    module = importlib.import_module(f"tf2bridge.v1.{path}")
    assert module.__all__ == starred(path, "1.15.5")
    assert set(dir(v1.contrib.layers)) <= set(names("contrib.layers", "1.15.5"))
    assert all(hasattr(v1.contrib.layers, name) for name in dir(v1.contrib.layers))


def test_a_name_that_leads_in_a_circle_is_one_error() -> None:
    for name in ("contrib.labeled_tensor", "contrib.estimator.python.estimator.boosted_trees"):
        assert not hasattr(resolve(TREE, name), "boosted_trees_classifier_train_in_memory")


def test_importing_a_module_of_ours_leaves_tensorflow_its_own() -> None:
    code = (
        "import sys, tf2bridge.v1.python.util.nest\n"
        "from tensorflow.python import util\n"
        "from tensorflow.python.util import nest\n"
        "print(util is sys.modules['tensorflow.python.util'], nest is sys.modules['tensorflow.python.util.nest'])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["True", "True"], done.stderr


def test_a_module_that_is_imported_by_an_alias_hides_nothing() -> None:
    importlib.import_module("tf2bridge.v1.contrib.keras.estimator")
    assert callable(resolve(TREE, "keras.estimator.model_to_estimator"))
    assert v1.keras.estimator is not importlib.import_module("tf2bridge.v1.contrib.keras.estimator")
