"""The selection of operations and tensors of a graph."""
