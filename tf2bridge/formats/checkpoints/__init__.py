"""Checkpoints of every format: found, opened and read without TensorFlow."""
