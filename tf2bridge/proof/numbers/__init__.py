"""How far two arrays are apart, and whether that is within a tolerance."""
