"""Helpers, which sample from the outputs of a decoder and choose its next inputs."""
