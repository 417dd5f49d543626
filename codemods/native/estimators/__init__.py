"""Programs with an Estimator, rewritten with the sessions that it made for them."""
