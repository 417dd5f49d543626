"""Rewrites a program of sessions into functions of TensorFlow 2: the target `native`."""
