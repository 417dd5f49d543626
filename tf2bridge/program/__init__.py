"""A legacy program as it is: its files read, Python 2 or 3, and its imports of TensorFlow answered."""
