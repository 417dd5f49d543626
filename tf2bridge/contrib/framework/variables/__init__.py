"""Variables: made, selected, and assigned from checkpoints."""
