"""Beam search: the decoders, one step of them, and what they do with beams."""
