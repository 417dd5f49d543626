"""Functions that turn feature columns into tensors: inputs of networks, weighted sums, and parsed examples."""
