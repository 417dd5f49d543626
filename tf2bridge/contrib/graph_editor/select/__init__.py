"""What is selected of a graph."""
