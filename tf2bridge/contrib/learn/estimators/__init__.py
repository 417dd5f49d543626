"""The class Estimator of `tf.contrib.learn`, its configuration and its model functions."""
