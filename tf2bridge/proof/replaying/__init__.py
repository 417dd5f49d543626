"""A program or a recorded graph run again on TensorFlow 2 beside its trace."""
