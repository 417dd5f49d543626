"""The modules that TensorFlow 0.x and 1.x installed for their tutorials, and that programs imported."""
