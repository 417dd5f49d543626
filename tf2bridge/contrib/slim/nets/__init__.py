"""`slim.nets`: the networks of contrib, and three that were published beside them."""
