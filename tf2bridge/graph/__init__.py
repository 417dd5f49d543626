"""TF 1.x graphs as live TensorFlow 2 objects."""
