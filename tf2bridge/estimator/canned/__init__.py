"""The estimators with a model_fn of their own."""
