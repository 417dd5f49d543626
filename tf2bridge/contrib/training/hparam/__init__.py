"""`HParams`, their text and their message."""
