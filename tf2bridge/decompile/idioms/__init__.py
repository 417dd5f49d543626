"""Idioms: parts of a graph that a person writes as a layer of Keras or as one function call."""
