"""Reads the code cells of Jupyter notebooks (formats 2 to 4) as one Python text, and writes that text back."""
