"""Runs an unchanged legacy program: reads its files (Python 2 or 3), and answers its imports of TensorFlow."""
