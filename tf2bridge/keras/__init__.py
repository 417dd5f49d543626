"""What `tf.keras` of TensorFlow 1.x had and its successor tf_keras has not, part by part."""
