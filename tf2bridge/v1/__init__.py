"""The TensorFlow 1.x namespace on TensorFlow 2: `from tf2bridge import v1 as tf`.

Names, parameters and numbers are those of TensorFlow 1.15. Names of 0.12 that do not clash with them exist too.
Importing this module changes nothing and does not import TensorFlow. `tf.enable(api="1.15")`, at a program's entry,
does both. `tf2bridge.v1.catalog` lists the names that tf2bridge supplies; all others are those of `tf.compat.v1`.
"""

from __future__ import annotations

from tf2bridge.v1.catalog import TREE
from tf2bridge.v1.finder import publish

__getattr__, __dir__ = publish(TREE)
