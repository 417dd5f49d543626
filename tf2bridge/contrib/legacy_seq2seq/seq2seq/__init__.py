"""Sequence-to-sequence models of unrolled cells."""
