"""The feature columns of contrib.layers: how features become the inputs of linear and deep models.

The classes keep the names that they had in contrib: columns are built in the order of what they print as.
"""
