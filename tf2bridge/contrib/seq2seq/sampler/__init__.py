"""Samplers: the helpers of the decoders in the style of Keras."""
