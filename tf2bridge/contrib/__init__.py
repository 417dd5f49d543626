"""`tf.contrib` for TensorFlow 2: one package for each part that programs used."""
