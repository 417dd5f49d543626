"""`tf.contrib.lookup`."""

from __future__ import annotations

from tf2bridge.behaviour.listing import names, same

_PATH = "contrib.lookup"
_HERE = "tf2bridge.contrib.lookup"

_TABLES = (
    "HashTable index_table_from_tensor index_to_string_table_from_tensor string_to_index_table_from_file "
    "string_to_index_table_from_tensor string_to_index index_to_string"
)
_CORE = (
    "LookupInterface InitializableLookupTableBase TableInitializerBase HasherSpec FastHashSpec StrongHashSpec "
    "IdTableWithHashBuckets MutableHashTable TextFileIdTableInitializer TextFileStringTableInitializer "
    "index_table_from_file index_to_string_table_from_file"
)

OWN = {
    **names(_PATH, f"{_HERE}.lookup_ops", _TABLES),
    **names(_PATH, "tensorflow.python.ops.lookup_ops", _CORE),
}

ALIASES = {
    **same(_PATH, "lookup", "KeyValueTensorInitializer TextFileIndex TextFileInitializer"),
    f"{_PATH}.MutableDenseHashTable": "lookup.experimental.DenseHashTable",
    f"{_PATH}.lookup_ops": _PATH,
}
