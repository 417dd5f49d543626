"""Small data sets, which are read from files or generated."""
