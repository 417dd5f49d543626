"""Monitors of contrib.learn: what hooks were before tf.train.SessionRunHook."""
