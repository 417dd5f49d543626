"""Metrics that accumulate over batches: a value and its update op."""
