"""Texts and categories as numbers."""
