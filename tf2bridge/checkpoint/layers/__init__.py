"""What of a scope of a TF 1.x program makes which layer of Keras: the facts."""
