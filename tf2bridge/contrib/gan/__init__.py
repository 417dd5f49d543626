"""`tf.contrib.gan`: models, losses and training of generative adversarial networks, as TensorFlow 1.12 had them."""
