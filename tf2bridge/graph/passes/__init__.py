"""Passes that prepare legacy graphs for TensorFlow 2: each takes nodes and returns nodes."""
