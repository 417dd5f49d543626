"""Names of TensorFlow that were renamed, moved or removed."""
