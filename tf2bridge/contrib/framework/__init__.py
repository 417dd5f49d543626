"""`tf.contrib.framework`: arg_scope, variables by scope and name, nests."""
