"""Blocks of layers that save memory: they recompute their inputs instead of keeping them."""
