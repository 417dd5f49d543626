"""Beam search: the decoders, their step, and operations on beams."""
