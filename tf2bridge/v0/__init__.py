"""The TensorFlow 0.12 namespace on TensorFlow 2: `from tf2bridge import v0 as tf`.

Names, argument orders and variable names are those of 0.12.1; what 0.12 shares with 1.15 is that of `tf2bridge.v1`.
Importing it changes nothing; `tf.enable()`, at a program's entry, switches to graph mode with 0.12's seeds.
"""

from __future__ import annotations

from tf2bridge.v0.catalog import TREE
from tf2bridge.v1.finder import publish

__getattr__, __dir__ = publish(TREE)
