"""What makes tensors of feature columns: inputs of networks, weighted sums, and parsed examples."""
