"""`GANEstimator`, its head and its specs."""
