"""Single ops under their old names and parameters."""
