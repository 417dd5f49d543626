"""Keras inside TensorFlow 1 programs."""
