"""What a comparison found, for people and for machines."""
