"""The results of a run, written for people and for machines."""
