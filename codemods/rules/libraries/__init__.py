"""Names, arguments and modules that other libraries and Python removed."""
