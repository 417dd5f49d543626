"""Fixers for fissix that replace its own, which do too much, or that it lacks."""
