"""What trains GANs: models, losses, train ops and hooks."""
