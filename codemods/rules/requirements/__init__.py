"""What a project says it needs to be installed."""
