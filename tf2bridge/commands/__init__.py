"""The commands of `tf2bridge`, by what they are about; none imports TensorFlow before it needs it."""
