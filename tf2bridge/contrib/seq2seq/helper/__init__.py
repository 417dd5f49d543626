"""Helpers: what a decoder is fed next, and how its outputs are sampled."""
