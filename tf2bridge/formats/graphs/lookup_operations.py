"""The operations of lookup tables."""

TABLES = tuple(
    f"{kind}{version}"
    for kind in ("HashTable", "MutableHashTable", "MutableHashTableOfTensors", "MutableDenseHashTable")
    for version in ("", "V2")
)
"""Tables."""
STATIC = ("HashTable", "HashTableV2")
"""Those that are filled once, and not changed."""
FILLED = ("InitializeTable", "InitializeTableV2")
"""What fills one from tensors."""
FILLED_FROM_FILE = ("InitializeTableFromTextFile", "InitializeTableFromTextFileV2")
"""What fills one from a file."""
IMPORTS = ("LookupTableImport", "LookupTableImportV2")
"""What gives one all it holds: from 1.12 on a static one too."""
USES = tuple(
    f"LookupTable{what}{version}"
    for what in ("Find", "Insert", "Size", "Export", "Import", "Remove")
    for version in ("", "V2")
)
"""What reads and changes them."""
LOOKUP_OPS = frozenset((*TABLES, *FILLED, *FILLED_FROM_FILE, *USES))
"""All of them."""
