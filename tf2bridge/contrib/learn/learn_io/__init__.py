"""Input functions of arrays, generators and files."""
