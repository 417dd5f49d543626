"""Heads compute the loss, predictions, metrics and signatures of a model from its logits."""
