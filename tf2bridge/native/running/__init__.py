"""The process in which a native program runs beside its trace."""
