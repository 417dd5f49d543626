"""Input by queue runners and readers, and tf.data pipelines with the same elements."""
