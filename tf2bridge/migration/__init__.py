"""Migrates a repository: rewrites it, finds its checkpoints and graphs, and proves its programs."""
