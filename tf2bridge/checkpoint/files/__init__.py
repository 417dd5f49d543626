"""Files of checkpoints, read without TensorFlow: one module a format, and what they share."""
