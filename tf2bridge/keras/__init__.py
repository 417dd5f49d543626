"""Parts of `tf.keras` of TensorFlow 1.x that its successor tf_keras does not have."""
