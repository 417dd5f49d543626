"""The facts about which tensors of a TF 1.x scope make which layer of Keras."""
