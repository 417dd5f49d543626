"""`optimize_loss`, and the changes that it makes to gradients."""
