"""Layers whose weights have masks."""
