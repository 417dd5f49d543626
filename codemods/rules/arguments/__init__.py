"""Calls whose arguments changed their order, their names or their meaning."""
