"""Differences over the steps of a program: how they grow, and what that says of their cause."""
