"""The ledger of all that we replace in TensorFlow, Keras, absl, NumPy and the standard library.

`put`, `put_item`, `rebind` and `on_undo` change something of another library, and nothing else of ours does. Each
change is written down in a `PatchSet`, which undoes it exactly: for the length of a block, or when a process is
switched to another release.
"""

from tf2bridge.patching.functions import Function, rebind, twins
from tf2bridge.patching.ledger import PatchSet, on_undo, open_set, put, put_item

__all__ = ["Function", "PatchSet", "on_undo", "open_set", "put", "put_item", "rebind", "twins"]
