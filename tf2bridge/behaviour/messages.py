"""The module that logs.

It is the one that TensorFlow's own code calls: a program that replaces one of its functions then gets all messages.
`tf.compat.v1.logging` has the same functions and keeps its own references to them.
"""

from tf2bridge.internals.support import tf_logging as logging

__all__ = ["logging"]
