"""Makes a plan from a checkpoint and a target, and applies, writes, reads and inverts plans."""
