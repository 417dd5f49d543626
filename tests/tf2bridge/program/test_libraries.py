"""Which installed libraries get the TensorFlow of the program, and that they do."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tf2bridge.behaviour.installed import tensorflow
from tf2bridge.program.libraries import is_of_tensorflow_1


def installed(folder: Path, text: str, name: str = "library") -> Path:
    """Installs a package whose inner module says `text`; returns its first file."""
    package = folder / "site-packages" / name
    (package / "inner").mkdir(parents=True)
    (package / "inner" / "layers.py").write_text(text)
    (package / "__init__.py").write_text("from .inner import layers\n")
    (package / "inner" / "__init__.py").write_text("")
    return package / "__init__.py"


OLD = {
    "a name that TensorFlow 2 has not": "import tensorflow as tf\ndef f(): return tf.get_variable('v', [2])\n",
    "a module of contrib": "from tensorflow.contrib import layers\n",
    "a private module that is gone": "from tensorflow.python.autograph.core import naming\n",
    "a base class, beside names of both": (  # gin-config 0.5.0, gin/tf/utils.py
        "import tensorflow as tf\ndef f(): return tf.compat.v1.get_default_graph()\n"
        "class Hook(tf.contrib.learn.monitors.BaseMonitor): pass\n"
    ),
    "a decorator beside names of both": (
        "import tensorflow as tf\ncompat = tf.compat.v1\n@tf.contrib.framework.add_arg_scope\ndef f(): pass\n"
    ),
    "an imported name beside names of both": "from tensorflow import contrib\nfrom tensorflow.compat import v1\n",
    "a gone module beside names of both": (
        "import tensorflow.compat.v1 as tf\nfrom tensorflow.python.autograph.core import naming\n"
    ),
}
OF_TODAY = {
    "names of TensorFlow 2": "import tensorflow as tf\ndef f(): return tf.Variable(tf.zeros([2]))\n",
    "it names the namespace itself": "import tensorflow.compat.v1 as tf\ndef f(): return tf.get_variable('v', [2])\n",
    "it asks for the version": (
        "import tensorflow as tf\nif tf.__version__ < '2':\n    f = tf.get_variable\nelse:\n    f = tf.Variable\n"
    ),
    "a try with an answer": "try:\n    from tensorflow.contrib import layers\nexcept ImportError:\n    layers = None\n",
    "a constant behind a guard": (
        "import tensorflow as tf\nif hasattr(tf, 'contrib'):\n    f = tf.contrib.layers\nelse:\n    f = tf.compat.v1\n"
        "g = tf.contrib.slim if hasattr(tf, 'contrib') else tf.compat.v1\n"
    ),
    "a base class in a try": (
        "import tensorflow as tf\nv1 = tf.compat.v1\ntry:\n    class Hook(tf.contrib.learn.Monitor): pass\n"
        "except AttributeError: pass\n"
    ),
    "a name of compat.v1": "import tensorflow.compat.v1 as tf\nclass Hook(tf.contrib.Monitor): pass\n",
    "one of two imports": (
        "import tensorflow as tf\ntry:\n    import tensorflow.compat.v1 as tf\nexcept ImportError:\n    pass\n"
        "class Hook(tf.contrib.Monitor): pass\n"
    ),
    "estimators, which TensorFlow 2 had": "import tensorflow as tf\ndef f(): return tf.estimator.Estimator\n",
    "no TensorFlow": "import json\n",
}


@pytest.mark.parametrize("reason", OLD)
def test_a_library_that_needs_what_only_1_x_had_is_of_1_x(reason: str, tmp_path: Path) -> None:
    assert is_of_tensorflow_1(installed(tmp_path, OLD[reason]))


@pytest.mark.parametrize("reason", OF_TODAY)
def test_a_library_that_works_on_tensorflow_2_keeps_it(reason: str, tmp_path: Path) -> None:
    assert not is_of_tensorflow_1(installed(tmp_path, OF_TODAY[reason]))


def test_a_base_class_of_estimator_counts_where_tensorflow_has_none(tmp_path: Path) -> None:
    text = "import tensorflow as tf\nv1 = tf.compat.v1\nclass Hook(tf.estimator.SessionRunHook): pass\n"
    assert is_of_tensorflow_1(installed(tmp_path, text)) is not hasattr(tensorflow(), "estimator")


def test_a_program_and_a_library_of_1_x_share_one_tensorflow(tmp_path: Path) -> None:
    installed(tmp_path, "import tensorflow as tf\nfrom tensorflow.contrib import layers\nREUSE = tf.AUTO_REUSE\n")
    program = "import tensorflow as tf\nimport library\nprint(library.layers.layers.l2_regularizer is "
    program += "tf.contrib.layers.l2_regularizer, library.layers.REUSE is tf.AUTO_REUSE)\n"
    (tmp_path / "train.py").write_text(program)
    command = [sys.executable, "-m", "tf2bridge", "run", "train.py"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([*sys.path, str(tmp_path / "site-packages")])}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "True True\n"), done.stderr
