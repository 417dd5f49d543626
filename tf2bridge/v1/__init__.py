"""The TensorFlow 1.x namespace on TensorFlow 2: `from tf2bridge import v1 as tf`.

Names, parameters and numbers are those of TensorFlow 1.15; names of 0.12 that do not clash with them are here too.
Importing it changes nothing and does not import TensorFlow: `tf.enable(api="1.15")`, at a program's entry, does.
`tf2bridge.v1.catalog` lists what is supplied here; every other name is that of `tf.compat.v1`.
"""

from __future__ import annotations

from tf2bridge.v1.catalog import TREE
from tf2bridge.v1.finder import publish

__getattr__, __dir__ = publish(TREE)
