"""Small data sets, which are read or made."""
