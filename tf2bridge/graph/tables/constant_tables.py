"""Copies of lookup tables with constant content, for TFLite, which neither reads files nor restores tables."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.graph.refusals import NotExportableError
from tf2bridge.graph.tables.live_tables import LookupTables


class ConstantTables(tf.Module):  # type: ignore[misc]  # TensorFlow is untyped
    """Copies of static tables by node name; a copy is made at its first use.

    Raises NotExportableError for a table that changes.
    """

    def __init__(self, tables: LookupTables) -> None:
        super().__init__(name="constant_tables")
        self._tables = tables
        self._made: list[Any] = []
        self._places: dict[str, int] = {}

    def __getitem__(self, name: str) -> Any:
        """Returns the copy of the table of a node."""
        if name not in self._tables.static:
            raise NotExportableError([f"{name} is a table that changes"])
        if name not in self._places:
            keys, values = (tf.constant(array) for array in self._tables.content(name))
            default = tf.zeros([], values.dtype) if values.dtype != tf.string else ""
            source = tf.lookup.KeyValueTensorInitializer(keys, values)
            self._made.append(tf.lookup.StaticHashTable(source, default))
            self._places[name] = len(self._made) - 1
        return self._made[self._places[name]]
