"""Other libraries whose old names are gone."""
