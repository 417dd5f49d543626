"""Elements, names and trees of elements."""
