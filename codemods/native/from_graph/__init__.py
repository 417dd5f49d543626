"""Makes a program native whose model comes from its recorded graph: its own source gives the rest."""
