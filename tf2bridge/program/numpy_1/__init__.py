"""NumPy 1 as programs of TensorFlow 1.x used it, with the names, arguments and arrays that NumPy has removed."""
