"""Writes checkpoints in every format, completely or not at all, and reads back what was written."""
