"""Python 2 to Python 3."""
