"""The commands of `tf2bridge`, by subject. A command imports TensorFlow only when it needs it."""
