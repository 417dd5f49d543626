"""Compares two sides, tensor by tensor."""
