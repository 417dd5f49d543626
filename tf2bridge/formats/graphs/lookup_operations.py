"""The types of operations on lookup tables."""

TABLES = tuple(
    f"{kind}{version}"
    for kind in ("HashTable", "MutableHashTable", "MutableHashTableOfTensors", "MutableDenseHashTable")
    for version in ("", "V2")
)
"""Operations that make a table."""
STATIC = ("HashTable", "HashTableV2")
"""Operations that make a static table, which is filled once."""
FILLED = ("InitializeTable", "InitializeTableV2")
"""Operations that fill a static table from tensors."""
FILLED_FROM_FILE = ("InitializeTableFromTextFile", "InitializeTableFromTextFileV2")
"""Operations that fill a static table from a file."""
IMPORTS = ("LookupTableImport", "LookupTableImportV2")
"""Operations that replace the content of a table; from 1.12 on also that of a static table."""
USES = tuple(
    f"LookupTable{action}{version}"
    for action in ("Find", "Insert", "Size", "Export", "Import", "Remove")
    for version in ("", "V2")
)
"""Operations that read or change a table."""
LOOKUP_OPS = frozenset((*TABLES, *FILLED, *FILLED_FROM_FILE, *USES))
"""All operations on lookup tables."""
