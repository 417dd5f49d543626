"""`tf.contrib.layers`: layers with their own variable scopes and collections, initializers, regularizers."""
