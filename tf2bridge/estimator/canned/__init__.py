"""The estimators whose model_fn comes with them."""
