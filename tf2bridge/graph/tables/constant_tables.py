"""Lookup tables whose content is in the graph, as TFLite wants them: it reads no file and restores no table."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.graph.refusals import NotExportableError
from tf2bridge.graph.tables.live_tables import LookupTables


class ConstantTables(tf.Module):  # type: ignore[misc]  # TensorFlow is untyped
    """Copies of static tables, each made when it is first asked for. Raises NotExportableError for one that changes."""

    def __init__(self, tables: LookupTables) -> None:
        super().__init__(name="constant_tables")
        self._tables = tables
        self._made: list[Any] = []
        self._places: dict[str, int] = {}

    def __getitem__(self, name: str) -> Any:
        """The copy of the table of a node."""
        if name not in self._tables.static:
            raise NotExportableError([f"{name} is a table that changes"])
        if name not in self._places:
            keys, values = (tf.constant(each) for each in self._tables.content(name))
            default = tf.zeros([], values.dtype) if values.dtype != tf.string else ""
            source = tf.lookup.KeyValueTensorInitializer(keys, values)
            self._made.append(tf.lookup.StaticHashTable(source, default))
            self._places[name] = len(self._made) - 1
        return self._made[self._places[name]]
