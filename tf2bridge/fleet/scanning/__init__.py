"""Finds models and repositories below paths, in archives and in stores, and writes the inventory."""
