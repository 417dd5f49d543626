"""Jupyter notebooks of formats 2 to 4: their code cells as one Python text, and that text back into the same bytes."""
