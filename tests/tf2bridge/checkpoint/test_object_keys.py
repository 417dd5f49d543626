"""Keys of objects are those that TensorFlow writes, whatever the attributes are called."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tf2bridge.checkpoint.writing.converting import convert
from tf2bridge.checkpoint.writing.object_graph import key_of, path_of


def test_attributes_with_dots_and_slashes(tmp_path: Path) -> None:
    import tensorflow as tf

    from tf2bridge.checkpoint.planning.object_keys import keys_of

    module = tf.Module()
    module.held = {"a/b": tf.Variable(1.0), "c.d": tf.Variable(2.0), "e@f": tf.Variable(3.0)}
    written = tf.train.Checkpoint(model=module).write(str(tmp_path / "model"))
    keys = [name for name, _ in tf.train.list_variables(written) if name.startswith("model/")]
    assert sorted(keys_of(module).values()) == keys
    assert [path_of(key) for key in keys] == ["model/held/a/b", "model/held/c.d", "model/held/e@f"]
    assert key_of("model/held/c.d") == keys[1]


def test_names_with_dots_are_restored(tmp_path: Path) -> None:
    import tensorflow as tf

    np.savez(tmp_path / "old.npz", **{"net/v1.5": np.float32(7), "net/..S": np.float32(8)})
    path = str(convert(tmp_path / "old.npz", tmp_path / "new").path)
    module = tf.Module()
    setattr(module, "v1.5", tf.Variable(0.0))
    setattr(module, "..S", tf.Variable(0.0))
    tf.train.Checkpoint(net=module).restore(path).assert_consumed()
    assert (getattr(module, "v1.5").numpy(), getattr(module, "..S").numpy()) == (7, 8)
