"""Heads: from the logits of a model to its loss, predictions, metrics and signatures."""
