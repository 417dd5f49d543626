"""Computes the distance of two arrays, and whether it is within a tolerance."""
