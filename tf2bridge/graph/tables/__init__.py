"""Lookup tables of a graph: what fills them, the live tables, and constant copies for TFLite."""
