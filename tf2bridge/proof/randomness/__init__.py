"""Random numbers under control: two programs that draw in the same order, or by the same names, draw the same."""
