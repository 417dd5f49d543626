"""Maps TF 1.x optimizers to Keras's optimizers, and to graphs of other releases."""
