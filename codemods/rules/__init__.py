"""The rules, one per file, in one directory per family; `codemods.registry` finds them by walking this package."""
