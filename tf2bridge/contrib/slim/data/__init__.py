"""`slim.data`: records read by queues, decoded into items, and provided by name."""
