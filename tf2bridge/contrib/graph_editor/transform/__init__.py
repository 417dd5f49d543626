"""Copies of graphs, changed on the way."""
