"""The lookup tables of a graph as TensorFlow 2 tables, which a module tracks and a SavedModel stores."""

from __future__ import annotations

import contextlib
from collections.abc import Collection
from pathlib import Path
from typing import Any

import numpy as np
import tensorflow as tf

from tf2bridge.formats.graphs.audit import fits
from tf2bridge.formats.graphs.legacy import LegacyGraph
from tf2bridge.formats.graphs.lookup_operations import FILLED_FROM_FILE, STATIC, TABLES
from tf2bridge.formats.graphs.nodes import data_inputs, lookup
from tf2bridge.formats.graphs.refusals import NoVocabularyError
from tf2bridge.formats.graphs.vocabularies import Vocabularies
from tf2bridge.graph.called_nodes import with_called
from tf2bridge.graph.passes.passing_ops import root
from tf2bridge.graph.refusals import MissingValuesError, TableContentError
from tf2bridge.graph.tables import contents as table_contents
from tf2bridge.graph.tables.contents import Filler

_DELETED = b"tf2bridge: the key of deleted entries"


class LookupTables(tf.Module):  # type: ignore[misc]  # TensorFlow is untyped
    """The tables of a graph by node name: `tables["hash_table"].resource_handle`.

    A table is made and filled at its first use. Nodes with the same shared name have one table. A static table gets
    the content that the graph's initializers give; `vocabularies` finds its files. A mutable table gets its content
    from the checkpoint.
    """

    def __init__(
        self,
        graph: LegacyGraph,
        vocabularies: Vocabularies | None = None,
        allow_ops: Collection[str] = (),
        checkpoint: str | Path | None = None,
    ) -> None:
        super().__init__(name="lookup_tables")
        self._graph = graph
        self._vocabularies = vocabularies or Vocabularies()
        self._allowed = tuple(allow_ops)
        self._checkpoint = checkpoint
        self._graph_def = with_called(graph.graph_def, table_contents.FILLING)
        self._nodes = lookup(self._graph_def.node)
        self._fillers = table_contents.fillers(self._nodes)
        self._made: list[Any] = []  # a list, since tf.Module cannot track node names, which contain slashes
        self._places: dict[str, int] = {}

    def __getitem__(self, name: str) -> Any:
        """Returns the table of a node. Raises TableContentError, NoVocabularyError."""
        key = self._key(name)
        if key not in self._places:
            with tf.init_scope():  # a function may be made while another is traced
                made = self._static(name, key) if self._nodes[name].op in STATIC else self._mutable(name)
            self._made.append(made)
            self._places[key] = len(self._made) - 1
        return self._made[self._places[key]]

    @property
    def names(self) -> list[str]:
        """The names of the nodes that are tables."""
        return [name for name, node in self._nodes.items() if node.op in TABLES]

    def mutable(self) -> dict[str, tuple[Any, str, str]]:
        """Returns node name -> (table, name of its keys in a checkpoint, name of its values) for all saved tables."""
        names_by_table = table_contents.saved_as(self._nodes)
        return {name: (self[name], *names_by_table[name]) for name in self.names if name in names_by_table}

    @property
    def live(self) -> bool:
        """Whether any table was made."""
        return bool(self._made)

    @property
    def static(self) -> set[str]:
        """The names of tables that do not change."""
        return {name for name in self.names if self._nodes[name].op in STATIC}

    def contents(self) -> dict[str, tuple[Any, Any]]:
        """Returns node name -> keys and values, for all tables that can be made."""
        contents = {}
        for name in self.names:
            with contextlib.suppress(TableContentError, NoVocabularyError, MissingValuesError):
                contents[name] = self.content(name)
        return contents

    def content(self, name: str) -> tuple[Any, Any]:
        """Returns the keys and values that the table of a node holds now."""
        keys, values = self[name].export()
        return keys.numpy(), values.numpy()

    def fill(self, name: str, keys: Any, values: Any) -> None:
        """Inserts keys and values into a mutable table."""
        _give(self[name], keys, values)

    def restore(self, checkpoint: str | Path) -> None:
        """Fills the mutable tables from a checkpoint. Raises MissingValuesError."""
        for name in self.mutable():
            _give(self[name], *self._stored(name, checkpoint))

    def _key(self, name: str) -> str:
        node = self._nodes[name]
        shared = node.attr["shared_name"].s.decode() if "shared_name" in node.attr else ""
        return f"shared {shared}" if shared else name

    def _static(self, name: str, key: str) -> Any:
        filler = next(
            (self._fillers[table] for table in self.names if self._key(table) == key and table in self._fillers), None
        )
        if filler is None:
            raise TableContentError(name, "nothing in the graph fills it", "load the .meta or SavedModel it came from")
        node = self._nodes[name]
        keys, values = (tf.as_dtype(node.attr[attribute].type) for attribute in ("key_dtype", "value_dtype"))
        try:
            from_file = filler.op in FILLED_FROM_FILE
            source = self._from_file(filler, keys, values) if from_file else self._from_graph(filler)
            return tf.lookup.StaticHashTable(source, np.zeros([], values.as_numpy_dtype) if values != tf.string else "")
        except (tf.errors.OpError, ValueError, TypeError) as error:
            raise TableContentError(name, str(error).splitlines()[0]) from error

    def _from_file(self, filler: Filler, keys: tf.DType, values: tf.DType) -> Any:
        endpoint = root(self._nodes, data_inputs(filler)[1])
        (recorded,) = table_contents.computed(self._graph_def, filler.name, [endpoint])
        path = self._vocabularies.path(
            self._graph, endpoint, np.asarray(recorded).item().decode(), fits(filler.op, self._allowed)
        )
        size = filler.attr["vocab_size"].i
        return tf.lookup.TextFileInitializer(
            str(path),
            keys,
            filler.attr["key_index"].i,
            values,
            filler.attr["value_index"].i,
            vocab_size=size if size > 0 else None,
            delimiter=filler.attr["delimiter"].s.decode() or "\t",
            value_index_offset=filler.attr["offset"].i if "offset" in filler.attr else 0,
        )

    def _from_graph(self, filler: Filler) -> Any:
        keys, values = table_contents.computed(self._graph_def, filler.name, data_inputs(filler)[1:])
        return tf.lookup.KeyValueTensorInitializer(tf.constant(keys), tf.constant(values))

    def _mutable(self, name: str) -> Any:
        node, content = self._nodes[name], self._stored(name, self._checkpoint)
        keys, values = (tf.as_dtype(node.attr[attribute].type) for attribute in ("key_dtype", "value_dtype"))
        shape = [size.size for size in node.attr["value_shape"].shape.dim] if "value_shape" in node.attr else []
        default = np.zeros(shape, values.as_numpy_dtype) if values != tf.string else np.full(shape, b"")
        if node.op.startswith("MutableDense"):
            empty, deleted = self.special_keys(name)
            buckets = node.attr["initial_num_buckets"].i or 1 << 17  # the operation's default
            made = tf.lookup.experimental.DenseHashTable(
                keys, values, default, empty, deleted, initial_num_buckets=buckets
            )
        else:
            made = tf.lookup.experimental.MutableHashTable(keys, values, default)
        if content:
            _give(made, *content)
        return made

    def special_keys(self, name: str) -> list[Any]:
        """Returns the empty key and the deleted key of a dense table.

        Before 1.13 dense tables had no deleted key: the second is then a key that no entry has.
        """
        node = self._nodes[name]
        special = table_contents.computed(self._graph_def, node.name, data_inputs(node))
        if len(special) == 1:
            (empty,) = special
            if empty.dtype.kind == "i":
                least = np.iinfo(empty.dtype).min
                special.append(np.full_like(empty, least + 1 if (empty == least).all() else least))
            else:
                special.append(np.full(empty.shape, _DELETED))
        return special

    def _stored(self, name: str, checkpoint: str | Path | None) -> list[Any]:
        """Returns the keys and values of a table in a checkpoint, or [] if the table is not saved."""
        names = table_contents.saved_as(self._nodes).get(name, ())
        return table_contents.from_checkpoint(checkpoint, names) if checkpoint is not None and names else []


def _give(table: Any, keys: Any, values: Any) -> None:
    handle = table.resource_handle
    tf.raw_ops.LookupTableImportV2(table_handle=handle, keys=tf.constant(keys), values=tf.constant(values))
