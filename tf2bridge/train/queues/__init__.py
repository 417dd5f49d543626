"""Input by queue runners and readers, and the tf.data pipeline of the same elements."""
