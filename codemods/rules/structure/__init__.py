"""Rewrites of a program's structure, which run only if they are selected (`--select TFS`)."""
