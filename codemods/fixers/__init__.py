"""Fixers of our own for fissix, where its own do too much or are missing."""
