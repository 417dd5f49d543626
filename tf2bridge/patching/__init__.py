"""The ledger of everything that we replace in TensorFlow, Keras, absl, NumPy and the standard library.

Only `put`, `put_item`, `rebind` and `on_undo` change anything in another library. Each change is noted in a `PatchSet`,
which undoes it exactly: at the end of a block, or when a process switches to another release.
"""

from tf2bridge.patching.functions import Function, all_twins, rebind, twins
from tf2bridge.patching.ledger import PatchSet, on_undo, open_set, put, put_item

__all__ = ["Function", "PatchSet", "all_twins", "on_undo", "open_set", "put", "put_item", "rebind", "twins"]
