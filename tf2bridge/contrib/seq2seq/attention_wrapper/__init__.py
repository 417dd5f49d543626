"""Attention: mechanisms that score a memory, and the cell wrapper that reads it."""
