"""Initializers and regularizers of contrib.layers."""
