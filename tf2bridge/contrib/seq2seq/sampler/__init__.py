"""Samplers: the helpers of decoders that are Keras layers."""
