"""`GANEstimator` and its like."""
