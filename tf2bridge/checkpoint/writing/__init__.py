"""Checkpoints written: whole or not at all, read back, and in every format."""
