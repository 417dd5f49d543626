"""Rewrites of a program's structure; applied only when they are selected (`--select TFS`)."""
