"""Finds the first op whose inputs agree and whose output differs, and its likely cause."""
