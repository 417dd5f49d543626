"""Two sides held against each other, tensor by tensor."""
