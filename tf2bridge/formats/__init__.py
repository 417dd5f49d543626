"""Files of TensorFlow 0.12 to 2, read and described without TensorFlow."""
