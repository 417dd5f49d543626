"""Blocks of layers that compute their inputs again instead of keeping them."""
