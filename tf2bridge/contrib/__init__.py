"""What `tf.contrib` held, written for TensorFlow 2: one package for each of its parts that programs used."""
