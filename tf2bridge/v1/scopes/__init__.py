"""Argument scopes and variable collections of contrib.framework."""
