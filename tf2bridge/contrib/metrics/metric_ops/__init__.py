"""Metrics that are collected over batches: a value and the op that updates it."""
