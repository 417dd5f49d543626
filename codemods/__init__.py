"""Rewrites TensorFlow 0.x/1.x source code for TensorFlow 2.  Never imports TensorFlow."""
