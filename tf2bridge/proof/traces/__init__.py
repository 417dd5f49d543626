"""Traces, read: what a program fed to its sessions and fetched from them."""
