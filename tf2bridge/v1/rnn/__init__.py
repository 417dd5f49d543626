"""Recurrent networks and sequence models that TensorFlow 2 no longer has."""
