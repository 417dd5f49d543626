"""`replicate_model_fn`: a model on several devices of one machine."""
