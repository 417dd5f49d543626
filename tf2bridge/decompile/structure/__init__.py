"""Structure: name scopes of equal contents become classes."""
