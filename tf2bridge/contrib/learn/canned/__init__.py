"""The models of contrib.learn: networks, linear models, and both combined."""
