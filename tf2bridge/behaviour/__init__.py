"""Makes TensorFlow 2 behave as a release of TensorFlow 1.x does: the ground that the namespaces stand on.

`switch` and `for_a_while` turn it on; `in_force` says which release the process follows.
"""
