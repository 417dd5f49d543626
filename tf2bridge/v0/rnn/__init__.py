"""Recurrent cells and networks of 0.12, with its variable names."""
