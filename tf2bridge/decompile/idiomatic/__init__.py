"""Training with the optimizers and losses of Keras, in place of what a graph computes: `decompile(idiomatic=True)`."""
