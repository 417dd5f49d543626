"""The report on a run of a fleet: as text, and as one HTML page."""
