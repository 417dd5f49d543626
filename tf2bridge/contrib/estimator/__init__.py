"""`tf.contrib.estimator`: heads by function, and Estimators and optimizers made of others."""
