"""The training of GANs: models, losses, train ops and hooks."""
