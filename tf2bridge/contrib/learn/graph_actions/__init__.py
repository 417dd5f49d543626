"""Loops over a graph: training, evaluation, inference."""
