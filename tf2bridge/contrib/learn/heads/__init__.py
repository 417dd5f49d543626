"""Heads of contrib.learn: what a model predicts, how it is scored and trained."""
