"""The bijectors of 1.4, which know the rank of their events.

Parameters, defaults and sums are those of genuine 1.4.1. The other bijectors were added in 1.5.
"""
