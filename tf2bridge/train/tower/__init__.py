"""Several copies of a model, one for each part of a batch; their averaged gradients change shared variables."""
