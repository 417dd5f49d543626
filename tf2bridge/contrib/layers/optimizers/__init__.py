"""`optimize_loss`, and what it changes in gradients."""
