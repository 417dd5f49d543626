"""`tf.contrib.eager`, also known as tfe: eager execution as programs of 1.4 to 1.15 used it."""
