"""Holds the sitecustomize.py that interpreters started by a running program find on their PYTHONPATH."""
