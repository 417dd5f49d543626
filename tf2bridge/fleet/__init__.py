"""Many files and repositories at once: an inventory of them, runs that can be continued, and one report."""
