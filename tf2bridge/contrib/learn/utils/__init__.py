"""Exports, and what they are named and made of."""
