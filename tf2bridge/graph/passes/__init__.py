"""Passes over legacy graphs: each takes nodes and gives nodes, and changes nothing of what it was given."""
