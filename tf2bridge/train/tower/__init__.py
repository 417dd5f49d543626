"""Several copies of a model, one for each part of a batch, whose averaged gradients change shared variables."""
