"""`tf.contrib.solvers`: iterative solvers of linear equations, by matrices that are only applied to vectors."""
