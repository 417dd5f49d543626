"""tfdbg as programs of 1.15 called it."""

from __future__ import annotations

from pathlib import Path

import tensorflow as tf

from tf2bridge.v1.catalog import TREE
from tf2bridge.v1.namespace import resolve


def test_runs_are_dumped(tmp_path: Path) -> None:
    debug = resolve(TREE, "python.debug")
    with tf.Graph().as_default(), tf.compat.v1.Session() as plain:
        session = debug.DumpingDebugWrapperSession(plain, str(tmp_path / "dumps"), log_usage=False)
        assert session.run(tf.constant(3.0, name="three")) == 3.0
    assert list((tmp_path / "dumps").glob("run_*"))


def test_the_terminal_has_one_interface() -> None:
    debug = resolve(TREE, "python.debug")
    with tf.Graph().as_default(), tf.compat.v1.Session() as plain:
        session = debug.LocalCLIDebugWrapperSession(plain, log_usage=False, ui_type="curses")
        session.add_tensor_filter("has_inf_or_nan", debug.has_inf_or_nan)
    assert debug.LocalCLIDebugHook(ui_type="curses")
