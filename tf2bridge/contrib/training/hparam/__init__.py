"""`HParams`, their text form and their protocol buffer message."""
