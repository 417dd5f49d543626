"""Legacy checkpoints: their names and, in time, their contents."""
