"""Losses of GANs: of outputs, and of the tuples that hold a model."""
