"""Graph mode and the entry of a program."""
