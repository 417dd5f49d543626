"""Gives callbacks of eagerly trained models the number of the batch and its size, as in all of 1.x.

`logs["batch"]` and `logs["size"]` existed for every batch. tf_keras gives them only if it trains in a graph. The size
is known for arrays. For data sets and generators it is unknown and left out.
"""

from __future__ import annotations

import functools
import importlib
from typing import Any
from weakref import WeakKeyDictionary

from tf2bridge.patching import put

_adapters: WeakKeyDictionary[Any, Any] = WeakKeyDictionary()
"""Model -> the adapter that yields the batches of its last training, evaluation or prediction."""


def install() -> None:
    """Changes the callbacks in this process."""
    handler: Any = importlib.import_module("tf_keras.src.engine.data_adapter").DataHandler
    listed: Any = importlib.import_module("tf_keras.src.callbacks").CallbackList
    put(handler, "__init__", _noted(handler.__init__))
    put(listed, "__init__", _of_its_data(listed.__init__))
    put(listed, "_call_batch_hook_helper", tell)


def tell(self: Any, hook_name: str, batch: int, logs: Any) -> None:
    """Replaces `CallbackList._call_batch_hook_helper`."""
    processed = self._process_logs(logs, is_batch_hook=True)
    batch_facts = {"batch": batch, **_size(self.adapter_of_1_x, batch)} if "train" in hook_name else {"batch": batch}
    for callback in self.callbacks:
        has_them = getattr(callback, "_supports_tf_logs", False) or "size" in processed
        getattr(callback, hook_name)(batch, processed if has_them else {**batch_facts, **processed})


def _size(adapter: Any, batch: int) -> dict[str, int]:
    size = adapter.batch_size() if adapter is not None else None
    if size is None:
        return {}
    is_last = adapter.has_partial_batch() and batch == adapter.get_size() - 1
    return {"size": int(adapter.partial_batch_size() if is_last else size)}


def _noted(made: Any) -> Any:
    """Returns `DataHandler.__init__`, which also notes the adapter of the model."""

    @functools.wraps(made)
    def changed(self: Any, *args: Any, **kwargs: Any) -> None:
        made(self, *args, **kwargs)
        if kwargs.get("model") is not None:
            _adapters[kwargs["model"]] = self._adapter

    return changed


def _of_its_data(made: Any) -> Any:
    """Returns `CallbackList.__init__`, which also takes the adapter of the data that was prepared last."""

    @functools.wraps(made)
    def changed(self: Any, *args: Any, **kwargs: Any) -> None:
        made(self, *args, **kwargs)
        model = getattr(self, "model", None) or kwargs.get("model")
        self.adapter_of_1_x = _adapters.get(model) if model is not None else None
        self._check_timing = False  # `tell` does not measure times

    return changed
