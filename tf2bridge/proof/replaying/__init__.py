"""Runs a program or a recorded graph again on TensorFlow 2, and compares it with its trace."""
