"""From a checkpoint and a target to a plan, and what is done with one."""
