"""Reports the results of comparisons, for people and for programs."""
