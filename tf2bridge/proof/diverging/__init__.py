"""The first op whose inputs agree and whose output does not: where two programs part, and why."""
