"""Imports of untouched programs: by statement, by text, of names that are not there."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from pathlib import Path

PROGRAM = """
    import importlib
    import inspect
    import pickle
    import pydoc

    import tensorflow as tf
    from tensorflow.python.framework.ops import Tensor, set_shapes_for_no_outputs
    import tensorflow.contrib.ffmpeg
    import tensorflow.contrib.ffmpeg.ffmpeg_ops as absent
    from tensorflow.contrib.tensor_forest import client
    from tensorflow_estimator.python.estimator.mode_keys import ModeKeys
    from tensorflow.contrib.framework.python.ops.arg_scope import *

    try:
        from tensorflow.contrib import ffmpeg
    except ImportError as error:
        ffmpeg = None
        print("guarded", "decode_wav" in str(error))


    def check_use(use):
        try:
            use()
        except AttributeError as error:
            print(str(error)[:40])


    def trained_later():
        from tensorflow.contrib.ffmpeg import decode_audio
        return decode_audio(b"")


    check_use(lambda: set_shapes_for_no_outputs(1))
    check_use(lambda: tensorflow.contrib.ffmpeg.decode_audio)
    check_use(lambda: absent.decode_audio)
    check_use(lambda: client.random_forest)
    check_use(trained_later)
    print(arg_scope is tf.contrib.framework.arg_scope, Tensor is tf.Tensor, ModeKeys is tf.estimator.ModeKeys)
    print(pydoc.locate("tensorflow.contrib.layers.l2_regularizer") is tf.contrib.layers.l2_regularizer)
    print(pydoc.locate("tensorflow.nn.rnn_cell.GRUCell") is tf.nn.rnn_cell.GRUCell, pydoc.locate("tensorflow.no"))
    by_text = importlib.import_module("tensorflow.contrib.slim.python.slim.nets.vgg")
    print(by_text is tf.contrib.slim.python.slim.nets.vgg, inspect.ismodule(by_text))
    old = b"ctensorflow.contrib.layers.python.layers.regularizers\\nl2_regularizer\\n."
    print(pickle.loads(old) is tf.contrib.layers.l2_regularizer)
    print(pickle.loads(b"ctensorflow_estimator.python.estimator.mode_keys\\nModeKeys\\n.") is ModeKeys)
"""


def test_a_program_imports_what_there_is_and_fails_where_it_uses_what_there_is_not(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(textwrap.dedent(PROGRAM))
    command = [sys.executable, "-m", "tf2bridge", "run", "program.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=300)
    assert done.stdout.splitlines() == [
        "guarded True",
        "tf.python.framework.ops.set_shapes_for_n",
        "tf.contrib.ffmpeg (TensorFlow 1.4.1 to 1",
        "tf.contrib.ffmpeg.ffmpeg_ops.decode_audi",
        "tf.contrib.tensor_forest.client.random_f",
        "tf.contrib.ffmpeg.decode_audio (TensorFl",
        "True True True",
        "True",
        "True None",
        "True True",
        "True",
        "True",
    ], done.stderr
