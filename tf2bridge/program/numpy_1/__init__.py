"""NumPy as programs of TensorFlow 1.x used it: version 1, with the names, arguments and arrays that it has lost."""
